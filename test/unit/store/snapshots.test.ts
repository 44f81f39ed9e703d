import { describe, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '../../../src/domain/refusal.ts'
import type { StoreReads } from '../../../src/store/queries/reads.ts'
import { openNow } from '../../../src/store/sqlite/serve.ts'
import { type Page, TooLong } from '../../../src/store/store.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const ALL: Page = { limit: null, after: null, since: null, withChanges: false }

const labels = async (reads: Pick<StoreReads, 'readChangelog'>, product = 'app') =>
  (await reads.readChangelog('public', 'acme', product, ALL)).value?.versions.map(({ label }) => label)

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  )

describe.each(ENGINES)('a snapshot on %s', (engine) => {
  test('sees one state of the data, whatever is written, and carries the revision of that state', async () => {
    using opened = await openStoreOn(engine)
    const { seed, store } = opened
    const { changelogId } = await seed.product(await seed.team('acme'), 'app')
    await seed.version(changelogId, '1')
    await until(async () => (await labels(store))?.length === 1)
    const { value, revision } = await store.snapshot(async (reads, at) => {
      const found = [await labels(reads)]
      for (const label of ['2', '3']) {
        await seed.version(changelogId, label)
        found.push(await labels(reads))
      }
      expect((await reads.readChangelog('public', 'acme', 'app', ALL)).revision).toBe(at)
      return found
    })
    expect(value).toEqual([['1'], ['1'], ['1']])
    await until(async () => (await labels(store))?.length === 3)
    expect(revision).not.toBe(store.revision())
    const after = await store.snapshot((reads) => labels(reads))
    expect(after).toEqual({ value: ['3', '2', '1'], revision: store.revision() })
  })

  test('does not last longer than it may: what was read counts, and the next read fails', async () => {
    using opened = await openStoreOn(engine, Date.now, 0)
    const { seed, store } = opened
    await seed.product(await seed.team('acme'), 'app')
    const work = async (reads: StoreReads) => {
      let last: unknown
      await until(async () => {
        last = await failure(Promise.try(() => reads.readWork()))
        return last !== null
      })
      throw last
    }
    expect(await failure(store.snapshot(work))).toBeInstanceOf(TooLong)
    // Its connection serves others.
    for (let time = 0; time < 8; time++)
      expect((await store.snapshot(async () => 'rendered')).value).toBe('rendered')
  })

  test('fails with its work, and leaves no transaction behind', async () => {
    using opened = await openStoreOn(engine)
    const { seed, store } = opened
    const { changelogId } = await seed.product(await seed.team('acme'), 'app')
    for (let time = 0; time < 8; time++) {
      const work = async (reads: StoreReads) => {
        await labels(reads)
        throw new Error('no')
      }
      expect(await failure(store.snapshot(work))).toEqual(new Error('no'))
      await seed.version(changelogId, `${time}`)
    }
    await until(async () => (await store.snapshot((reads) => labels(reads))).value?.length === 8)
  })
})

test('a file that replaces the database is not read by a snapshot, and is served soon after', async () => {
  using directory = scratch()
  const [database, other] = ['x.db', 'other.db'].map((name) => {
    const path = join(directory.path, name)
    const seed = seeder(path)
    seed.version(seed.product(seed.team('acme'), 'app').changelogId, name)
    seed.db.close()
    return path
  }) as [string, string]
  const store = openNow(database)
  const work = async (reads: StoreReads) => {
    expect(await labels(reads)).toEqual(['x.db'])
    renameSync(other, database)
    let last: unknown
    await until(async () => {
      last = await failure(labels(reads))
      return last !== null
    })
    throw last
  }
  expect(await failure(store.snapshot(work))).toBeInstanceOf(Unavailable)
  await until(async () => (await labels(store).catch(() => null))?.[0] === 'other.db')
  expect((await store.snapshot((reads) => labels(reads))).value).toEqual(['other.db'])
  store.close()
})

test('a statement that is cancelled because time is up says that time is up', async () => {
  using opened = await openStoreOn('PostgreSQL', Date.now, 200)
  const { database, seed, store } = opened
  await seed.team('acme')
  await using other = new Bun.SQL(database)
  await other.begin(async (blocking) => {
    await blocking`lock table team in access exclusive mode`
    expect(await failure(store.snapshot((reads) => labels(reads)))).toBeInstanceOf(TooLong)
  })
})

test('a long log makes only the first read wait once nobody writes to it', async () => {
  using directory = scratch()
  const database = join(directory.path, 'x.db')
  const seed = seeder(database)
  const id = seed.version(seed.product(seed.team('acme'), 'app').changelogId, '1')
  const store = openNow(database)
  seed.db.run('UPDATE version SET description = ? WHERE id = ?', ['x'.repeat(20 * 2 ** 20), id])
  expect(Bun.file(`${database}-wal`).size).toBeGreaterThan(16 * 2 ** 20)
  await store.snapshot((reads) => labels(reads))
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  expect((await store.snapshot(async () => isLater)).value).toBe(false)
  store.close()
  seed.db.close()
})

test('a commit empties the log although one long read always follows another', async () => {
  using directory = scratch()
  const database = join(directory.path, 'x.db')
  const seed = seeder(database)
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  const id = seed.version(changelogId, '1')
  const store = openNow(database)
  let isOver = false
  const read = async () => {
    while (!isOver)
      await store.snapshot(async (reads) => {
        await labels(reads)
        await Bun.sleep(20)
        await labels(reads)
      })
  }
  const reading = [read(), Bun.sleep(10).then(read)]
  const written: number[] = []
  // 80 MB if the log is never emptied.
  for (let at = 0; at < 400; at++) {
    seed.db.run('UPDATE version SET description = ? WHERE id = ?', ['x'.repeat(200_000 + at), id])
    written.push(Bun.file(`${database}-wal`).size)
    await Bun.sleep(1)
  }
  isOver = true
  await Promise.all(reading)
  store.close()
  seed.db.close()
  expect(Math.max(...written)).toBeLessThan(64 * 2 ** 20)
})
