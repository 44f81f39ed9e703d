import { beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { Unavailable } from '../../../../src/domain/refusal.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { DEADLINE_MS } from '../../../../src/store/postgres/connect.ts'
import { openForServing } from '../../../../src/store/postgres/serve.ts'
import { CONFIRMED_MS, type Store } from '../../../../src/store/store.ts'
import { blockingDatabase } from '../../../support/postgres/blocking.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { type Passage, proxyTo } from '../../../support/postgres/proxy.ts'
import { seederOn } from '../../../support/seed.ts'
import { holdTimers } from '../../../support/timers.ts'
import { until } from '../../../support/until.ts'

/** How long the watch waits for the answer to a question. */
const QUESTION_MS = 500
const ALL = { limit: null, after: null, since: null, withChanges: false }

beforeAll(async () => {
  await postgres()
})

/** A store over a new database, which it reaches by a proxy; and what writes to that database directly. */
async function openStore(clock = Date.now) {
  await using undo = new AsyncDisposableStack()
  const cluster = await postgres()
  const database = await cluster.create()
  undo.defer(() => cluster.drop(database))
  const proxy = undo.use(await proxyTo(database))
  const seed = seederOn(undo.use(blockingDatabase(database)))
  const team = seed.team('acme')
  const { changelogId } = seed.product(team, 'app')
  const reported: unknown[] = []
  const store = await openForServing(proxy.address, {
    waiting: createWaiting(),
    report: (event) => reported.push(event),
    clock,
  })
  undo.defer(() => store.close())
  const kept = undo.move()
  return {
    database,
    proxy,
    seed,
    changelogId,
    store,
    reported,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const labels = async (store: Store): Promise<string[] | undefined> =>
  (await store.readChangelog('public', 'acme', 'app', ALL)).value?.versions.map(({ label }) => label)

const isAway = (store: Store): Promise<boolean> =>
  Promise.try(store.ping).then(
    () => false,
    (error) => error instanceof Unavailable,
  )

test('the revision changes with every commit, and a read is stamped with that of what it saw', async () => {
  using _ = holdTimers(DEADLINE_MS, QUESTION_MS)
  await using opened = await openStore()
  const { store, seed, changelogId } = opened
  for (const label of ['1', '2', '3']) {
    const before = store.revision()
    seed.version(changelogId, label)
    const { value, revision } = await store.readChangelog('public', 'acme', 'app', ALL)
    expect(value?.versions).toHaveLength(Number(label))
    expect(revision).not.toBe(before)
    expect(store.revision()).toBe(revision)
    await until(() => store.revision() === revision)
  }
})

test('a commit is noticed without a read, and a transaction that writes much is one change', async () => {
  await using opened = await openStore()
  const { database, store, seed } = opened
  await using writer = new SQL(database, { max: 1 })
  const before = store.revision()
  const revisions = await writer.begin(async (transaction) => {
    const seen = new Set<number>()
    for (const slug of ['a', 'b', 'c']) {
      await transaction`insert into team values (${slug}, ${slug}, ${slug}, 'public', 'free', 0)`
      const [[revision]] = await transaction`select revision from changelogd`.values()
      seen.add(Number(revision))
    }
    return seen
  })
  await until(() => store.revision() !== before)
  expect([...revisions]).toEqual([store.revision()])
  seed.team('later')
  await until(() => store.revision() !== [...revisions][0])
})

test('what is rolled back changes no revision', async () => {
  using _ = holdTimers(DEADLINE_MS, QUESTION_MS)
  await using opened = await openStore()
  const { store, seed } = opened
  const before = store.revision()
  seed.db.run('BEGIN')
  seed.team('never')
  seed.db.run('ROLLBACK')
  expect((await store.findGrant('none', 0)).revision).toBe(before)
})

describe.each([
  ['is killed', (proxy: Passage) => proxy.cut()],
  ['does not answer', async (proxy: Passage) => proxy.stall()],
])('while the engine %s', (_, leave) => {
  test('reads fail, the revision is unconfirmed, and both recover by themselves', async () => {
    await using opened = await openStore()
    const { store, seed, changelogId, proxy, reported } = opened
    expect(await labels(store)).toEqual([])
    const before = store.revision()
    await leave(proxy)
    await until(() => reported.length > 0)
    // Once it is known to be away, no read waits for it.
    expect(await isAway(store)).toBe(true)
    seed.version(changelogId, '1')
    expect(store.revision()).toBe(before)
    const unconfirmed = store.unconfirmedFor()
    await until(() => store.unconfirmedFor() > unconfirmed)
    expect(reported).toEqual([expect.any(Unavailable)])

    await proxy.resume()
    await until(() => store.unconfirmedFor() < unconfirmed)
    expect(store.revision()).not.toBe(before)
    await until(async () => !(await isAway(store)))
    expect(await labels(store)).toEqual(['1'])
    expect(reported).toHaveLength(2)
    expect(String(reported[1])).toContain('is responding again')
  })
})

test('a moment that comes while the engine is away changes nothing before it answers again', async () => {
  let now = 1_000
  await using opened = await openStore(() => now)
  const { store, seed, changelogId, proxy, reported } = opened
  seed.version(changelogId, 'later', { status: 'scheduled', publishedAt: 2_000 })
  expect(await labels(store)).toEqual([])
  const before = store.revision()
  await proxy.cut()
  await until(() => reported.length > 0)
  now = 2_000
  // What was cached may go out as in any outage, and is asked for again afterwards.
  expect(store.revision()).toBe(before)
  expect(store.unconfirmedFor()).toBeGreaterThanOrEqual(CONFIRMED_MS)
  await proxy.resume()
  await until(async () => !(await isAway(store)))
  expect(await labels(store)).toEqual(['later'])
  expect(store.revision()).not.toBe(before)
})

test.each([true, false])(
  'a read whose moment is over when it is answered is not served again, as the first or not: %p',
  async (isFirst) => {
    using _ = holdTimers(DEADLINE_MS, QUESTION_MS)
    let now = 1_000
    await using opened = await openStore(() => now)
    const { store, seed, changelogId } = opened
    seed.version(changelogId, 'later', { status: 'scheduled', publishedAt: 2_000 })
    if (!isFirst) await store.ping()
    const reading = store.readChangelog('public', 'acme', 'app', ALL)
    now = 2_000
    const { value, revision } = await reading
    expect(value?.versions).toEqual([])
    expect(revision === store.revision() && store.unconfirmedFor() < CONFIRMED_MS).toBe(false)
    const next = await store.readChangelog('public', 'acme', 'app', ALL)
    expect(next.value?.versions).toHaveLength(1)
    expect(next.revision).toBe(store.revision())
    expect(next.revision).not.toBe(revision)
  },
)

test('connections that go dead without a word cost the reads on them, not those after', async () => {
  // Those of a read and of the watch's questions, which are about another connection.
  using reads = holdTimers(DEADLINE_MS)
  using _ = holdTimers(QUESTION_MS)
  await using opened = await openStore()
  const { store, proxy } = opened
  await Promise.all(Array.from({ length: 8 }, () => store.ping()))
  proxy.deafen()
  const first = isAway(store)
  await until(() => reads.count() === 1)
  reads.end()
  expect(await first).toBe(true)
  expect(await Promise.all(Array.from({ length: 8 }, () => isAway(store)))).toEqual(Array(8).fill(false))
})

test('a restored database with a lower revision is another one', async () => {
  using _ = holdTimers(DEADLINE_MS, QUESTION_MS)
  await using opened = await openStore()
  const { store, seed } = opened
  for (const slug of ['a', 'b', 'c']) seed.team(slug)
  const before = (await store.findGrant('none', 0)).revision
  seed.db.run('UPDATE changelogd SET revision = 1')
  await until(() => store.revision() === 1)
  expect(before).toBeGreaterThan(1)
})

test('what is written after the last commits were lost, as in a failover, is not taken for them', async () => {
  await using opened = await openStore()
  const { database, store, seed, changelogId, proxy } = opened
  const name = new URL(database).pathname.slice(1)
  await using admin = new SQL(new URL('/postgres', database).href, { max: 1 })
  const inPlace = async (change: string) => {
    await admin.unsafe(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    )
    await admin.unsafe(change)
  }
  await proxy.cut()
  await inPlace(`create database ${name}_standby template ${name}`)
  await proxy.resume()
  await until(async () => !(await isAway(store)))
  seed.db.close()
  seed.version(changelogId, 'lost')
  await until(async () => (await labels(store))?.[0] === 'lost')
  const before = store.revision()

  await proxy.cut()
  seed.db.close()
  await inPlace(`drop database ${name}`)
  await inPlace(`alter database ${name}_standby rename to ${name}`)
  seed.version(changelogId, 'kept')
  await proxy.resume()
  await until(async () => !(await isAway(store)))
  expect(await labels(store)).toEqual(['kept'])
  expect(store.revision()).not.toBe(before)
})

test('a database that a newer program has made unreadable is no longer served; one with additions is', async () => {
  using _ = holdTimers(DEADLINE_MS, QUESTION_MS)
  await using opened = await openStore()
  const { store, seed } = opened
  seed.db.run('UPDATE changelogd SET schema = 99')
  seed.team('later')
  const { revision } = await store.findGrant('none', 0)
  expect(store.revision()).toBe(revision)
  seed.db.run('UPDATE changelogd SET oldest_program = 99')
  await until(() => isAway(store))
  expect(await Promise.try(store.ping).catch((error) => error.message)).toContain('of a newer changelogd')
})
