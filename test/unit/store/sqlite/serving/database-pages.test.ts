import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  hasPagesOfWal,
  isPartlyCopied,
  isSameSample,
  sampleOf,
  usesWal,
} from '../../../../../src/store/sqlite/serving/database-pages.ts'
import { openIndex, type WalIndex } from '../../../../../src/store/sqlite/serving/wal-index.ts'
import { scratch } from '../../../../support/scratch.ts'

const LARGE = 200

let directory: ReturnType<typeof scratch>
let path: string
let db: Database
let index: WalIndex
let file: number
let log: number

beforeEach(() => {
  directory = scratch()
  path = join(directory.path, 'x.db')
  db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('CREATE TABLE t (a INTEGER, b TEXT)')
  index = openIndex(path, db, 0)
  file = openSync(path, 'r+')
  log = openSync(`${path}-wal`, 'r')
})
afterEach(() => {
  db.close()
  index.close()
  closeSync(file)
  closeSync(log)
  directory[Symbol.dispose]()
})

const insert = (rows: number) => {
  for (let row = 0; row < rows; row++) db.run('INSERT INTO t VALUES (?, ?)', [row, 'x'.repeat(4_000)])
}
const copy = () => db.run('PRAGMA wal_checkpoint(PASSIVE)')
const checkpoints = () => {
  const found = index.checkpoints()
  if (!found) throw new Error('there is no index')
  return found
}

test('the index tells what has been copied from the log, and a stamp for each copying', () => {
  insert(3)
  const pending = checkpoints()
  expect(pending).toMatchObject({ isComplete: false, isUnfinished: false, copied: 0 })
  insert(1)
  expect(checkpoints().stamp).toBe(pending.stamp)
  copy()
  const copied = checkpoints()
  expect(copied).toMatchObject({ isComplete: true, isUnfinished: false, pageSize: 4_096 })
  expect(copied.copied).toBeGreaterThan(4)
  expect(copied.pages * copied.pageSize).toBe(readFileSync(path).length)
  expect(copied.stamp).not.toBe(pending.stamp)
  insert(1)
  expect(checkpoints().stamp).not.toBe(copied.stamp)
})

test('a file that has the pages of its log is told from one that has not, in whichever page', () => {
  insert(3)
  copy()
  expect(hasPagesOfWal(log, file, checkpoints())).toBe(true)
  const whole = readFileSync(path)
  for (let page = 0; page < whole.length / 4_096; page++) {
    writeSync(file, 'y', page * 4_096 + 4_000)
    expect(hasPagesOfWal(log, file, checkpoints())).toBe(false)
    writeSync(file, whole, page * 4_096, 4_096, page * 4_096)
    expect(hasPagesOfWal(log, file, checkpoints())).toBe(true)
  }
  writeFileSync(path, whole.subarray(0, 4_096))
  expect(hasPagesOfWal(log, file, checkpoints())).toBe(false)
})

test('what cannot be told is not held against the file', () => {
  expect(hasPagesOfWal(log, file, checkpoints())).toBe(true)
  insert(LARGE)
  copy()
  const before = checkpoints()
  insert(1)
  writeSync(file, 'y', 4_000)
  // Changes that have not been copied; and frames of a log that has begun anew.
  expect(hasPagesOfWal(log, file, checkpoints())).toBe(true)
  insert(LARGE)
  expect(hasPagesOfWal(log, file, before)).toBe(true)
})

test('a file to which some pages of the log were copied is told from one that has any other page', () => {
  insert(3)
  copy()
  const [before, old] = [sampleOf(file), readFileSync(path)]
  db.run("UPDATE t SET b = 'changed'")
  const logged = checkpoints()
  expect(isPartlyCopied(before, log, file, logged)).toBe(true)
  copy()
  const whole = readFileSync(path)
  const pages = Array.from({ length: whole.length / 4_096 }, (_, page) => page * 4_096)
  const changed = pages.filter((at) => !whole.subarray(at, at + 4_096).equals(old.subarray(at, at + 4_096)))
  expect(changed.length).toBeGreaterThan(2)
  // As it was, then with one more page of the log at each step.
  writeFileSync(path, old)
  for (const at of changed) {
    writeSync(file, whole, at, 4_096, at)
    expect(isPartlyCopied(before, log, file, logged)).toBe(true)
  }
  for (const at of pages) {
    writeSync(file, 'y', at + 4_000)
    expect(isPartlyCopied(before, log, file, logged)).toBe(false)
    writeSync(file, whole, at, 4_096, at)
  }
})

test('a sample tells files apart by their size and their bytes', () => {
  insert(10)
  copy()
  const sample = sampleOf(file)
  expect(isSameSample(sampleOf(file), sample)).toBe(true)
  writeSync(file, 'y', 10_000)
  expect(isSameSample(sampleOf(file), sample)).toBe(false)
  insert(LARGE)
  copy()
  const large = sampleOf(file)
  insert(1)
  copy()
  expect(isSameSample(sampleOf(file), large)).toBe(false)
})

test('a database that uses a log says so in its first bytes', () => {
  copy()
  expect(usesWal(file)).toBe(true)
  const backup = join(directory.path, 'backup.db')
  db.run('VACUUM INTO ?', [backup])
  const other = openSync(backup, 'r')
  expect(usesWal(other)).toBe(false)
  closeSync(other)
})
