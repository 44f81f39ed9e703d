import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTING } from '../../../../src/domain/versions/derived.ts'
import { openNow } from '../../../../src/store/sqlite/commands.ts'
import { CONTENT_RULES, verify } from '../../../../src/store/sqlite/verify.ts'
import { contentFaults } from '../../../../src/store/upkeep/repair.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeder } from '../../../support/seed.ts'

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

/** Long texts are put into one of them. */
const ONE = "WHERE label = '1'"

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

test('every table, index, trigger and view that is missing, altered or foreign is named', () => {
  const faults = found(
    'DROP TABLE api_key_product',
    'ALTER TABLE changelog DROP COLUMN preamble',
    'DROP TRIGGER version_relabelled',
    'DROP INDEX version_range',
    'CREATE INDEX version_range ON version (label)',
    'CREATE TRIGGER "a ""b" AFTER INSERT ON team BEGIN DELETE FROM team; END',
    'CREATE VIEW drafts AS SELECT * FROM version',
  )
  expect(faults.map(({ message }) => message)).toEqual([
    'the table changelog differs from the expected one',
    'no table api_key_product',
    'no index api_key_product_product',
    'no trigger version_relabelled',
    'the index version_range differs from the expected one',
    'the trigger a "b is not changelogd\'s',
    "the view drafts is not changelogd's",
  ])
  expect(faults.at(-2)?.remedy).toEndWith(': DROP TRIGGER IF EXISTS "a ""b"')
})

test('what SQLite itself and Litestream add is no fault', () => {
  const tables = ['seq', 'lock'].map((name) => `CREATE TABLE _litestream_${name} (id INTEGER PRIMARY KEY)`)
  expect(found(...tables, 'ANALYZE')).toEqual([])
})

test('a repair creates every index and trigger again, and writes anew what triggers keep', async () => {
  using db = new Database(path, { strict: true })
  const rows = () =>
    ['version', 'public_product', 'public_version'].map((table) =>
      db.query<{ edition?: number }, []>(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all(),
    )
  using store = openNow(path, 'write')
  await store.repair()
  const before = rows()
  const parts = db
    .query("SELECT type, name FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL")
    .values() as string[][]
  for (const [type, name] of parts) db.run(`DROP ${type} ${name}`)
  db.run("UPDATE version SET change_count = 7, kinds = '7:', precedence = 'x'")
  db.run("DELETE FROM public_version WHERE version_id IN (SELECT id FROM version WHERE label = '1')")
  db.run('DELETE FROM public_product')
  expect(verify(db)).toHaveLength(parts.length)

  const mended = (await store.repair()).mended.map((message) => message.replace(/ \(rows: .*/, ''))
  expect(mended.sort()).toEqual([
    ...parts.map(([type, name]) => `no ${type} ${name}`).sort(),
    'public_product lacks products',
    'public_version has other rows than public versions',
    'public_version lacks versions',
    'version.change_count is not the number of changes',
    'version.kinds is missing or counts other changes',
    'version.kinds or version.precedence is not what the version says',
  ])
  expect(verify(db)).toEqual([])
  expect(rows().flat().map(withoutEdition)).toEqual(before.flat().map(withoutEdition))
})

const withoutEdition = ({ edition, ...row }: { edition?: number }) => row

test.each([
  ['version.change_count is not the number of changes', 'UPDATE version SET change_count = 999999999'],
  [
    'version.kinds is missing or counts other changes',
    `UPDATE version SET kinds = '99:${COUNTING}/added=99'`,
  ],
  ['public_product lacks products', "UPDATE public_product SET product_slug = 'x' || product_slug"],
  ['version.published_at is out of range', 'UPDATE version SET published_at = 9000000000000000000'],
  ['version.published_at is out of range', 'UPDATE version SET published_at = -9000000000000000000'],
  ['team.created_at is out of range', 'UPDATE team SET created_at = 9000000000000000000'],
  ['version.label is longer than 128 characters', `UPDATE version SET label = id || '${'x'.repeat(129)}'`],
  ['version.label is longer', `UPDATE version SET label = char(0) || hex(zeroblob(3000000)) ${ONE}`],
  ['version.title is longer than 1000 characters', 'UPDATE version SET title = hex(zeroblob(501))'],
  ['change.title is longer than 1000 characters', 'UPDATE change SET title = hex(zeroblob(501))'],
  ['change.type is longer than 64 characters', 'UPDATE change SET type = hex(zeroblob(33))'],
  ['version.description is longer', `UPDATE version SET description = hex(zeroblob(500001)) ${ONE}`],
  ['team.name is longer than 200 characters', 'UPDATE team SET name = hex(zeroblob(101))'],
])('of contents that no command writes, %s is found', async (message, statement) => {
  using db = new Database(path, { strict: true })
  const triggers = db.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'").values()
  for (const [name] of triggers) db.run(`DROP TRIGGER ${name}`)
  db.run(statement)
  const faults = await contentFaults(CONTENT_RULES, ({ sql, values }) => db.query(sql).values(...values))
  expect(faults.map((fault) => fault.message)).toContainEqual(expect.stringContaining(message))
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
