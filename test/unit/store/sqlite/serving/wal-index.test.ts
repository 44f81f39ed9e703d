import { expect, test } from 'bun:test'
import { copyFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNow } from '../../../../../src/store/sqlite/serve.ts'
import { openIndex } from '../../../../../src/store/sqlite/serving/wal-index.ts'
import { scratch } from '../../../../support/scratch.ts'
import { seeder } from '../../../../support/seed.ts'
import { killProcess, startProcess } from '../../../../support/servers/process.ts'

test('a link is followed to the database, whatever lies next to the link', () => {
  using directory = scratch()
  const [real, link] = [join(directory.path, 'real.db'), join(directory.path, 'link.db')]
  const seed = seeder(real)
  symlinkSync('real.db', link)
  writeFileSync(`${link}-shm`, new Uint8Array(32_768))
  const store = openNow(link)
  const before = store.revision()
  seed.team('acme')
  expect(store.revision()).not.toBe(before)
  store.close()
  seed.db.close()
})

test('the index tells that the file which SQLite has open is no longer the one by that name', () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const { db } = seeder(path)
  const index = openIndex(path, db, 0)
  expect(index.isMoved()).toBe(false)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  expect(index.isMoved()).toBe(true)
  db.close()
  index.close()
})

test('the index tells whether another process is using the log', async () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const { db } = seeder(path)
  const index = openIndex(path, db, 0)
  expect(index.hasOtherUsers()).toBe(false)
  const reader = `const { Database } = require('bun:sqlite')
    const db = new Database(process.argv[1])
    db.run('BEGIN')
    console.log(db.query('SELECT count(*) FROM team').values())
    setInterval(() => {}, 1_000)`
  const child = startProcess([process.execPath, '-e', reader, path], { cwd: directory.path, env: {} })
  await child.stdout.getReader().read()
  expect(index.hasOtherUsers()).toBe(true)
  await killProcess(child)
  expect(index.hasOtherUsers()).toBe(false)
  db.close()
  index.close()
})
