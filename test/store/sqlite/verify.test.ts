import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '../../../src/store/sqlite/verify.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'

let directory: ReturnType<typeof scratch>
let path: string

beforeEach(() => {
  directory = scratch()
  path = join(directory.path, 'copy.db')
  const seed = seeder(join(directory.path, 'x.db'))
  seed.db.transaction(() => {
    const { changelogId } = seed.product(seed.team('acme'), 'app')
    for (let at = 0; at < 100; at++)
      seed.version(changelogId, `${at}`, { changes: [{ type: 'added', title: 'x'.repeat(200) }] })
  })()
  // A copy in which every page is in use, and which no other connection has open.
  seed.db.run('VACUUM INTO ?', [path])
  seed.db.close()
})
afterEach(() => directory[Symbol.dispose]())

/** What is found after these statements. */
function found(...statements: string[]) {
  using db = new Database(path, { strict: true })
  for (const statement of statements) db.run(statement)
  return verify(db)
}

test('nothing is wrong with a whole database', () => {
  expect(found()).toEqual([])
})

test('rows without the row they refer to are counted by table', () => {
  expect(
    found(
      'PRAGMA foreign_keys = OFF',
      'DELETE FROM team',
      "DELETE FROM change WHERE version_id NOT IN (SELECT id FROM version WHERE label IN ('1', '2'))",
      "DELETE FROM version WHERE label IN ('1', '2')",
    ),
  ).toEqual([
    { check: 'foreign keys', message: '2 rows of public_version without version' },
    { check: 'foreign keys', message: '2 rows of change without version' },
    { check: 'foreign keys', message: '1 row of product without team' },
  ])
})

test('tables, columns, triggers and indexes that are missing are named', () => {
  expect(
    found(
      'DROP TABLE api_key_product',
      'ALTER TABLE changelog DROP COLUMN preamble',
      'DROP TRIGGER change_moved',
      'DROP TRIGGER changelog_listed',
      'DROP INDEX version_public',
    ),
  ).toEqual([
    { check: 'schema', message: 'no column changelog.preamble' },
    { check: 'schema', message: 'no table api_key_product' },
    { check: 'schema', message: 'no trigger change_moved' },
    { check: 'schema', message: 'no trigger changelog_listed' },
    { check: 'schema', message: 'no index version_public' },
  ])
})

test('an older schema is not measured by this one', () => {
  expect(found('DROP TABLE api_key_product', 'PRAGMA user_version = 1')).toEqual([])
})

test('of a damaged file only the damage is told, in whichever page it is, and no check throws', () => {
  const whole = readFileSync(path)
  expect(whole.length).toBeGreaterThan(100_000)
  let damaged = 0
  for (let start = 4_096; start < whole.length; start += 4_096) {
    writeFileSync(path, Buffer.from(whole).fill(0xff, start, start + 200))
    const faults = found('PRAGMA foreign_keys = OFF')
    if (faults.length > 0) damaged++
    expect(faults.filter(({ check }) => check !== 'integrity')).toEqual([])
  }
  expect(damaged).toBe(whole.length / 4_096 - 1)
})

test('a database is left as it is', () => {
  const before = readFileSync(path)
  found()
  expect(readFileSync(path)).toEqual(before)
})
