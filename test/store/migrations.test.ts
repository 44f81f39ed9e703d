import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import start from '../../drizzle/0000_start.sql' with { type: 'text' }
import type { Page } from '../../src/store/port.ts'
import { openForServing } from '../../src/store/serving.ts'
import { openForWriting } from '../../src/store/writing.ts'
import { scratch } from '../support/server.ts'

const EVERYTHING: Page = { limit: null, after: null, since: null, withChanges: true }

test('a database of the first schema keeps all it holds when it is brought to this one', async () => {
  using directory = scratch()
  const path = join(directory.path, 'old.db')
  using old = new Database(path)
  old.run(start)
  old.run('PRAGMA application_id = 0x636c6764')
  old.run('PRAGMA user_version = 1')
  old.run("INSERT INTO team VALUES ('team_1', 'acme', 'Acme', 'public', 'paid', 1)")
  old.run("INSERT INTO product VALUES ('prod_1', 'team_1', 'app', 'App', 'published', 1)")
  old.run("INSERT INTO changelog VALUES ('clog_1', 'prod_1', 'App changelog', 'published', NULL)")
  const long = 'x'.repeat(10_000)
  const addVersion = old.query("INSERT INTO version VALUES (?, 'clog_1', ?, ?, 'published', ?, 1, 1, ?)")
  addVersion.run('ver_1', '1.0', 'One', 10, null)
  addVersion.run('ver_2', '2.0', 'Two', 20, long)
  const addChange = old.query("INSERT INTO change VALUES (?, 'ver_2', ?, 'fixed', ?, NULL)")
  addChange.run('chg_1', 1, 'a')
  addChange.run('chg_2', 2, 'b')

  const migrated = openForWriting(path)
  expect(migrated.migration.steps).toBe(migrated.migration.schema - 1)
  migrated.close()
  const store = openForServing(path)
  const read = await store.readChangelog('public', 'acme', 'app', EVERYTHING)
  store.close()
  const change = (id: string, title: string) => ({ id, type: 'fixed', title, description: null })
  const version = (at: number, label: string, title: string) => ({
    id: `ver_${at / 10}`,
    label,
    title,
    status: 'published',
    publishedAt: at,
  })
  expect(read?.versions as object[]).toEqual([
    {
      ...version(20, '2.0', 'Two'),
      changeCount: 2,
      description: long,
      changes: [change('chg_1', 'a'), change('chg_2', 'b')],
    },
    { ...version(10, '1.0', 'One'), changeCount: 0, description: null, changes: [] },
  ])
})

test('the tables have the columns in the order that reading them wants', () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  openForWriting(path).close()
  using db = new Database(path)
  const columns = db
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('version')")
    .all()
    .map(({ name }) => name)
  // What lists need stands before what is long, or a list would have to step over it.
  expect(columns.at(-1)).toBe('description')
})
