import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'
import { PlayedHost } from '../../../support/servers/played-host.ts'
import { ENGINES } from '../../../support/servers/server.ts'

const section = (label: string, text = `Number ${label}`) =>
  `## [${label}] - 2026-01-0${label[0]}\n\n### Added\n\n- ${text}\n\n`
const changelog = (...labels: string[]) => `# Changelog\n\n${labels.map((label) => section(label)).join('')}`
/** As one line, however it was wrapped. */
const words = (text: string) => text.replace(/\s+/g, ' ')
const SIX = ['6.0.0', '5.0.0', '4.0.0', '3.0.0', '2.0.0', '1.0.0']

/** Where nobody is asked beyond this machine. */
const UNSEEN = '--no-check'

/** A time as every list has it. */
const IN_LISTS = /\d{4}-\d\d-\d\d \d\d:\d\d UTC \(just now\)/g

describe.each(ENGINES)('following, on %s', (engine) => {
  let box: Sandbox
  let file: string

  const write = (text: string) => writeFileSync(file, text)
  const sync = (...more: string[]) => box.run(['sync', 'acme/app', ...more])
  const synced = async (...more: string[]) => {
    const [outcome] = await box.json<Record<string, unknown>[]>('sync', 'acme/app', ...more)
    return outcome
  }
  const labels = async () =>
    (await box.json<{ version: string }[]>('version', 'list', 'acme/app')).map(({ version }) => version)
  const shown = () => box.json<{ failing: Record<string, unknown> | null }>('follow', 'show', 'acme/app')

  beforeEach(async () => {
    box = await Sandbox.on(engine)
    file = box.at('CHANGELOG.md')
    write(changelog(...SIX))
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    await box.json('follow', 'acme/app', 'CHANGELOG.md', '--create', '--publish')
  })
  afterEach(() => box.close())

  test('a team, a source and a sync are all that a public changelog needs', async () => {
    expect(await synced()).toMatchObject({ state: 'imported', added: 6 })
    const { stdout } = await box.run(['get', '/api/v1/public/teams/acme/products/app/changelog'])
    const { data } = JSON.parse(stdout) as { data: { versions: { version: string }[] } }
    expect(data.versions.map(({ version }) => version)).toEqual(SIX)
  })

  test('nothing is written when nothing has changed, and a dry run writes nothing at all', async () => {
    const empty = await box.state()
    const planned = { state: 'imported', dryRun: true, added: 6, versions: expect.any(Array) }
    expect(await synced('--dry-run')).toMatchObject(planned)
    expect(await box.state()).toEqual(empty)
    await synced()
    const filled = await box.state()
    const idle = { state: 'unchanged', added: 0, updated: 0, unchanged: 6 }
    expect(await synced()).toMatchObject({ ...idle, dryRun: false })
    expect(await synced('--dry-run')).toMatchObject({ ...idle, dryRun: true })
    expect(await box.state()).toEqual(filled)
  })

  test('follow list and follow show say when it was checked, with the zone and how long ago', async () => {
    await synced()
    for (const command of ['follow list', 'follow show acme/app'])
      expect((await box.words(command)).stdout.match(IN_LISTS)).toHaveLength(2)
  })

  test('what was corrected by hand stays, and the rest follows', async () => {
    await synced()
    await box.json('version', 'update', 'acme/app', '6.0.0', '--title', 'By hand')
    const { stderr } = await box.run(['sync'])
    expect(words(stderr)).toContain('acme/app 6.0.0: kept what was changed by hand: title')
    write(changelog('7.0.0', ...SIX).replace('Number 5.0.0', 'Corrected there'))
    expect(await synced()).toMatchObject({ added: 1, updated: 1, unchanged: 5 })
    expect(await box.json('version', 'show', 'acme/app', '6.0.0')).toMatchObject({ title: 'By hand' })
    expect((await box.json('export', 'acme/app')) as unknown).toBeDefined()
    expect(await labels()).toEqual(['7.0.0', ...SIX])
  })

  test('what is deleted in the source stays here', async () => {
    await synced()
    write(changelog(...SIX.slice(1)))
    expect(await synced()).toMatchObject({ unchanged: 5, skipped: 1 })
    expect(await labels()).toEqual(SIX)
  })

  test.each([
    ['disappears', () => rmSync(file), 'There is no file'],
    ['is emptied', () => write(''), 'is empty'],
    [
      'turns into HTML',
      () => write('<!DOCTYPE html><html><body><h2>1.0.0 - 2026-01-01</h2>Sign in</body></html>'),
      '',
    ],
    [
      'shrinks by more than half',
      () => write(changelog('6.0.0', '5.0.0')),
      'The source had 6 versions at the last import, and has 2 now, so nothing was imported.',
    ],
    [
      'keeps its headings and loses its text',
      () => write(changelog(...SIX).replaceAll(/^- .*$/gm, '')),
      'The source had 72 characters of text at the last import, and has 0 now, so nothing was imported.',
    ],
    [
      'is cut to the first words of each change',
      () => write(changelog(...SIX).replaceAll(/^- .*$/gm, '- No')),
      'The source had 72 characters of text at the last import, and has 12 now, so nothing was imported.',
    ],
  ])('a source that %s changes nothing and is reported, until it is well again', async (_, spoil, why) => {
    await synced()
    const before = await box.state()
    spoil()
    const { status, stdout, stderr } = await sync()
    expect([status, stdout, stderr]).toEqual([1, expect.stringContaining(why), expect.any(String)])
    expect(await box.state()).toEqual(before)
    const { failing } = await shown()
    expect(failing).toMatchObject({ checks: 1, reason: expect.stringContaining(why) })
    for (const command of ['follow list', 'follow show acme/app', 'status', 'status acme/app'])
      expect((await box.words(command)).stdout).toContain('acme/app fails since ')
    write(changelog(...SIX))
    expect((await sync()).status).toBe(0)
    expect((await shown()).failing).toBeNull()
  })

  test('a source that shrank is taken with --accept, as the message says', async () => {
    await synced()
    write(changelog('6.0.0', '5.0.0'))
    expect((await sync()).stdout).toContain('changelogd sync acme/app --accept')
    expect(await synced('--accept')).toMatchObject({ unchanged: 2, skipped: 4 })
    expect(await synced()).toMatchObject({ unchanged: 2 })
    expect(await labels()).toEqual(SIX)
  })

  test('text that was lost is lost here too with --accept; and one version alone may get shorter', async () => {
    await synced()
    write(changelog(...SIX).replaceAll(/^- .*$/gm, '- No'))
    expect((await sync()).status).toBe(1)
    expect(await synced('--accept')).toMatchObject({ updated: 6 })
    expect(await synced()).toMatchObject({ unchanged: 6 })
    write(section('1.0.0'))
    await synced('--accept')
    write(section('1.0.0', 'No'))
    expect(await synced()).toMatchObject({ updated: 1 })
  })

  test('with --prune, what is gone from the source is deleted and kept for undo; if it is too much, it stays until --accept, and the rest is imported', async () => {
    await box.json('follow', 'acme/app', 'CHANGELOG.md', '--prune')
    await synced()
    write(changelog(...SIX.slice(1)))
    expect(await synced()).toMatchObject({ pruned: 1, undo: expect.stringContaining('changelogd undo') })
    expect(await labels()).toEqual(SIX.slice(1))
    write(changelog('7.0.0', ...SIX.slice(3)))
    const { status, stderr: note } = await sync()
    expect([status, words(note)]).toEqual([0, expect.stringContaining('lacks 2 of the versions here')])
    expect(await labels()).toEqual(['7.0.0', ...SIX.slice(1)])
    const { stdout: listed } = await box.words('follow list')
    expect(words(listed)).toContain(
      'so none of them was deleted. If that is right: changelogd sync acme/app --accept',
    )
    expect(await synced('--accept')).toMatchObject({ pruned: 2 })
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({ notices: [] })
    await box.json('undo', '--last')
    expect(await labels()).toEqual(['7.0.0', ...SIX.slice(1)])
    await box.json('version', 'create', 'acme/app', '9.0.0')
    const { stderr } = await sync('--accept')
    expect(words(stderr)).toContain(
      'acme/app: 1 draft not in the source stays. To delete one: changelogd version delete acme/app LABEL',
    )
    expect(stderr).not.toContain('--prune-drafts')
  })

  test('a source that a product no longer follows is brought back by undo, byte for byte', async () => {
    const before = await box.json('follow', 'show', 'acme/app')
    await box.json('follow', 'remove', 'acme/app')
    expect(await box.json<unknown[]>('follow', 'list')).toEqual([])
    expect((await box.words('follow show acme/app')).status).toBe(1)
    await box.json('undo', '--last')
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
    await box.json('product', 'delete', 'acme/app', '--yes')
    await box.json('undo', '--last')
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
  })

  test('a paused source is left alone, unless it is named', async () => {
    await box.json('follow', 'pause', 'acme/app')
    const { stdout, stderr } = await box.words('sync --json')
    expect([stdout, stderr]).toEqual([
      '[]\n',
      expect.stringMatching(/paused\..*: changelogd follow resume acme\/app\n$/),
    ])
    expect(await synced()).toMatchObject({ state: 'imported' })
    await box.json('follow', 'resume', 'acme/app')
    expect(await box.json<unknown[]>('sync')).toHaveLength(1)
  })

  test('export --all carries what is followed to another database, on either engine', async () => {
    const url = 'https://github.com/acme/app'
    await box.json('follow', 'acme/app', url, '--file', 'NEWS.md', '--every', '1h', UNSEEN)
    await box.json('export', '--all', '--output', 'everything.jsonl')
    await using other = await Sandbox.on(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite')
    await other.json('import', '--all', box.at('everything.jsonl'))
    expect(await other.json('follow', 'list')).toEqual(await box.json('follow', 'list'))
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 0 })
  })

  test('an import does not decide which file of this machine is sent where or shown: such a source is paused', async () => {
    const secret = box.at('secret')
    writeFileSync(secret, 'a-token')
    const url = 'https://git.example.org/acme/lib'
    const given = [
      UNSEEN,
      ...['--file', 'docs/my news.md', '--tags', '--prune', '--every', '1h'],
      '--token-file',
      secret,
    ]
    await box.json('follow', 'acme/lib', url, ...given, '--create')
    await box.json('export', '--all', '--output', 'everything.jsonl')
    await box.json('export', 'acme/lib', '--output', 'lib.json')
    await using other = await Sandbox.on(engine)
    const sources = () => other.json<Record<string, unknown>[]>('follow', 'list')
    const imported = await other.json('import', '--all', box.at('everything.jsonl'))
    expect(await sources()).toMatchObject([
      { product: 'acme/app', url: file, paused: true },
      { product: 'acme/lib', url, paused: true, tokenFile: null },
    ])
    const follow = `changelogd follow acme/lib ${url} --file 'docs/my news.md' --tags --every 1h --prune --token-file ${secret}`
    expect(imported.warnings).toMatchObject([
      { message: expect.stringContaining('changelogd follow resume acme/app') },
      { message: expect.stringContaining(follow) },
    ])
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 0 })

    // An export of one product has no source, but a file could.
    const [lib] =
      readFileSync(box.at('everything.jsonl'), 'utf8').match(/"source":\{[^}]*git\.example[^}]*\}/) ?? []
    const document = readFileSync(box.at('lib.json'), 'utf8').replace('"changelog":', `${lib},"changelog":`)
    writeFileSync(box.at('lib.json'), document)
    await other.json('import', 'other/lib', box.at('lib.json'), '--create')
    expect((await sources()).at(-1)).toMatchObject({ product: 'other/lib', paused: true, tokenFile: null })

    // What somebody has confirmed here stays.
    await other.json('follow', 'resume', 'acme/app')
    await other.json('follow', 'acme/lib', url, ...given)
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 0 })
    await box.json('follow', 'acme/lib', url, ...given, '--ref', 'main')
    await box.json('export', '--all', '--output', 'everything.jsonl')
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 1 })
    expect((await sources())[1]).toMatchObject({ ref: 'main', paused: false, tokenFile: secret })
    // But not for another address.
    await box.json('follow', 'acme/lib', 'https://elsewhere.example.org/acme/lib', ...given)
    await box.json('export', '--all', '--output', 'everything.jsonl')
    await other.json('import', '--all', box.at('everything.jsonl'))
    expect((await sources())[1]).toMatchObject({ paused: true, tokenFile: null })
  })

  test('apply sets what is followed, leaves alone what it does not name, and ends it with none', async () => {
    const apply = (follow: string) => {
      writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    products:\n      app: {${follow}}\n`)
      return box.json<{ steps: object[] }>('apply', 'file.yml')
    }
    const wanted = 'follow: { url: https://github.com/acme/app, tags: true, every: 1h, hostKind: github }'
    expect((await apply(wanted)).steps).toMatchObject([{ action: 'update', record: 'source' }])
    expect((await apply(wanted)).steps).toEqual([])
    expect((await apply('')).steps).toEqual([])
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({
      ...{ url: 'https://github.com/acme/app', kind: 'tags', everySeconds: 3_600, hostKind: 'github' },
    })
    expect((await apply('follow: { url: none }')).steps).toMatchObject([
      { action: 'delete', record: 'source' },
    ])
    await box.json('undo', '--last')
    expect(await box.json<unknown[]>('follow', 'list')).toHaveLength(1)
  })

  test('undo follows again what apply has replaced or ended, and apply keeps what stays the same', async () => {
    const apply = (app: string, lib: string) => {
      const products = `      app: {${app}}\n      lib: {name: Lib, ${lib}}\n`
      writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    products:\n${products}`)
      return box.json<{ undo?: string }>('apply', 'file.yml')
    }
    const [here, there] = ['follow: {url: CHANGELOG.md}', 'follow: {url: https://example.org/CHANGELOG.md}']
    const listed = () => box.json<unknown[]>('follow', 'list')
    expect(await apply('', there)).not.toHaveProperty('undo')
    const before = await listed()
    expect(await apply(here, there)).not.toHaveProperty('undo')
    expect(
      await apply(here, 'follow: {url: https://example.org/CHANGELOG.md, every: 1h}'),
    ).not.toHaveProperty('undo')
    await apply(here, there)
    expect(await apply(there, 'follow: {url: none}')).toHaveProperty('undo')
    expect(await listed()).toHaveLength(1)
    await box.json('undo', '--last')
    expect(await listed()).toEqual(before)
  })

  test('what was remembered of another address says nothing of this one', async () => {
    await synced()
    write(changelog('1.0.0'))
    writeFileSync(box.at('other.md'), changelog('1.0.0', '2.0.0'))
    await box.json('follow', 'acme/app', 'other.md')
    expect(await shown()).toMatchObject({ checkedAt: null })
    expect(await synced()).toMatchObject({ state: 'unchanged', unchanged: 2 })
  })

  test('several products may follow one file, and one product follows one source', async () => {
    await box.json('follow', 'acme/lib', 'CHANGELOG.md', '--create')
    const { stdout } = await box.run(['follow', 'acme/lib', 'https://example.org/CHANGELOG.md', UNSEEN])
    expect(stdout).toContain('follows https://example.org/CHANGELOG.md, and no longer ')
    expect(await box.json<unknown[]>('follow', 'list')).toHaveLength(2)
  })

  test('sync and follow list take a team', async () => {
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
  })

  test.each([
    [['--file', 'docs/NEWS.md', '--ref', 'main'], 'docs/NEWS.md at main'],
    [['--file', 'NEWS.md', '--tags'], 'NEWS.md, dates from tags'],
    [['--releases', '--tag-prefix', 'app@'], 'releases of app@…'],
    [['--tags'], 'tags'],
  ])('the reply, follow list and follow show say what is followed with %p', async (options, what) => {
    const url = 'https://github.com/acme/app'
    const reply = await box.run(['follow', 'acme/app', url, ...options, UNSEEN])
    expect(words(reply.stdout)).toContain(`acme/app follows ${what}, ${url}, and no longer ${file}. `)
    for (const command of ['follow list', 'follow show acme/app'])
      expect(words((await box.words(command)).stdout)).toContain(what)
  })

  test('sync asks no host that wants a pause, says until when, and that is no failure', async () => {
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
    const again = await box.run(['sync', '--follow-private'])
    expect([again.status, again.stderr]).toEqual([0, ''])
    for (const name of ['acme/app', 'acme/lib'])
      expect(words(again.stdout)).toContain(
        `${name} waits until ${until.slice(0, 16).replace('T', ' ')} UTC (in 1 hour): 127.0.0.1:${server.port} wants no more requests for now. A token`,
      )
    expect(await synced('--follow-private')).toMatchObject({ state: 'postponed', until })
    expect(host.taken()).toEqual([])

    // A token has a quota of its own.
    writeFileSync(box.at('token'), 'a-token')
    await follow('acme/app', '--token-file', 'token')
    host.quota = null
    expect(await synced('--follow-private')).toMatchObject({ state: 'imported', added: 1 })
  })

  test('undo follows again what another source has replaced, one after the other', async () => {
    const shown = () => box.json<{ url: string }>('follow', 'show', 'acme/app')
    const first = await shown()
    await box.json('follow', 'acme/app', 'https://example.org/CHANGELOG.md', UNSEEN)
    const second = await shown()
    const other = ['follow', 'acme/app', 'https://github.com/acme/app', UNSEEN]
    const { undo } = await box.json<{ undo: string }>(...other)
    expect(undo).toStartWith('changelogd undo ')
    await box.json('undo', '--last')
    expect(await shown()).toEqual(second)
    await box.json('undo', '--last')
    expect(await shown()).toEqual(first)
    expect((await box.run(['undo', '--last'])).status).toBe(1)
    // Other options are no other source.
    expect(await box.json('follow', 'acme/app', 'CHANGELOG.md', '--every', '1h')).not.toHaveProperty('undo')
  })

  test('follow on a paused source goes on with it, and says so', async () => {
    await box.json('follow', 'pause', 'acme/app')
    const { stdout } = await box.run(['follow', 'acme/app', 'CHANGELOG.md'])
    expect(words(stdout)).toContain('It was paused, and is followed again.')
    expect(await shown()).toMatchObject({ paused: false })
  })
})

describe('an address', () => {
  const box = new Sandbox()
  beforeEach(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
  })
  afterEach(() => box.close())

  test.each([
    'https://github.com/acme/app',
    'https://gitlab.example.org/group/sub/app',
    'git@example.org:acme/app.git',
    'ssh://git@example.org:2222/acme/app.git',
    'https://example.org/CHANGELOG.md?raw=true',
    'https://example.org/CHANGELOG.md?encoding=utf-8&design=new&at=refs%2Fheads%2Fmain',
    'ssh://[2001:db8::1]:22/acme/app.git',
  ])('can be %s', async (url) => {
    expect(await box.json('follow', 'acme/app', url, UNSEEN)).toMatchObject({ url })
  })

  test.each([
    [['acme/app'], { url: 'https://github.com/acme/app', kind: 'auto' }],
    [
      ['https://github.com/acme/app/releases/tag/v1.0'],
      { url: 'https://github.com/acme/app', kind: 'releases' },
    ],
    [
      ['https://github.com/acme/app/releases', '--tags'],
      { url: 'https://github.com/acme/app', kind: 'tags' },
    ],
    [
      ['https://github.com/acme/app/blob/main/docs/my%20news.md?plain=1#L3'],
      { url: 'https://github.com/acme/app', kind: 'file', ref: 'main', file: 'docs/my news.md' },
    ],
    [['https://github.com/acme/app/blob/main/100%.md'], { kind: 'file', file: '100%.md' }],
  ])('may be what a browser shows of GitHub: %p', async (args, expected) => {
    expect(await box.json('follow', 'acme/app', ...args, UNSEEN)).toMatchObject(expected)
  })

  test('is asked before it is saved: only a clear no is refused, and with --no-check nobody is asked', async () => {
    const host = new PlayedHost('github')
    host.releases = [{ tag: 'v9.0', body: '- Ninth' }]
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
    const origin = `http://127.0.0.1:${server.port}`
    const follow = (repository: string, ...more: string[]) => {
      const options = ['--host-kind', 'github', '--follow-private', ...more]
      return box.run(['follow', 'acme/app', `${origin}/acme/${repository}`, ...options])
    }
    const missing = await follow('missing')
    expect([missing.status, words(missing.stderr)]).toEqual([
      1,
      expect.stringContaining('shows no repository acme/missing.'),
    ])
    writeFileSync(box.at('token'), 'wrong')
    host.token = 'right'
    const wrong = await follow('app', '--token-file', 'token')
    expect([wrong.status, words(wrong.stderr)]).toEqual([
      1,
      expect.stringContaining('refused the token: expired or wrong.'),
    ])
    expect(await box.json<unknown[]>('follow', 'list')).toEqual([])
    host.taken()
    expect((await follow('missing', '--no-check')).status).toBe(0)
    expect(host.taken()).toEqual([])
    host.token = null
    for (const [fault, why] of [
      [() => new Response('', { status: 500 }), 'answered with status 500'],
      [() => new Response('', { status: 429 }), 'wants no more requests for now.'],
    ] as const) {
      host.fault = fault
      const { status, stderr } = await follow('app')
      expect([status, words(stderr)]).toEqual([0, expect.stringContaining(why)])
    }
    host.fault = null
    const { status, stderr } = await follow('app')
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('could not be read')])
    const [, command = ''] = /To import it now: (.*)/.exec(stderr) ?? []
    expect((await box.paste(command)).stdout).toContain('1 added')
  })

  test.each([
    'https://ada:hunter2@github.com/acme/app',
    'https://hunter2@github.com/acme/app',
    'https://example.org/CHANGELOG.md?private_token=hunter2',
    ...['X-Amz-Signature', 'X-Goog-Credential', 'jwt', 'pwd', 'code', 'sig', 'api_key', 'AWSAccessKeyId'].map(
      (name) => `https://example.org/CHANGELOG.md?a=1&${name}=hunter2`,
    ),
    'ssh://-oProxyCommand=hunter2/x',
    'ssh://-oProxyCommand=hunter2@example.org/x',
    'git@-ohunter2:x',
    'ssh://git:hunter2@example.org/acme/app.git',
    'https://example.org/a\u001b[31mhunter2',
  ])('with a secret or of another kind is refused and not repeated: %s', async (url) => {
    const { status, stdout, stderr } = await box.run(['follow', 'acme/app', url, '--json'])
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('--token-file')
    expect(stdout + stderr).not.toContain('hunter2')
  })

  test.each(['source', 'repository', 'hook'])(
    'of a %s with a secret in an export is not repeated',
    async (of) => {
      await box.json('follow', 'acme/app', 'https://source.example', UNSEEN)
      await box.json('product', 'update', 'acme/app', '--repository', 'https://repository.example/acme/app')
      const env = { PUBLIC_URL: 'https://news.acme.test' }
      await box.run(['hook', 'add', 'acme', 'https://hook.example'], env)
      await box.json('export', '--all', '--output', 'all.jsonl')
      const good = readFileSync(box.at('all.jsonl'), 'utf8')
      const bad = good.replace(`https://${of}.example`, `https://ada:hunter2@${of}.example`)
      expect(bad).not.toBe(good)
      writeFileSync(box.at('all.jsonl'), bad)
      const { status, stdout, stderr } = await box.run(['import', '--all', 'all.jsonl', '--json'])
      expect([status, stdout + stderr]).toEqual([
        1,
        expect.stringMatching(/all\.jsonl: line \d: .* must be /),
      ])
      expect(stdout + stderr).not.toContain('hunter2')
    },
  )

  test.each([
    [['./missing.md'], 1, 'There is no file'],
    [['https://example.org/x', '--every', '10s'], 2, 'from 1m to 30d'],
    [['https://example.org/x', '--releases', '--file', 'a.md'], 2, '--releases does not take --file'],
    [['https://example.org/x', '--file', '../etc/passwd'], 1, 'is not a path in a repository'],
    [['https://example.org/x', '--ref', '--upload-pack=x'], 1, 'begin with a hyphen'],
    [[], 2, "Missing required argument 'url'"],
    [['https://example.org/x', '--token-file', 'nope.txt'], 1, 'nope.txt does not exist'],
    [['https://example.org/x', '--token-file', '.'], 1, 'is not a file'],
    [['http://127.0.0.1:3000/acme/app'], 1, 'FOLLOW_PRIVATE=true'],
    [['https://localhost/acme/app'], 1, 'FOLLOW_PRIVATE=true'],
    [['http://example.org/CHANGELOG.md'], 1, 'begins with https://'],
    [['https://example.org/CHANGELOG.md', '--releases'], 1, 'has a file at this address, and no repository'],
    [['https://example.org/acme/app.git', '--releases'], 1, 'A git remote has no releases'],
    [['git@example.org:acme/app.git', '--releases'], 1, 'A git remote has no releases'],
    [['https://github.com/acme'], 1, 'is not the address of a repository'],
    [['.'], 1, 'is a directory, and no git repository'],
    [['plain.md', '--tags'], 1, 'is a file, and no repository'],
    [['ftp://example.org/hunter2'], 1, 'begins with ftp:// cannot be followed'],
    [['github.com/acme/app'], 1, 'write https://github.com/acme/app'],
  ])('%p is refused, and what was followed before still is', async (args, status, why) => {
    writeFileSync(box.at('plain.md'), changelog('1.0.0'))
    const before = await box.json('follow', 'acme/app', 'plain.md')
    const refused = await box.run(['follow', 'acme/app', ...args, UNSEEN])
    expect([refused.status, words(refused.stderr)]).toEqual([status, expect.stringContaining(why)])
    expect(refused.stderr).not.toContain('hunter2')
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
  })

  test.each([
    ['url: https://example.org/x, tokenFile: nope.txt', 'nope.txt does not exist'],
    ['url: http://127.0.0.1:3000/acme/app', 'FOLLOW_PRIVATE=true'],
    [
      'url: https://example.org/CHANGELOG.md, releases: true',
      'has a file at this address, and no repository',
    ],
    ['url: .', 'is a directory, and no git repository'],
  ])('%s in a file of apply is refused as by follow, with its place', async (follow, why) => {
    writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    products:\n      app: {follow: {${follow}}}\n`)
    const { status, stderr } = await box.run(['apply', 'file.yml'])
    expect([status, words(stderr)]).toEqual([1, expect.stringContaining('file.yml:4:7: ')])
    expect(words(stderr)).toContain(why)
    expect(await box.json<unknown[]>('follow', 'list')).toEqual([])
  })

  test('may be private, and plain http, with FOLLOW_PRIVATE', async () => {
    const url = 'http://10.0.0.1/acme/app'
    expect((await box.run(['follow', 'acme/app', url, UNSEEN], { FOLLOW_PRIVATE: 'true' })).status).toBe(0)
    expect(await box.json('follow', 'acme/app', url, '--follow-private', UNSEEN)).toMatchObject({ url })
    expect((await box.run(['follow', 'acme/app', 'http://8.8.8.8/x', '--follow-private'])).status).toBe(1)
  })
})
