import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { prepareCommands, WRITING } from '../../../support/commands/writing-commands.ts'
import { Engine } from '../../../support/postgres/engine.ts'
import { type LossyPassage, lossyProxyTo } from '../../../support/postgres/lost-commit.ts'
import { type Result, Sandbox } from '../../../support/sandbox.ts'
import { until } from '../../../support/until.ts'

/** Filled once, for all tests. */
let filled: Sandbox

beforeAll(async () => {
  filled = await Sandbox.on('PostgreSQL')
  await prepareCommands(filled.directory, (...args) => filled.json(...args))
})
afterAll(() => filled.close())

/** A filled database, reached by commands through a proxy. */
class Lossy {
  private constructor(
    readonly box: Sandbox,
    readonly proxy: LossyPassage,
  ) {}

  static async start(): Promise<Lossy> {
    const box = await Sandbox.on('PostgreSQL', { like: filled })
    return new Lossy(box, await lossyProxyTo(box.database))
  }

  run = (line: string): Promise<Result> =>
    this.box.run(line.split(' '), { DATABASE_URL: this.proxy.address, EDITOR: this.box.at('editor.sh') })

  /** Runs a command that must succeed. */
  must = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await this.box.run(args, { DATABASE_URL: this.proxy.address })
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout
  }

  everything = () => this.must('export', '--all')

  kept = async () => JSON.parse(await this.must('undo', '--json')) as unknown[];

  [Symbol.asyncDispose](): Promise<void> {
    this.proxy[Symbol.dispose]()
    return this.box.close()
  }
}

/** `bun run proof battery` tries all of them. */
const SOME = /^team delete|^key rotate/

describe('a command that loses its connection during COMMIT says what happened', () => {
  for (const { line, deletes } of WRITING.filter(({ line }) => SOME.test(line)))
    test(line, async () => {
      await using at = await Lossy.start()
      const [before, kept] = [await at.everything(), await at.kept()]

      const notSent = at.proxy.lose({ what: 'request', by: 'end' })
      const failed = await at.run(line)
      await notSent
      expect([failed.status, failed.stdout]).toEqual([1, ''])
      expect(failed.stderr).toContain('was lost before the change was committed. Nothing was changed.')
      expect(await at.everything()).toBe(before)
      expect(await at.kept()).toEqual(kept)

      const notAnswered = at.proxy.lose({ what: 'answer', by: 'end' })
      const done = await at.run(line)
      await notAnswered
      expect([done.status, done.stderr]).toEqual([0, expect.not.stringContaining('lost')])
      expect(await at.everything()).not.toBe(before)
      expect(await at.kept()).toHaveLength(kept.length + (deletes ? 1 : 0))
      if (line.startsWith('key')) expect(done.stdout).toMatch(/^clk_\w+\n$/)
    })

  test('migrate', async () => {
    await using box = await Sandbox.on('PostgreSQL', { isBare: true })
    using proxy = await lossyProxyTo(box.database)
    const env = { DATABASE_URL: proxy.address }
    void proxy.lose({ what: 'request', by: 'end' })
    const { status, stderr } = await box.run(['migrate'], env)
    expect([status, stderr]).toEqual([1, expect.stringContaining('Nothing was changed. Try again.')])
    expect(await box.isMissing()).toBe(true)
    const lost = proxy.lose({ what: 'answer', by: 'end' })
    const done = await box.run(['migrate'], env)
    await lost
    expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('Applied')])
  })
})

// Each of these waits for seconds, as a user would: they do so at the same time.
describe.concurrent('a command whose connection goes silent during COMMIT says what happened', () => {
  test.each([
    ['request', 1, 'Nothing was changed.'],
    ['answer', 0, 'To undo'],
  ] as const)('the %s', async (what, status, words) => {
    await using at = await Lossy.start()
    void at.proxy.lose({ what, by: 'silence' })
    const done = await at.run('team delete acme --yes')
    expect([done.status, done.stderr]).toEqual([status, expect.stringContaining(words)])
    const teams = await at.box.json<{ slug: string }[]>('team', 'list')
    expect(teams.some(({ slug }) => slug === 'acme')).toBe(status === 1)
    // What has not been committed does not block others until the network notices.
    await at.must('team', 'create', 'next', '--name', 'Next', '--wait', '0')
  })
})

describe('a command that cannot learn whether it was committed', () => {
  test('says so, and if it has deleted something, undo brings it back', async () => {
    await using at = await Lossy.start()
    const [before, kept] = [await at.everything(), await at.kept()]
    const lost = at.proxy.lose({ what: 'answer', by: 'end', isAway: true })
    const { status, stdout, stderr } = await at.run('team delete acme --yes --wait 1 --json')
    await lost
    const { error } = JSON.parse(stdout)
    expect([status, error.code]).toEqual([1, 'outcome_unknown'])
    expect(error.message).toContain('did not confirm the change within 1 s. It may be committed.')
    expect(stderr).toContain(`${error.message} ${error.hint}\n`)
    expect(stderr).not.toContain('Nothing was')
    await at.proxy.resume()
    expect(await at.kept()).toHaveLength(kept.length + 1)
    expect(await at.everything()).not.toBe(before)
    await at.must('undo', '--last')
    expect(await at.everything()).toBe(before)
  })

  test('shows the token, which works if it was', async () => {
    await using at = await Lossy.start()
    for (const [line, tokenIn] of [
      ['key create acme --label new', (stdout: string) => stdout.trim()],
      ['key rotate acme/one --json', (stdout: string) => JSON.parse(stdout).error.result.token as string],
    ] as const) {
      void at.proxy.lose({ what: 'answer', by: 'end', isAway: true })
      const { status, stdout, stderr } = await at.run(`${line} --wait 1`)
      expect([status, stderr]).toEqual([1, expect.stringContaining('If it was committed, the token works.')])
      await at.proxy.resume()
      const path = '/teams/acme/products/changelogd/changelog'
      expect((await at.box.seenByApi(path, tokenIn(stdout))).status).toBe(200)
    }
  })

  test('edit keeps the text, and does not say that nothing was saved', async () => {
    await using at = await Lossy.start()
    void at.proxy.lose({ what: 'answer', by: 'end', isAway: true })
    const { status, stderr } = await at.run('edit acme/app 0.2.0 --wait 1')
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/It may be committed\. Your text is in \S+\.md\./),
    ])
    expect(stderr).not.toContain('Nothing was saved')
  })
})

test('after a failover to a standby that lacks it, a transaction is lost, even if another one has its number', async () => {
  await using primary = await Engine.start()
  await using box = await Sandbox.on('SQLite')
  await box.run(['demo'], { DATABASE_URL: primary.address() })
  await using standby = await primary.standby()
  using proxy = await lossyProxyTo(primary.address())
  {
    await using sql = new SQL(standby.address(), { max: 1 })
    await sql.unsafe("alter system set primary_conninfo = ''")
    await sql.unsafe('select pg_reload_conf()')
    await until(async () => (await sql.unsafe('select from pg_stat_wal_receiver')).length === 0)
  }
  const lost = proxy.lose({ what: 'answer', by: 'end', isAway: true })
  const child = box.start(['team', 'delete', 'acme', '--yes'], { DATABASE_URL: proxy.address })
  const words = new Response(child.stderr).text()
  await lost
  /** Of the last transaction that has written. */
  let number: unknown
  {
    await using sql = new SQL(primary.address(), { max: 1 })
    ;[[number]] = await sql.unsafe('select raised_by::text from changelogd').values()
  }
  await primary.kill()
  await standby.promote()
  for (let count = 0; count < 3; count++)
    await box.run(['team', 'create', `t-${count}`, '--name', 'T'], { DATABASE_URL: standby.address() })
  {
    await using sql = new SQL(standby.address(), { max: 1 })
    expect(await sql.unsafe('select pg_xact_status($1::xid8)', [number]).values()).toEqual([['committed']])
  }
  proxy.lead(standby.port)
  await proxy.resume()
  expect([await child.exited, await words]).toEqual([1, expect.stringContaining('Nothing was changed.')])
  const { stdout } = await box.run(['team', 'list'], { DATABASE_URL: standby.address() })
  expect(stdout).toContain('acme')
})

test('a command that changes nothing writes nothing, and one that does removes what nobody looks for any more', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await box.json('demo')
  await using sql = new SQL(box.database, { max: 1 })
  const commands = async () => (await sql.unsafe('select from changelogd_command')).length
  const state = await box.state()
  const count = await commands()
  await box.run(['version', 'publish', 'acme/app', '0.1.0'])
  await box.json('demo')
  await box.json('migrate')
  expect([await box.state(), await commands()]).toEqual([state, count])
  await sql.unsafe("update changelogd_command set written_at = now() - interval '2 days'")
  await box.json('team', 'create', 'new', '--name', 'New')
  expect(await commands()).toBe(1)
})
