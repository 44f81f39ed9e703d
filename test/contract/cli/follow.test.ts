import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox, sandboxForEach } from '../../support/sandbox.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'

/** What is asked and written. What the commands print is in `transcripts/following.txt`. */

const CHANGELOG = [3, 2, 1].map((number) => `## ${number}.0.0 - 2026-01-0${number}\n\n- Number ${number}\n`)

/** As one line, however it was wrapped. */
const words = (text: string) => text.replace(/\s+/g, ' ')

/** For each test, a product that follows a file with three versions, which nobody has read yet. */
function followingForEach() {
  const box = sandboxForEach(async (fresh) => {
    writeFileSync(fresh.at('CHANGELOG.md'), CHANGELOG.join('\n'))
    await fresh.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    await fresh.json('follow', 'acme/app', 'CHANGELOG.md', '--create', '--publish')
  })
  const synced = async (...more: string[]) => {
    const [outcome] = await box.json<Record<string, unknown>[]>('sync', 'acme/app', ...more)
    return outcome
  }
  return { box, synced }
}

describe('following', () => {
  const { box, synced } = followingForEach()

  test('a team, a source and a sync are all that a public changelog needs, and an idle sync writes nothing', async () => {
    const empty = await box.state()
    expect(await synced('--dry-run')).toMatchObject({
      ...{ state: 'imported', dryRun: true, added: 3, versions: expect.any(Array) },
    })
    expect(await box.state()).toEqual(empty)
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({ checkedAt: null })
    expect(await synced()).toMatchObject({ state: 'imported', added: 3 })
    const { stdout } = await box.run(['get', '/api/v1/public/teams/acme/products/app/changelog'])
    expect(JSON.parse(stdout).data.versions).toMatchObject([
      { version: '3.0.0' },
      { version: '2.0.0' },
      { version: '1.0.0' },
    ])
    const filled = await box.state()
    const idle = { state: 'unchanged', added: 0, updated: 0, unchanged: 3 }
    expect(await synced()).toMatchObject({ ...idle, dryRun: false })
    expect(await synced('--dry-run')).toMatchObject({ ...idle, dryRun: true })
    expect(await box.state()).toEqual(filled)
    // A time as every list has it.
    for (const command of ['follow list', 'follow show acme/app'])
      expect(
        (await box.words(command)).stdout.match(/\d{4}-\d\d-\d\d \d\d:\d\d UTC \(just now\)/g),
      ).toHaveLength(2)
  })

  test('export --all carries what is followed to another database', async () => {
    const url = 'https://github.com/acme/app'
    await box.json('follow', 'acme/app', url, '--file', 'NEWS.md', '--every', '1h', '--no-check')
    await box.json('export', '--all', '--output', 'everything.jsonl')
    await using other = await Sandbox.on('PostgreSQL')
    await other.json('import', '--all', box.at('everything.jsonl'))
    expect(await other.json('follow', 'list')).toEqual(await box.json('follow', 'list'))
    expect(await other.json('import', '--all', box.at('everything.jsonl'))).toMatchObject({ records: 0 })
  })
})

/** A GitHub on this machine with a release, and its address. */
function startHost() {
  const host = new PlayedHost('github')
  host.releases = [{ tag: 'v9.0', body: '- Ninth' }]
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
  return { host, name: `127.0.0.1:${server.port}`, [Symbol.dispose]: () => server.stop(true) }
}

describe('a host', () => {
  const { box, synced } = followingForEach()
  const OPTIONS = ['--host-kind', 'github', '--follow-private']

  test('that wants a pause is not asked, and sync says until when, and that is no failure', async () => {
    using started = startHost()
    const { host, name } = started
    const follow = (product: string, ...more: string[]) =>
      box.json('follow', product, `http://${name}/acme/app`, ...OPTIONS, '--no-check', ...more)
    await follow('acme/app')
    await follow('acme/lib', '--create')
    const reset = Math.round(Date.now() / 1_000) + 3_600
    host.quota = { limit: 60, left: 0, reset }
    const until = new Date(reset * 1_000).toISOString()
    expect(await synced('--follow-private')).toMatchObject({ state: 'postponed' })
    expect(host.taken()).toHaveLength(1)
    const { status, stdout, stderr } = await box.run(['sync', '--follow-private'])
    expect([status, stderr]).toEqual([0, ''])
    const moment = `${until.slice(0, 16).replace('T', ' ')} UTC (in 1 hour)`
    for (const product of ['acme/app', 'acme/lib'])
      expect(words(stdout)).toContain(
        `${product} is waiting until ${moment}: The rate limit of ${name} is reached`,
      )
    expect(await synced('--follow-private')).toMatchObject({ state: 'postponed', until })
    expect(host.taken()).toEqual([])

    // A token has a quota of its own.
    writeFileSync(box.at('token'), 'a-token')
    await follow('acme/app', '--token-file', 'token')
    host.quota = null
    expect(await synced('--follow-private')).toMatchObject({ state: 'imported', added: 1 })
  })

  test('that fails and then wants a pause is shown by follow list as by sync, with both reasons', async () => {
    using started = startHost()
    const { host, name } = started
    await box.json('follow', 'acme/app', `http://${name}/acme/app`, ...OPTIONS, '--no-check')
    const sync = async () => words((await box.run(['sync', '--follow-private'])).stdout)
    const listed = async () => words((await box.run(['follow', 'list'])).stdout)
    host.fault = () => new Response('', { status: 500 })
    expect(await sync()).toContain('returned status 500')
    expect(await listed()).toMatch(
      / failing acme\/app has been failing since [^:]+:\d\d UTC [^:]+: .*status 500/,
    )
    host.fault = () => new Response('', { status: 429, headers: { 'retry-after': '3600' } })
    const waiting = `The rate limit of ${name} is reached.`
    expect(await sync()).toMatch(/^acme\/app is waiting until /)
    const said = await listed()
    expect(said).toMatch(/ waiting acme\/app is waiting until /)
    expect(said).toContain(waiting)
    expect(said).toMatch(/acme\/app has been failing since .*status 500/)
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject({
      waiting: { reason: waiting, until: expect.any(String) },
      failing: { reason: expect.stringContaining('status 500'), checks: 1 },
    })
  })

  test('is asked before an address is saved: only a clear no is refused, and with --no-check nobody is asked', async () => {
    using started = startHost()
    const { host, name } = started
    const follow = async (repository: string, ...more: string[]) => {
      const url = `http://${name}/acme/${repository}`
      const { status, stderr } = await box.run(['follow', 'acme/app', url, ...OPTIONS, ...more])
      return [status, words(stderr)]
    }
    const before = await box.json('follow', 'show', 'acme/app')
    expect(await follow('missing')).toEqual([1, expect.stringContaining('has no repository acme/missing,')])
    writeFileSync(box.at('token'), 'wrong')
    host.token = 'right'
    const wrong = [1, expect.stringContaining('rejected the token.')]
    expect(await follow('app', '--token-file', 'token')).toEqual(wrong)
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
    host.taken()
    expect((await follow('missing', '--no-check'))[0]).toBe(0)
    expect(host.taken()).toEqual([])
    host.token = null
    for (const [status, why] of [
      [500, 'returned status 500'],
      [429, `The rate limit of ${name} is reached.`],
    ] as const) {
      host.fault = () => new Response('', { status })
      expect(await follow('app')).toEqual([0, expect.stringContaining(why)])
    }
    host.fault = null
    const [status, said] = await follow('app')
    expect([status, said]).toEqual([0, expect.not.stringContaining('could not be read')])
    const [, command = ''] = /To import now: (.*?) To /.exec(`${said}`) ?? []
    expect((await box.paste(command)).stdout).toContain('1 added')
  })
})
