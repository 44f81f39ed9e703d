import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { snapshotsOf } from '../../../src/announce/content.ts'
import { observe } from '../../../src/announce/observe.ts'
import type { PrintedFinding } from '../../../src/domain/finding.ts'
import { DAY_MS } from '../../../src/domain/time/time.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'
import { findTeam } from '../../../src/transfer/find.ts'
import { nextCheck, retryAt } from '../../../src/worker/following/sync-source.ts'
import type { Sandbox } from '../../support/sandbox.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'
import { sourceOf } from '../../support/source.ts'
import { until } from '../../support/until.ts'
import { changelog, EVERY, START, signal, Worked } from '../../support/worked.ts'

const sourceFaults = async (box: Sandbox): Promise<PrintedFinding[]> => {
  const { stdout } = await box.run(['doctor', '--json'])
  const { findings } = JSON.parse(stdout) as { findings: PrintedFinding[] }
  return findings.filter(({ check, state }) => check === 'sources' && state !== 'ok')
}

describe('a worker', () => {
  let worked: Worked
  beforeEach(async () => {
    worked = await Worked.start()
  })
  afterEach(() => worked.close())

  test('checks a new source at once, and each again when it is due and not before', async () => {
    await worked.follow('a', '1.0.0')
    expect((await worked.round()).checked).toEqual(['acme/a imported'])
    await worked.follow('b', '1.0.0')
    expect((await worked.round(START + 10_000)).checked).toEqual(['acme/b imported'])
    expect((await worked.round(START + EVERY / 2 - 1)).checked).toEqual([])
    const before = await worked.box.state()
    expect((await worked.round(START + 2 * EVERY)).checked).toEqual(['acme/a unchanged', 'acme/b unchanged'])
    expect(await worked.box.state()).toEqual(before)
  })

  test('what it reads anew by other rules than the last program is no news, but a new release is', async () => {
    const { box } = worked
    const file = (first: string, ...more: string[]) =>
      writeFileSync(box.at('a.md'), [...more, `## [1.0.0] - 2026-01-02\n\n- ${first}\n`].join('\n'))
    await box.json('team', 'update', 'acme', '--visibility', 'public')
    file('First')
    await box.json('follow', 'acme/a', 'a.md', '--create', '--publish')
    await worked.round()
    using store = await open(box.database, 'write', createWaiting())
    await store.transaction(async (records) =>
      records.hooks.create(
        await findTeam(records, 'acme'),
        { kind: 'webhook', product: null, url: 'https://a.test/' },
        START,
      ),
    )
    using db = new Database(`${box.database}-worker`)
    const told = async () => {
      for (const ms of [0, DAY_MS / 24])
        await observe(
          snapshotsOf(() => open(box.database, 'read', createWaiting())),
          worked.bookkeeping,
          worked.now + ms,
        )
      return db.query('SELECT type, label FROM worker_delivery ORDER BY label').values()
    }
    expect(await told()).toEqual([])

    db.run(`UPDATE worker_source_check SET memory = json_set(memory, '$.reader', '0.3.0')`)
    const older = '## [0.9.0] - 2025-12-01\n\n- Older\n'
    const next = '## [1.1.0] - 2026-11-16\n\n- Next\n'
    file('First, read anew', next, older)
    expect((await worked.round(START + 2 * EVERY)).checked).toEqual(['acme/a imported'])
    expect(await told()).toEqual([['version.published', '1.1.0']])

    file('First, edited', next, older.replace('Older', 'Edited too'))
    await worked.round(START + DAY_MS)
    expect(await told()).toEqual([
      ['version.updated', '0.9.0'],
      ['version.updated', '1.0.0'],
      ['version.published', '1.1.0'],
    ])
  })

  test('looks for new sources every ten seconds, and checks everything when it is told to hurry', async () => {
    await worked.follow('a', '1.0.0')
    await worked.round()
    expect((await worked.round(START + 5)).next).toBe(START + 10_005)
    worked.job.hurry()
    expect((await worked.round(START + 6)).checked).toEqual(['acme/a unchanged'])
    expect((await worked.round(START + 7)).checked).toEqual([])
  })

  test('leaves a paused source alone, and forgets one that is gone', async () => {
    await worked.follow('a', '1.0.0')
    await worked.follow('b', '1.0.0')
    await worked.round()
    const { id } = await worked.box.json('follow', 'show', 'acme/a')
    const mirrors = worked.box.at('mirrors')
    for (const name of [id, 'src_gone']) mkdirSync(join(mirrors, `${name}.git`), { recursive: true })
    await worked.box.json('follow', 'pause', 'acme/a')
    await worked.box.json('follow', 'remove', 'acme/b')
    expect((await worked.round(START + 2 * EVERY)).checked).toEqual([])
    expect((await worked.bookkeeping.sourceChecks.all()).size).toBe(1)
    expect(readdirSync(mirrors)).toEqual([`${id}.git`])
  })

  test('asks a failing source less and less often, up to once a day, and as usual once it works', async () => {
    await worked.follow('a', '1.0.0')
    await worked.round()
    const [source] = await worked.box.json<{ id: string }[]>('follow', 'list')
    const state = async () => worked.bookkeeping.sourceChecks.find(source?.id ?? '')
    rmSync(worked.box.at('a.md'))
    const delays: number[] = []
    for (let at = START + 2 * EVERY, count = 0; count < 9; count++) {
      expect((await worked.round(at)).checked).toEqual(['acme/a failed'])
      const check = await state()
      expect(check?.failure).toMatchObject({ since: START + 2 * EVERY, count: count + 1 })
      delays.push((check?.nextAt ?? 0) - at)
      at = check?.nextAt ?? 0
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 96, 96].map((times) => times * EVERY))
    writeFileSync(worked.box.at('a.md'), changelog('1.1.0', '1.0.0'))
    const { nextAt = 0 } = (await state()) ?? {}
    expect((await worked.round(nextAt)).checked).toEqual(['acme/a imported'])
    expect(await state()).toMatchObject({ failure: null, changedAt: nextAt })
    expect(((await state())?.nextAt ?? 0) - nextAt).toBeLessThanOrEqual(1.5 * EVERY)
  })

  test('notes a source at which this program fails like any that fails, and goes on with the others', async () => {
    await worked.follow('a', '1.0.0')
    await worked.follow('b', '1.0.0')
    // As no command writes it: every way of reading it throws.
    using database = new Database(worked.box.database)
    database.run(`UPDATE source SET url = 'http://[' WHERE url LIKE '%/a.md'`)
    const { checked, next } = await worked.round(Date.now())
    expect(checked).toEqual(['acme/a failed', 'acme/b imported'])
    expect(next - worked.now).toBeGreaterThanOrEqual(10_000)
    expect((await worked.round(worked.now + 60_000)).checked).toEqual([])
    expect((await worked.round(worked.now + EVERY)).checked).toContain('acme/a failed')
    await worked.job.round(worked.now, signal)
    const reason = expect.stringContaining('The source cannot be handled: ')
    const remedy = expect.stringContaining('bug')
    expect(await worked.box.json('follow', 'show', 'acme/a')).toMatchObject({
      failing: { checks: 2, reason, remedy },
    })
    expect((await worked.box.words('status')).stdout).toContain('acme/a has been failing since')
    expect(worked.job.stats.sources).toMatchObject({ ok: 1, failing: 1 })
  })

  test('waits for a host that wants a pause, and shows until when; that is no failure', async () => {
    using followed = await worked.followHost()
    const { host } = followed
    const begin = Date.now() - DAY_MS / 2
    const reset = Math.round(Date.now() / 1_000) + 3_600
    host.quota = { limit: 60, left: 0, reset }
    expect((await worked.round(begin)).checked).toEqual(['acme/app postponed'])
    const [shown] = await worked.box.json<Record<string, unknown>[]>('follow', 'list')
    expect(shown).toMatchObject({
      failing: null,
      waiting: {
        since: new Date(begin).toISOString(),
        until: new Date(reset * 1_000).toISOString(),
        remedy: expect.stringContaining('token'),
      },
    })
    const until = new Date(reset * 1_000).toISOString().slice(0, 16).replace('T', ' ')
    for (const command of [['follow', 'list'], ['follow', 'show', 'acme/app'], ['status']]) {
      const { stdout } = await worked.box.run(command)
      expect(stdout).toContain(
        `acme/app is waiting until ${until} UTC (in 1 hour): The rate limit of 127.0.0.1:`,
      )
      expect(stdout).not.toContain('failing')
    }
    expect(await sourceFaults(worked.box)).toEqual([])
    expect(worked.job.stats.sources).toMatchObject({ failing: 0, waiting: 1 })
    expect(worked.notices).toEqual([
      expect.stringMatching(/^source_waiting acme\/app is waiting until \S+Z: The rate limit of 127/),
    ])

    // It still waits, or fails meanwhile: then a pause does not hide that.
    host.quota = null
    host.fault = () => new Response('', { status: 500 })
    expect((await worked.round(reset * 1_000)).checked).toEqual(['acme/app failed'])
    host.fault = null
    host.quota = { limit: 60, left: 0, reset: reset + 7_200 }
    expect((await worked.round(reset * 1_000 + EVERY)).checked).toEqual(['acme/app postponed'])
    expect(await worked.box.json('follow', 'show', 'acme/app')).toMatchObject({
      failing: { checks: 1, reason: expect.stringContaining('500') },
      waiting: { reason: expect.stringContaining('rate limit') },
    })
    host.quota = { limit: 60, left: 60, reset: reset + 10_800 }
    expect((await worked.round((reset + 7_200) * 1_000)).checked).toEqual(['acme/app imported'])
    expect(await worked.box.json('follow', 'show', 'acme/app')).toMatchObject({
      failing: null,
      waiting: null,
    })
    expect(worked.notices.map((each) => each.split(' ')[0])).toEqual([
      'source_waiting',
      'source_failed',
      'source_back',
      'source_imported',
    ])
  })

  test('checks other sources, new ones too, while every source of several hosts gets no answer', async () => {
    const answer = Promise.withResolvers<void>()
    let asked = 0
    const host = new PlayedHost('github')
    host.releases = [{ tag: 'v1.0', body: '- First' }]
    const fetch = (request: Request) => {
      asked++
      return answer.promise.then(() => host.handler(request))
    }
    using servers = new DisposableStack()
    const slow: string[] = []
    for (let at = 0; at < 5; at++) {
      const served = { port: 0, hostname: '127.0.0.1', fetch, idleTimeout: 0, development: false } as const
      const { port } = servers.use(Bun.serve(served))
      const command = `follow acme/NAME http://127.0.0.1:${port}/acme/app --host-kind github --follow-private --create --no-check`
      for (let each = 0; each < 5; each++) {
        const name = `s${at}-${each}`
        slow.push(name)
        await worked.box.json(...command.replace('NAME', name).split(' '))
      }
    }
    await worked.begin(0)
    await worked.job.round(worked.now, signal)
    await worked.follow('a', '1.0.0')
    await worked.job.round(worked.now, signal)
    // Four of each host.
    await until(() => worked.checked.length > 0 && asked === 20)
    expect(worked.checked.splice(0)).toEqual(['acme/a imported'])
    answer.resolve()
    await worked.job.ended()
    expect(worked.checked.toSorted()).toEqual(slow.map((name) => `acme/${name} imported`))
  })

  test('goes on at once after its clock was a year ahead; until then follow list and doctor say so', async () => {
    using followed = await worked.followHost()
    const { host } = followed
    await worked.follow('a', '1.0.0')
    await worked.follow('gone', '1.0.0')
    rmSync(worked.box.at('gone.md'))
    const ahead = Date.now() + 365 * DAY_MS
    host.quota = { limit: 60, left: 0, reset: Math.round(ahead / 1_000) + 3_600 }
    const first = ['acme/a imported', 'acme/app postponed', 'acme/gone failed']
    expect((await worked.round(ahead)).checked).toEqual(first)
    const message = expect.stringMatching(/is due, but .* \(in 1 year\): the clock was wrong/)
    expect(await sourceFaults(worked.box)).toMatchObject([{ message }, { message }, { message }])
    const { stdout } = await worked.box.run(['follow', 'list'])
    expect(stdout.match(/needs a worker$/gm)).toHaveLength(3)
    expect(stdout).not.toContain('failing')

    host.quota = null
    const second = ['acme/a imported', 'acme/app imported', 'acme/gone failed']
    expect((await worked.round(Date.now())).checked).toEqual(second)
    expect((await worked.round(Date.now())).checked).toEqual([])
    expect(await sourceFaults(worked.box)).toEqual([])
    const states = (await worked.box.run(['follow', 'list'])).stdout
    expect(states.match(/(ok|failing)$/gm)).toEqual(['ok', 'ok', 'failing'])
  })

  test('that cannot read a source, or may not, for a day is named by doctor', async () => {
    using followed = await worked.followHost()
    const { host } = followed
    host.quota = { limit: 60, left: 0, reset: Math.round(Date.now() / 1_000) + 60 }
    await worked.follow('gone', '1.0.0')
    await worked.follow('well', '1.0.0')
    rmSync(worked.box.at('gone.md'))
    expect(await sourceFaults(worked.box)).toMatchObject([{ message: 'no source has been checked yet' }])
    const begin = Date.now() - DAY_MS
    await worked.round(begin + 60_000)
    expect(await sourceFaults(worked.box)).toEqual([])
    worked.job.hurry()
    await worked.begin()
    await worked.bookkeeping.sourceChecks.keepOnly([])
    await worked.round(begin - 60_000)
    await worked.round(Date.now())
    expect(await sourceFaults(worked.box)).toMatchObject([
      {
        state: 'warn',
        message: expect.stringMatching(
          /^acme\/app has been waiting since [-\d]+ [:\d]+ UTC \(1 day ago\): The rate/,
        ),
      },
      {
        state: 'warn',
        message: expect.stringMatching(
          /^acme\/gone has been failing since [-\d]+ [:\d]+ UTC \(1 day ago\): There/,
        ),
      },
    ])
  })

  test('that was not there when a pause or an interval ended leaves its sources due, and they are said to be', async () => {
    using followed = await worked.followHost()
    const { host } = followed
    await worked.follow('a', '1.0.0')
    host.quota = { limit: 60, left: 0, reset: Math.round(Date.now() / 1_000) - 3_600 }
    expect((await worked.round(Date.now() - DAY_MS / 2)).checked).toEqual([
      'acme/a imported',
      'acme/app postponed',
    ])
    const { stdout } = await worked.box.words('follow list')
    for (const name of ['acme/app', 'acme/a']) expect(stdout).toContain(`${name} has been due since `)
    expect(stdout).not.toContain('waiting')
    expect(await worked.box.json('follow', 'show', 'acme/app')).toMatchObject({ waiting: null })
  })

  test('tells once that a repository has moved, and doctor and follow list as long as it is followed there', async () => {
    using followed = await worked.followHost()
    const { host, origin } = followed
    host.moved = 301
    for (const times of [0, 2, 4]) await worked.round(START + times * EVERY)
    const reason = `The repository has moved to ${origin}/new/app.`
    const remedy = `To follow the new address: changelogd follow acme/app ${origin}/new/app --host-kind github`
    expect(worked.notices.filter((each) => each.startsWith('source_notice '))).toEqual([
      `source_notice acme/app: ${reason} ${remedy}`,
    ])
    expect((await worked.box.words('follow list')).stdout).toContain(`acme/app: ${reason} ${remedy}`)
    expect(await sourceFaults(worked.box)).toContainEqual(
      expect.objectContaining({ message: `acme/app: ${reason.slice(0, -1)}`, remedy }),
    )
  })

  test('checks everything again if what it remembered is lost, and changes nothing by that', async () => {
    await worked.follow('a', '1.0.0')
    await worked.round()
    const before = await worked.box.state()
    await worked.bookkeeping.sourceChecks.keepOnly([])
    await worked.begin()
    expect((await worked.round(START + 1)).checked).toEqual(['acme/a imported'])
    expect(await worked.box.state()).toEqual(before)
  })
})

describe('the next check', () => {
  test('of a thousand sources is spread over their interval', () => {
    const times = Array.from({ length: 1_000 }, () => nextCheck(sourceOf('/a', { every: EVERY }), START))
    const minutes = Map.groupBy(times, (at) => Math.floor((at - START) / 60_000))
    expect(Math.max(...[...minutes.values()].map(({ length }) => length))).toBeLessThan(150)
  })

  test('is at the same place of every interval, from half an interval on', () => {
    const source = sourceOf('/a', { id: 'src_1', every: EVERY })
    let at = START
    const first = nextCheck(source, at)
    for (let count = 0; count < 5; count++) {
      const next = nextCheck(source, at)
      expect((next - first) % EVERY).toBe(0)
      expect(next - at).toBeGreaterThanOrEqual(EVERY / 2)
      expect(next - at).toBeLessThan(1.5 * EVERY)
      at = next + 5_000
    }
  })

  test('after failures is put off twice as long each time, but never for more than a day', () => {
    const source = sourceOf('/a', { every: EVERY })
    expect(retryAt(source, 1, 0)).toBe(EVERY)
    expect(retryAt(source, 2, 0)).toBe(2 * EVERY)
    expect(retryAt(source, 2_000, 0)).toBe(DAY_MS)
  })
})
