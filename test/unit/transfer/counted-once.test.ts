import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openNow } from '../../../src/store/sqlite/commands.ts'
import { importChangelog } from '../../../src/transfer/import-changelog.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { scratch } from '../../support/scratch.ts'

test('an import writes each new version once, with the count of its changes, however many texts it has', async () => {
  using place = scratch()
  const path = join(place.path, 'x.db')
  openNow(path, 'create').close()
  using db = new Database(path)
  db.run('CREATE TABLE written (id TEXT NOT NULL) STRICT')
  db.run('CREATE TRIGGER rewritten AFTER UPDATE ON version BEGIN INSERT INTO written VALUES (new.id); END')
  using store = openNow(path, 'write')
  // Longer than a group of rows.
  const changes = Array.from({ length: 1_500 }, (_, at) => `- ${at} ${'word '.repeat(180)}\n`).join('')
  const file = `## [2.0.0] - 2020-01-02\n\n${changes}\n## [1.0.0] - 2020-01-01\n\nA text.\n\n- One\n`
  await store.transaction(async (records) => {
    const source = parseChangelog('CHANGELOG.md', file, 'keepachangelog')
    const options = { create: true, status: 'published', now: Date.UTC(2026, 5, 1) } as const
    await importChangelog(records, { team: 'acme', product: 'app' }, source, options)
  })
  expect(db.query('SELECT label, change_count AS count FROM version ORDER BY label').all()).toEqual([
    { label: '1.0.0', count: 1 },
    { label: '2.0.0', count: 1_500 },
  ])
  expect(db.query('SELECT count(*) AS times FROM written').get()).toEqual({ times: 0 })
  expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
})
