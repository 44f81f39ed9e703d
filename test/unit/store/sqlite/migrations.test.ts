import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import start from '../../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import { Refusal } from '../../../../src/domain/refusal.ts'
import { openNow } from '../../../../src/store/sqlite/commands.ts'
import { scratch } from '../../../support/scratch.ts'

const TABLES = [
  'team',
  'product',
  'changelog',
  'version',
  'change',
  'api_key',
  'api_key_token',
  'api_key_product',
]

let directory: ReturnType<typeof scratch>
let path: string
/** A database as 0.1.0 left it, with something in every column. */
let old: Database

beforeEach(() => {
  directory = scratch()
  path = join(directory.path, 'old.db')
  old = new Database(path)
  old.run(start)
  old.run('PRAGMA application_id = 0x636c6764')
  old.run('PRAGMA user_version = 1')
  old.run(`
    INSERT INTO team VALUES ('team_1', 'acme', 'Acme', 'public', 'paid', 11), ('team_2', 'b', 'B', 'private', 'free', 12);
    INSERT INTO product VALUES ('prod_1', 'team_1', 'app', 'App', 'published', 13), ('prod_2', 'team_1', 'lib', 'Lib', 'locked', 14);
    INSERT INTO changelog VALUES ('clog_1', 'prod_1', 'App log', 'published', 'Before it.'), ('clog_2', 'prod_2', 'Lib log', 'draft', NULL);
    INSERT INTO version VALUES
      ('ver_1', 'clog_1', '1.0', 'One', 'published', 101, 1, 21, NULL),
      ('ver_2', 'clog_1', '2.0', 'Two', 'draft', 102, 0, 22, '${'long '.repeat(4_000)}'),
      ('ver_3', 'clog_2', '1.0', 'Three', 'published', 100, 1, 23, 'short');
    INSERT INTO change VALUES
      ('chg_1', 'ver_2', 1, 'fixed', 'a', NULL), ('chg_2', 'ver_2', 2, 'added', 'b', 'more'), ('chg_3', 'ver_3', 1, 'added', 'c', NULL);
    INSERT INTO api_key VALUES ('key_1', 'team_1', 'SELECT', 'active', 'ci', 31, 32);
    INSERT INTO api_key_token VALUES ('hash', 'key_1', 'clk_abcd', 33, NULL);
    INSERT INTO api_key_product VALUES ('key_1', 'prod_1', 'team_1');`)
})
afterEach(() => {
  old.close()
  directory[Symbol.dispose]()
})

const migrated = () => openNow(path, 'create').close()

const counts = () =>
  Object.fromEntries(
    old.query('SELECT id, change_count FROM version ORDER BY id').values() as [string, number][],
  )

test('every table is strict, and versions lie in the order in which they are read', () => {
  migrated()
  const tables = old
    .query<{ name: string; strict: number; wr: number }, []>('PRAGMA table_list')
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'))
  expect(tables.map(({ name }) => name).sort()).toEqual(
    [
      ...[...TABLES, 'former_label', 'public_product', 'public_version', 'source', 'hook', 'import_note'],
      'database_id',
    ].sort(),
  )
  expect(tables.filter(({ strict }) => strict !== 1)).toEqual([])
  expect(
    tables
      .filter(({ wr }) => wr === 1)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['public_version', 'version'])
  const columns = old
    .query<{ name: string; pk: number }, []>("SELECT name, pk FROM pragma_table_info('version')")
    .all()
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  expect(key.map(({ name }) => name)).toEqual(['changelog_id', 'published_at', 'id'])
  // What lists need stands before what is long, or a list would have to step over it.
  const names = columns.map(({ name }) => name)
  expect(names.indexOf('change_count')).toBeLessThan(names.indexOf('description'))
  const add = (id: string, label: string) => () =>
    old.run(
      `INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at)
        VALUES (?, 'clog_1', ?, 'x', 'draft', 1, 0, 1)`,
      [id, label],
    )
  expect(add('ver_9', '1.0')).toThrow('UNIQUE constraint failed: version.changelog_id, version.label')
  expect(add('ver_1', '9.0')).toThrow('UNIQUE constraint failed: version.id')
})

test('a version tells how many changes it has, whoever writes them', () => {
  // A program of the older schema that had the file open, and waited.
  const add = old.query(
    "INSERT INTO change (id, version_id, position, type, title) VALUES (?, 'ver_1', 1, 'fixed', 'late')",
  )
  migrated()
  add.run('chg_8')
  add.run('chg_9')
  expect(counts()).toEqual({ ver_1: 2, ver_2: 2, ver_3: 1 })
  old.run("UPDATE change SET version_id = 'ver_3' WHERE id = 'chg_9'")
  old.run("DELETE FROM change WHERE version_id = 'ver_2'")
  expect(counts()).toEqual({ ver_1: 1, ver_2: 0, ver_3: 2 })
})

test('a database with records that lack what they belong to is refused, and stays as it is', () => {
  old.run('PRAGMA foreign_keys = OFF')
  old.run("DELETE FROM version WHERE id = 'ver_2'")
  expect(migrated).toThrow(Refusal)
  expect(migrated).toThrow('2 rows of change without version')
  expect(old.query('PRAGMA user_version').values()).toEqual([[1]])
})
