import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../../src/domain/refusal.ts'
import type { Bookkeeping } from '../../../../src/store/bookkeeping/bookkeeping.ts'
import { openBookkeeping, openExistingBookkeeping } from '../../../../src/store/bookkeeping/open.ts'
import type { SourceCheck } from '../../../../src/store/bookkeeping/source-checks.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { killProcess, outputOf } from '../../../support/servers/process.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

const HOLDER = [process.execPath, join(import.meta.dir, '../../../support/lease-holder.ts')]
/** A process of another machine, as far as this one can tell. */
const ELSEWHERE = '00000000-1-00000000'

const CHECK: SourceCheck = {
  target: 'x',
  memory: { etag: '"1"', pages: 2 },
  checkedAt: 10,
  changedAt: null,
  nextAt: 20,
  size: 3,
  failure: null,
  waiting: null,
}

describe.each(ENGINES)('what the worker remembers, on %s', (engine) => {
  let box: Sandbox
  let bookkeeping: Bookkeeping

  beforeEach(async () => {
    box = await Sandbox.on(engine)
    await box.run(['migrate'])
    bookkeeping = await openBookkeeping(box.database)
  })
  afterEach(async () => {
    bookkeeping.close()
    await box.close()
  })

  test('a lease has one holder at a time, and that of a process that was killed here is free at once', async () => {
    const holder = box.spawn([...HOLDER, box.database, 'a'])
    const { lines } = outputOf(holder)
    await until(() => lines.length > 0)
    expect(lines).toEqual(['true'])
    expect(await bookkeeping.leases.take('a')).toBe(false)
    expect(await bookkeeping.leases.take('b')).toBe(true)
    await killProcess(holder)
    expect(await bookkeeping.leases.take('a')).toBe(true)
  })

  test('a lease of another machine is free once it has not been renewed in time', async () => {
    const { leases } = bookkeeping
    const lend = (until: number) =>
      write(
        box,
        engine,
        'DELETE FROM worker_lease',
        `INSERT INTO worker_lease VALUES ('a', '${ELSEWHERE}', ${until})`,
      )
    lend(Date.now() + 30_000)
    expect(await leases.take('a')).toBe(false)
    lend(Date.now() - 1)
    expect(await leases.take('a')).toBe(true)
    // By a clock that was ahead.
    lend(Date.now() + 365 * 86_400_000)
    expect(await leases.take('a')).toBe(true)
    expect(await leases.take('a')).toBe(true)
    await leases.release('a')
  })

  test('a check is read as it was written, and forgotten with its source', async () => {
    const { sourceChecks } = bookkeeping
    const failed = { ...CHECK, failure: { since: 5, count: 2, reason: 'Gone.', remedy: null } }
    await sourceChecks.put('src_a', CHECK)
    const waiting = { ...CHECK, waiting: { since: 5, reason: 'Too often.', remedy: 'A token.' } }
    await sourceChecks.put('src_b', waiting)
    expect(await sourceChecks.find('src_b')).toEqual(waiting)
    await sourceChecks.put('src_b', failed)
    await sourceChecks.put('src_b', { ...failed, changedAt: 7 })
    expect(await sourceChecks.find('src_a')).toEqual(CHECK)
    expect(await sourceChecks.all()).toEqual(
      new Map([
        ['src_a', CHECK],
        ['src_b', { ...failed, changedAt: 7 }],
      ]),
    )
    await sourceChecks.keepOnly(['src_b'])
    expect([...(await sourceChecks.all()).keys()]).toEqual(['src_b'])
    expect(await sourceChecks.find('src_a')).toBeNull()
  })

  test('nothing of it changes the revision', async () => {
    const before = await box.state()
    await bookkeeping.leases.take('a')
    await bookkeeping.sourceChecks.put('src_a', CHECK)
    await bookkeeping.sourceChecks.keepOnly([])
    await bookkeeping.leases.release('a')
    expect(await box.state()).toEqual(before)
  })
})

function write(box: Sandbox, engine: (typeof ENGINES)[number], ...statements: string[]): void {
  using db = engine === 'SQLite' ? new Database(`${box.database}-worker`) : null
  for (const statement of statements)
    if (db) db.run(statement)
    else box.write(statement)
}

describe('the file beside a SQLite database', () => {
  const box = new Sandbox()
  beforeEach(() => box.renew())
  afterEach(() => box.close())

  test('is for its owner only, and beside the real file of a link', async () => {
    await box.run(['migrate'])
    symlinkSync(box.database, box.at('link.db'))
    ;(await openBookkeeping(box.at('link.db'))).close()
    expect(statSync(`${box.database}-worker`).mode & 0o777).toBe(0o600)
    expect(readdirSync(box.directory)).not.toContain('link.db-worker')
  })

  test('is not created by who only reads it', async () => {
    await box.run(['migrate'])
    expect(await openExistingBookkeeping(box.database)).toBeNull()
    expect(readdirSync(box.directory)).not.toContain('changelogd.db-worker')
  })

  test.each([
    ['damaged', 'rm -f', (path: string) => writeFileSync(path, 'x'.repeat(5_000))],
    [
      'A newer changelogd created',
      'mv',
      (path: string) => {
        using db = new Database(path)
        db.run('PRAGMA user_version = 99')
      },
    ],
  ])('that cannot be used is refused with how to begin anew: %s', async (why, remedy, spoil) => {
    await box.run(['migrate'])
    const file = `${box.database}-worker`
    ;(await openBookkeeping(box.database)).close()
    spoil(file)
    const refusal = await openBookkeeping(box.database).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect((refusal as Refusal).message).toContain(why)
    expect((refusal as Refusal).hint).toContain(`${remedy} ${file}`)
    rmSync(file)
    ;(await openBookkeeping(box.database)).close()
  })
})
