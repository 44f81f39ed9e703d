import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { orNull } from '../../../../../src/domain/errors.ts'
import { openNow } from '../../../../../src/store/sqlite/serve.ts'
import { watchedConnection } from '../../../../../src/store/sqlite/serving/connection.ts'
import { openIndex } from '../../../../../src/store/sqlite/serving/wal-index.ts'
import { typedAs } from '../../../../../src/store/tables/schema.ts'
import { scratch } from '../../../../support/scratch.ts'
import { seeder } from '../../../../support/seed.ts'

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

test('a commit is seen in the memory of SQLite: no statement runs, and no file is opened', () => {
  if (!existsSync('/proc/self/maps')) return
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  const files = () =>
    readdirSync('/proc/self/fd').filter(
      (file) => orNull(() => readlinkSync(`/proc/self/fd/${file}`))?.startsWith(path) ?? false,
    ).length
  seed.team('before')
  const open = files()
  let statements = 0
  const client = { query: () => ({ get: () => ++statements }) }
  const index = openIndex(typedAs<Database>(client), path)
  const seen = new Set([index.revision()])
  for (let round = 1; round <= 20; round++) {
    seed.team(`team-${round}`)
    seen.add(index.revision())
    seen.add(index.revision())
  }
  expect([seen.size, statements, files()]).toEqual([21, 1, open])
  const last = index.revision()
  index.close()
  seed.db.close()
  expect(index.revision()).toBe(last)
})

test('a file that was replaced between its opening and the first look is not the one that is served', () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const { db } = seeder(path)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  const connection = watchedConnection(db, path, path)
  expect(connection.checkFiles()?.message).toBe(`${path} was replaced by another file.`)
  connection.release()
})
