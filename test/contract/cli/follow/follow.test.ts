import { beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Sandbox, sandboxForEach } from '../../../support/sandbox.ts'
import { PlayedHost } from '../../../support/servers/played-host.ts'
import { ENGINES, type Engine } from '../../../support/servers/server.ts'

const section = (label: string, text = `Number ${label}`) =>
  `## [${label}] - 2026-01-0${label[0]}\n\n### Added\n\n- ${text}\n\n`
const changelog = (...labels: string[]) => `# Changelog\n\n${labels.map((label) => section(label)).join('')}`
/** As one line, however it was wrapped. */
const words = (text: string) => text.replace(/\s+/g, ' ')
const SIX = ['6.0.0', '5.0.0', '4.0.0', '3.0.0', '2.0.0', '1.0.0']

/** Where nobody is asked beyond this machine. */
const UNSEEN = '--no-check'

/** For each test, a product that follows a file with six versions, which nobody has read yet. */
function followingForEach(engine: Engine = 'SQLite') {
  const box = sandboxForEach(async (fresh) => {
    writeFileSync(fresh.at('CHANGELOG.md'), changelog(...SIX))
    await fresh.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    await fresh.json('follow', 'acme/app', 'CHANGELOG.md', '--create', '--publish')
  }, engine)
  const sync = (...more: string[]) => box.run(['sync', 'acme/app', ...more])
  return {
    box,
    write: (text: string) => writeFileSync(box.at('CHANGELOG.md'), text),
    sync,
    synced: async (...more: string[]) => {
      const [outcome] = await box.json<Record<string, unknown>[]>('sync', 'acme/app', ...more)
      return outcome
    },
    labels: async () =>
      (await box.json<{ version: string }[]>('version', 'list', 'acme/app')).map(({ version }) => version),
    shown: () => box.json<{ failing: object | null }>('follow', 'show', 'acme/app'),
    followed: () => box.json<unknown[]>('follow', 'list'),
  }
}

describe.each(ENGINES)('following, on %s', (engine) => {
  const { box, write, sync, synced, labels, shown, followed } = followingForEach(engine)

  test('a team, a source and a sync are all that a public changelog needs, and an idle sync writes nothing', async () => {
    const empty = await box.state()
    expect(await synced('--dry-run')).toMatchObject({
      ...{ state: 'imported', dryRun: true, added: 6, versions: expect.any(Array) },
    })
    expect(await box.state()).toEqual(empty)
    expect(await shown()).toMatchObject({ checkedAt: null })
    expect(await synced()).toMatchObject({ state: 'imported', added: 6 })
    const { stdout } = await box.run(['get', '/api/v1/public/teams/acme/products/app/changelog'])
    const { data } = JSON.parse(stdout) as { data: { versions: { version: string }[] } }
    expect(data.versions.map(({ version }) => version)).toEqual(SIX)
    const filled = await box.state()
    const idle = { state: 'unchanged', added: 0, updated: 0, unchanged: 6 }
    expect(await synced()).toMatchObject({ ...idle, dryRun: false })
    expect(await synced('--dry-run')).toMatchObject({ ...idle, dryRun: true })
    expect(await box.state()).toEqual(filled)
    // A time as every list has it.
    for (const command of ['follow list', 'follow show acme/app'])
      expect(
        (await box.words(command)).stdout.match(/\d{4}-\d\d-\d\d \d\d:\d\d UTC \(just now\)/g),
      ).toHaveLength(2)
  })

  test('a source that disappears or shrinks changes nothing and is reported, until it is well again', async () => {
    await synced()
    const before = await box.state()
    rmSync(box.at('CHANGELOG.md'))
    expect((await sync()).status).toBe(1)
    expect((await shown()).failing).toMatchObject({ reason: expect.stringContaining('There is no file') })
    write(changelog('6.0.0', '5.0.0'))
    expect((await sync()).stdout).toContain('The source had 6 versions at the last import, and has 2 now')
    expect((await shown()).failing).toMatchObject({ checks: 2 })
    expect(await box.state()).toEqual(before)
    for (const command of ['follow list', 'follow show acme/app', 'status', 'status acme/app'])
      expect((await box.words(command)).stdout).toContain('acme/app fails since ')
    write(changelog(...SIX))
    expect((await sync()).status).toBe(0)
    expect((await shown()).failing).toBeNull()
    expect(await labels()).toEqual(SIX)
  })

  test('a source that a product no longer follows is brought back by undo, byte for byte', async () => {
    const before = await shown()
    for (const deletion of [
      ['follow', 'remove', 'acme/app'],
      ['product', 'delete', 'acme/app', '--yes'],
    ]) {
      await box.json(...deletion)
      expect(await followed()).toEqual([])
      expect((await box.words('follow show acme/app')).status).toBe(1)
      await box.json('undo', '--last')
      expect(await shown()).toEqual(before)
    }
  })

  test('export --all carries what is followed to another database, on either engine', async () => {
    const url = 'https://github.com/acme/app'
    await box.json('follow', 'acme/app', url, '--file', 'NEWS.md', '--every', '1h', UNSEEN)
    await box.json('export', '--all', '--output', 'everything.jsonl')
    await using other = await Sandbox.on(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite')
    await other.json('import', '--all', box.at('everything.jsonl'))
    expect(await other.json<unknown[]>('follow', 'list')).toEqual(await followed())
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 0 })
  })
})

describe('sync', () => {
  const { box, write, sync, synced, labels, shown, followed } = followingForEach()

  test('keeps what was corrected by hand or deleted in the source, and imports the rest', async () => {
    await synced()
    await box.json('version', 'update', 'acme/app', '6.0.0', '--title', 'By hand')
    const { stderr } = await box.run(['sync'])
    expect(words(stderr)).toContain('acme/app 6.0.0: kept what was changed by hand: title')
    write(changelog('7.0.0', ...SIX.slice(0, -1)).replace('Number 5.0.0', 'Corrected there'))
    expect(await synced()).toMatchObject({ added: 1, updated: 1, unchanged: 4, skipped: 1 })
    expect(await box.json('version', 'show', 'acme/app', '6.0.0')).toMatchObject({ title: 'By hand' })
    expect(await labels()).toEqual(['7.0.0', ...SIX])
  })

  test.each([
    ['HTML', '<!DOCTYPE html><html><body><h2>1.0.0 - 2026-01-01</h2>Sign in</body></html>', ''],
    ['empty', '', 'is empty'],
    [
      'headings without text',
      changelog(...SIX).replaceAll(/^- .*$/gm, ''),
      'The source had 72 characters of text at the last import, and has 0 now, so nothing was imported.',
    ],
  ])('refuses a source that has become %s', async (_, text, why) => {
    await synced()
    const before = await box.state()
    write(text)
    const { status, stdout } = await sync()
    expect([status, stdout]).toEqual([1, expect.stringContaining(why)])
    expect(await box.state()).toEqual(before)
  })

  test('takes a source that has lost versions or text with --accept; one version alone may get shorter', async () => {
    await synced()
    write(changelog(...SIX).replaceAll(/^- .*$/gm, '- No'))
    expect((await sync()).stdout).toContain('changelogd sync acme/app --accept')
    expect(await synced('--accept')).toMatchObject({ updated: 6 })
    expect(await synced()).toMatchObject({ unchanged: 6 })
    write(section('1.0.0'))
    expect((await sync()).status).toBe(1)
    expect(await synced('--accept')).toMatchObject({ updated: 1, skipped: 5 })
    expect(await synced()).toMatchObject({ unchanged: 1 })
    expect(await labels()).toEqual(SIX)
    write(section('1.0.0', 'No'))
    expect(await synced()).toMatchObject({ updated: 1 })
  })

  test('deletes with --prune what is gone from the source, for undo; too much stays until --accept, and the rest is imported', async () => {
    await box.json('follow', 'acme/app', 'CHANGELOG.md', '--prune')
    await synced()
    write(changelog(...SIX.slice(1)))
    expect(await synced()).toMatchObject({ pruned: 1, undo: expect.stringContaining('changelogd undo') })
    expect(await labels()).toEqual(SIX.slice(1))
    write(changelog('7.0.0', ...SIX.slice(3)))
    const { status, stderr: note } = await sync()
    expect([status, words(note)]).toEqual([0, expect.stringContaining('lacks 2 of the versions here')])
    expect(await labels()).toEqual(['7.0.0', ...SIX.slice(1)])
    expect(words((await box.words('follow list')).stdout)).toContain(
      'so none of them was deleted. If that is right: changelogd sync acme/app --accept',
    )
    expect(await synced('--accept')).toMatchObject({ pruned: 2 })
    expect(await shown()).toMatchObject({ notices: [] })
    await box.json('undo', '--last')
    expect(await labels()).toEqual(['7.0.0', ...SIX.slice(1)])
    await box.json('version', 'create', 'acme/app', '9.0.0')
    const { stderr } = await sync('--accept')
    expect(words(stderr)).toContain(
      'acme/app: 1 draft not in the source stays. To delete one: changelogd version delete acme/app LABEL',
    )
    expect(stderr).not.toContain('--prune-drafts')
  })

  test('leaves a paused source alone unless it is named; resume and follow go on with it', async () => {
    await box.json('follow', 'pause', 'acme/app')
    const { stdout, stderr } = await box.words('sync --json')
    expect([stdout, stderr]).toEqual([
      '[]\n',
      expect.stringMatching(/paused\..*: changelogd follow resume acme\/app\n$/),
    ])
    expect(await synced()).toMatchObject({ state: 'imported' })
    await box.json('follow', 'resume', 'acme/app')
    expect(await box.json<unknown[]>('sync')).toHaveLength(1)
    await box.json('follow', 'pause', 'acme/app')
    const again = await box.run(['follow', 'acme/app', 'CHANGELOG.md'])
    expect(words(again.stdout)).toContain('It was paused, and is followed again.')
    expect(await shown()).toMatchObject({ paused: false })
  })

  test('remembers nothing of another address', async () => {
    await synced()
    writeFileSync(box.at('other.md'), changelog('1.0.0', '2.0.0'))
    await box.json('follow', 'acme/app', 'other.md')
    expect(await shown()).toMatchObject({ checkedAt: null })
    expect(await synced()).toMatchObject({ state: 'unchanged', unchanged: 2 })
  })

  test('and follow list take a team; several products may follow one file', async () => {
    await box.json('team', 'create', 'other', '--name', 'Other')
    await box.json('follow', 'other/lib', 'CHANGELOG.md', '--create')
    for (const command of [['sync'], ['follow', 'list']]) {
      expect(await box.json<unknown[]>(...command)).toHaveLength(2)
      expect(await box.json<unknown[]>(...command, 'other')).toMatchObject([{ product: 'other/lib' }])
      expect((await box.run([...command, 'othr'])).stderr).toContain('Did you mean other?')
    }
    await box.json('follow', 'remove', 'other/lib')
    for (const command of [['sync'], ['follow', 'list']])
      expect((await box.run([...command, 'other'])).stderr).toContain('Nothing of other is followed.')
    expect(await followed()).toHaveLength(1)
  })

  test('asks no host that wants a pause, says until when, and that is no failure', async () => {
    const host = new PlayedHost('github')
    host.releases = [{ tag: 'v9.0', body: '- Ninth' }]
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
    const url = `http://127.0.0.1:${server.port}/acme/app`
    const follow = (name: string, ...more: string[]) =>
      box.json('follow', name, url, '--host-kind', 'github', '--follow-private', UNSEEN, ...more)
    await follow('acme/app')
    await follow('acme/lib', '--create')
    const reset = Math.round(Date.now() / 1_000) + 3_600
    host.quota = { limit: 60, left: 0, reset }
    const until = new Date(reset * 1_000).toISOString()
    expect((await sync('--follow-private')).status).toBe(0)
    expect(host.taken()).toHaveLength(1)
    const { status, stdout, stderr } = await box.run(['sync', '--follow-private'])
    expect([status, stderr]).toEqual([0, ''])
    const moment = `${until.slice(0, 16).replace('T', ' ')} UTC (in 1 hour)`
    for (const name of ['acme/app', 'acme/lib'])
      expect(words(stdout)).toContain(`${name} waits until ${moment}: 127.0.0.1:${server.port} wants no more`)
    expect(await synced('--follow-private')).toMatchObject({ state: 'postponed', until })
    expect(host.taken()).toEqual([])

    // A token has a quota of its own.
    writeFileSync(box.at('token'), 'a-token')
    await follow('acme/app', '--token-file', 'token')
    host.quota = null
    expect(await synced('--follow-private')).toMatchObject({ state: 'imported', added: 1 })
  })
})

describe('a source', () => {
  const { box, shown, followed } = followingForEach()
  let file: string
  beforeEach(() => {
    file = box.at('CHANGELOG.md')
  })
  const url = 'https://github.com/acme/app'

  test('is named by the reply, follow list and follow show as it is followed', async () => {
    for (const [options, what] of [
      ['--file docs/NEWS.md --ref main', 'docs/NEWS.md at main'],
      ['--file NEWS.md --tags', 'NEWS.md, dates from tags'],
      ['--releases --tag-prefix app@', 'releases of app@…'],
      ['--tags', 'tags'],
    ] as const) {
      const reply = await box.words(`follow acme/app ${url} ${options} ${UNSEEN}`)
      expect(words(reply.stdout)).toContain(`acme/app follows ${what}, ${url}, and no longer `)
      for (const command of ['follow list', 'follow show acme/app'])
        expect(words((await box.words(command)).stdout)).toContain(what)
      await box.json('follow', 'acme/app', 'CHANGELOG.md')
    }
  })

  test('that another has replaced is followed again with undo, one after the other', async () => {
    const first = await shown()
    await box.json('follow', 'acme/app', 'https://example.org/CHANGELOG.md', UNSEEN)
    const second = await shown()
    const { undo } = await box.json<{ undo: string }>('follow', 'acme/app', url, UNSEEN)
    expect(undo).toStartWith('changelogd undo ')
    await box.json('undo', '--last')
    expect(await shown()).toEqual(second)
    await box.json('undo', '--last')
    expect(await shown()).toEqual(first)
    expect((await box.run(['undo', '--last'])).status).toBe(1)
    // Other options are no other source.
    expect(await box.json('follow', 'acme/app', 'CHANGELOG.md', '--every', '1h')).not.toHaveProperty('undo')
  })

  test('that an import brings does not decide which file of this machine is sent or shown: it is paused', async () => {
    const secret = box.at('secret')
    writeFileSync(secret, 'a-token')
    const lib = 'https://git.example.org/acme/lib'
    const options = [
      '--file',
      'docs/my news.md',
      '--tags',
      '--prune',
      '--every',
      '1h',
      '--token-file',
      secret,
    ]
    const exported = async (address: string, ...more: string[]) => {
      await box.json('follow', 'acme/lib', address, UNSEEN, ...options, ...more)
      await box.json('export', '--all', '--output', 'everything.jsonl')
    }
    await exported(lib, '--create')
    await using other = new Sandbox()
    const sources = () => other.json<Record<string, unknown>[]>('follow', 'list')
    const imported = () => other.json('import', '--all', box.at('everything.jsonl'))
    const { warnings } = await imported()
    expect(await sources()).toMatchObject([
      { product: 'acme/app', url: file, paused: true },
      { product: 'acme/lib', url: lib, paused: true, tokenFile: null },
    ])
    const follow = `changelogd follow acme/lib ${lib} --file 'docs/my news.md' --tags --every 1h --prune --token-file ${secret}`
    expect(warnings).toMatchObject([
      { message: expect.stringContaining('changelogd follow resume acme/app') },
      { message: expect.stringContaining(follow) },
    ])
    expect(await imported()).toMatchObject({ records: 0 })

    // An export of one product has no source, but a file could.
    const [source] =
      readFileSync(box.at('everything.jsonl'), 'utf8').match(/"source":\{[^}]*git\.example[^}]*\}/) ?? []
    const { stdout } = await box.words('export acme/lib --format json')
    writeFileSync(box.at('lib.json'), stdout.replace('"changelog":', `${source},"changelog":`))
    await other.json('import', 'other/lib', box.at('lib.json'), '--create')
    expect((await sources()).at(-1)).toMatchObject({ product: 'other/lib', paused: true, tokenFile: null })

    // What somebody has confirmed here stays, but not for another address.
    await other.json('follow', 'resume', 'acme/app')
    await other.json('follow', 'acme/lib', lib, UNSEEN, ...options)
    expect(await imported()).toMatchObject({ records: 0 })
    await exported(lib, '--ref', 'main')
    expect(await imported()).toMatchObject({ records: 1 })
    expect((await sources())[1]).toMatchObject({ ref: 'main', paused: false, tokenFile: secret })
    await exported('https://elsewhere.example.org/acme/lib')
    await imported()
    expect((await sources())[1]).toMatchObject({ paused: true, tokenFile: null })
  })

  test('is set by apply, kept if the file does not name it, ended with none, and undo follows again what was', async () => {
    const apply = (app: string, lib = '') => {
      const products = `      app: {${app}}\n      lib: {name: Lib, ${lib}}\n`
      writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    products:\n${products}`)
      return box.json<{ steps: object[]; undo?: string }>('apply', 'file.yml')
    }
    await apply('')
    const wanted = `follow: { url: ${url}, tags: true, every: 1h, hostKind: github }`
    expect((await apply(wanted)).steps).toMatchObject([{ action: 'update', record: 'source' }])
    for (const same of [wanted, '']) expect((await apply(same)).steps).toEqual([])
    expect(await shown()).toMatchObject({ url, kind: 'tags', everySeconds: 3_600, hostKind: 'github' })

    const there = 'follow: {url: https://example.org/CHANGELOG.md}'
    expect(await apply(wanted, there)).not.toHaveProperty('undo')
    const before = await followed()
    expect(await apply(wanted, there.replace('}', ', every: 1h}'))).not.toHaveProperty('undo')
    await apply(wanted, there)
    const { steps, undo } = await apply(there, 'follow: {url: none}')
    expect(undo).toBeString()
    expect(steps).toContainEqual(expect.objectContaining({ action: 'delete', record: 'source' }))
    expect(await followed()).toHaveLength(1)
    await box.json('undo', '--last')
    expect(await followed()).toEqual(before)
  })
})
