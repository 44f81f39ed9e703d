import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Notice } from '../../../../src/domain/notice.ts'
import { Refusal } from '../../../../src/domain/refusal.ts'
import { COUNTING } from '../../../../src/domain/versions/derived.ts'
import { orderOf } from '../../../../src/domain/versions/number.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { openForServing } from '../../../../src/store/open.ts'
import { openNow } from '../../../../src/store/sqlite/commands.ts'
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/migrations.ts'
import { verify } from '../../../../src/store/sqlite/verify.ts'
import { contents } from '../../../support/database/contents.ts'
import { createOld, OLD_SCHEMAS, upgradedHooks } from '../../../support/database/old-schemas.ts'
import { scratch } from '../../../support/scratch.ts'
import { sourceOf } from '../../../support/source.ts'

const NOW = Date.parse('2026-11-15T10:11:12.345Z')

let directory: ReturnType<typeof scratch>
let path: string
beforeEach(() => {
  directory = scratch()
  path = join(directory.path, 'changelogd.db')
})
afterEach(() => directory[Symbol.dispose]())

const upgrade = () => openNow(path, 'write', createWaiting(), () => NOW)
const files = () => readdirSync(directory.path).sort()
const backupName = (schema: number) => `changelogd.db.schema-${schema}-20261115T101112345Z.backup`

/** The columns of every table, and what is in them; without those that an upgrade fills, and the table that one drops. */
const columnsOf = (db: Database): Map<string, string> =>
  new Map(
    db
      .query<{ name: string; columns: string }, []>(
        `SELECT list.name, group_concat('"' || info.name || '"') AS columns
        FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
        WHERE list.type = 'table' AND list.name NOT LIKE 'sqlite%' AND list.name <> 'import_note'
          AND info.name NOT IN ('kinds', 'precedence', 'edition', 'derived_by', 'revision') GROUP BY 1 ORDER BY 1`,
      )
      .all()
      .map(({ name, columns }) => [name, columns]),
  )
const valuesOf = (db: Database, columns: Map<string, string>) =>
  [...columns].map(([table, names]) => db.query(`SELECT ${names} FROM "${table}" ORDER BY 1`).values())

/** Everything that a database is made of, without what SQLite calls by itself. */
const schemaOf = (db: Database) =>
  db.query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2").values()

describe.each([...OLD_SCHEMAS])('a database of schema $name', (old) => {
  test('keeps every value, can be read, has the schema of a new one, and is backed up beside itself for its owner only', async () => {
    createOld(old, path)
    const whole = contents(path)
    using db = new Database(path)
    const columns = columnsOf(db)
    const before = valuesOf(db, columns)
    expect(before.flat().length).toBeGreaterThanOrEqual(15)

    const store = upgrade()
    const backup = join(directory.path, backupName(old.schema))
    const steps = SCHEMA_VERSION - old.schema
    expect(store.migration).toMatchObject({ steps, schema: SCHEMA_VERSION, backup })
    expect([contents(backup), statSync(backup).mode & 0o777]).toEqual([whole, 0o600])
    using kept = new Database(backup)
    expect(kept.query('PRAGMA user_version').values()).toEqual([[old.schema]])
    expect(kept.query('PRAGMA application_id').values()).toEqual([[0x636c6764]])
    const read = await store.snapshot(async ({ products, versions }) => {
      const product = await products.find('acme', 'app')
      if (!product) throw new Error('the product is gone')
      return (await versions.list(product)).map(({ label, changeCount }) => [label, changeCount])
    })
    // What it did not have can be used.
    await store.transaction(async ({ sources, hooks, products }) => {
      const product = await products.find('acme', 'app')
      if (!product) throw new Error('the product is gone')
      const kept = await sources.find(product)
      expect(kept?.id ?? null).toBe(old.schema >= 9 ? 'src_1' : null)
      // Taking pictures in would edit releases that were announced long ago.
      expect(kept?.pictures ?? false).toBe(old.schema >= 25)
      const { id } = await sources.put(product, kept ?? sourceOf('https://example.org/acme/app'))
      const hook = { product: null, kind: 'webhook', url: 'https://example.org/' } as const
      const before = await hooks.list()
      expect(before.map(({ id, name, events }) => [id, name, events.join()])).toEqual(
        upgradedHooks(old.schema, 13),
      )
      const created = await hooks.create(product.team, hook, NOW)
      expect([(await sources.list())[0]?.source.id, await hooks.find(created.id)]).toEqual([id, created])
      await hooks.delete(created)
    })
    store.close()
    expect(read).toEqual([
      ['2.0', 2],
      ['1.0', 0],
    ])
    expect(valuesOf(db, columns)).toEqual(before)
    expect(verify(db)).toEqual([])
    expect(db.query('SELECT label, kinds, precedence FROM version ORDER BY 1, 2').values()).toEqual([
      ['1.0', `0:${COUNTING}/`, orderOf('1.0')],
      ['1.0', `1:${COUNTING}/added=1`, orderOf('1.0')],
      ['2.0', expect.stringMatching(/^2:/), orderOf('2.0')],
    ])
    expect(db.query('SELECT * FROM public_product').values()).toEqual([['acme', 'app', 'prod_1']])
    expect(db.query('SELECT * FROM public_version').values()).toEqual([
      ['ver_1', 'team_1', 'published', 101, 0],
    ])

    const fresh = join(directory.path, 'new.db')
    openNow(fresh, 'create').close()
    using other = new Database(fresh)
    expect(schemaOf(db)).toEqual(schemaOf(other))
  })
})

test('an upgrade takes what has no date out of timelines', () => {
  const old = OLD_SCHEMAS.find(({ schema }) => schema === 16)
  if (old) createOld(old, path)
  using db = new Database(path)
  db.run("UPDATE version SET dated = 0, date_known = 0 WHERE id = 'ver_1'")
  expect(db.query('SELECT version_id FROM public_version').values()).toEqual([['ver_1']])
  upgrade().close()
  expect(db.query('SELECT version_id FROM public_version').values()).toEqual([])
})

/** The oldest of all, that of the first release, and the newest that is old. */
const [oldest, first, old] = [
  OLD_SCHEMAS[0],
  OLD_SCHEMAS.find(({ name }) => name === '1'),
  OLD_SCHEMAS.at(-1),
]
if (!oldest || !first || !old) throw new Error('there is no older schema')

test('a new database, an empty file and one that is up to date are not backed up', () => {
  for (const create of [() => {}, () => new Database(path).close()]) {
    create()
    const store = openNow(path, 'create', createWaiting(), () => NOW)
    expect(store.migration.backup).toBeNull()
    store.close()
  }
  const store = upgrade()
  expect(store.migration).toEqual({ steps: 0, schema: SCHEMA_VERSION, backup: null })
  store.close()
  expect(files().filter((name) => name.endsWith('.backup'))).toEqual([])
})

test('an upgrade whose backup cannot be made is refused, and changes nothing', () => {
  createOld(old, path)
  const before = contents(path)
  const inTheWay = join(directory.path, backupName(old.schema))
  mkdirSync(inTheWay)
  const known = files()
  expect(upgrade).toThrow(Refusal)
  expect(upgrade).toThrow(
    `Cannot upgrade ${path} from schema ${old.schema} to ${SCHEMA_VERSION}, because the backup before it failed. Another process has just created ${inTheWay}`,
  )
  expect(contents(path)).toBe(before)
  expect(files()).toEqual(known)
})

test('an upgrade that fails leaves no backup, however often it is tried', () => {
  // Its second migration creates this table, whatever later ones do.
  createOld(oldest, path)
  {
    using db = new Database(path)
    db.run('CREATE TABLE __new_version (id text)')
  }
  const known = files()
  expect(upgrade).toThrow('__new_version')
  expect(files()).toEqual(known)
})

test('a version tells how many changes it has, also those of a program of an older schema that had the file open', () => {
  createOld(first, path)
  using db = new Database(path)
  const add = db.query(
    "INSERT INTO change (id, version_id, position, type, title) VALUES (?, 'ver_1', 1, 'fixed', 'late')",
  )
  upgrade().close()
  const counts = () => db.query('SELECT change_count FROM version ORDER BY id').values().flat()
  for (const id of ['chg_8', 'chg_9']) add.run(id)
  expect(counts()).toEqual([2, 2, 1])
  db.run("UPDATE change SET version_id = 'ver_3' WHERE id = 'chg_9'")
  db.run("DELETE FROM change WHERE version_id = 'ver_2'")
  expect(counts()).toEqual([1, 0, 2])
})

test('a database with records that lack what they belong to is refused, and stays as it is', () => {
  createOld(first, path)
  using db = new Database(path)
  db.run('PRAGMA foreign_keys = OFF')
  db.run("DELETE FROM version WHERE id = 'ver_2'")
  expect(upgrade).toThrow(Refusal)
  expect(upgrade).toThrow('2 rows of change without version')
  expect(db.query('PRAGMA user_version').values()).toEqual([[1]])
})

test('a server reports the backup once', async () => {
  createOld(old, path)
  const reports: unknown[] = []
  const store = await openForServing(path, {
    waiting: createWaiting(),
    report: (event) => reports.push(event),
    clock: () => NOW,
  })
  store.close()
  expect(reports).toEqual([
    new Notice(
      'database_upgraded',
      `Upgraded ${path} from schema ${old.schema} to ${SCHEMA_VERSION}. The backup from before the upgrade is ${join(directory.path, backupName(old.schema))}`,
    ),
  ])
})
