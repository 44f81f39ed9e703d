import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, Unavailable } from '../../../../src/domain/refusal.ts'
import { readFault, writeFault } from '../../../../src/files/access.ts'
import { fileError } from '../../../../src/files/errors.ts'
import { translateErrors } from '../../../../src/store/sqlite/database.ts'
import { engineError, isDamage } from '../../../../src/store/sqlite/errors.ts'
import { scratch } from '../../../support/scratch.ts'

/** What `work` throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('a broken rule of the database is a refusal, not a failure of the engine', () => {
  using db = new Database(':memory:')
  db.run('CREATE TABLE t (a INTEGER UNIQUE)')
  db.run('INSERT INTO t VALUES (1)')
  const error = thrownBy(() => translateErrors('x.db', () => db.run('INSERT INTO t VALUES (1)')))
  expect(error).toBeInstanceOf(Refusal)
  expect(error).not.toBeInstanceOf(Unavailable)
  expect((error as Refusal).message).toBe('The database rejected the change: UNIQUE constraint failed: t.a.')
})

test('another writer that does not finish is unavailable, with what to do', () => {
  using directory = scratch()
  using one = new Database(join(directory.path, 'x.db'))
  using other = new Database(join(directory.path, 'x.db'))
  one.run('BEGIN IMMEDIATE')
  const error = engineError(
    thrownBy(() => other.run('BEGIN IMMEDIATE')),
    'x.db',
  )
  expect(error).toBeInstanceOf(Unavailable)
  expect(error).toMatchObject({ hint: 'Try again when it is done.' })
})

test('any other failure of the engine is unavailable and begins with what was being done', () => {
  using directory = scratch()
  const path = join(directory.path, 'notes')
  writeFileSync(path, 'notes '.repeat(1_000))
  using db = new Database(path)
  const failure = thrownBy(() => db.query('SELECT * FROM sqlite_schema').all())
  expect(isDamage(failure)).toBe(true)
  const error = engineError(failure, path, 'Cannot open it') as Unavailable
  expect(error).toBeInstanceOf(Unavailable)
  expect(error.message).toBe('Cannot open it: file is not a database.')
  expect(error.cause).toBe(failure)
})

test('a failure of the file system begins with what was being done', () => {
  const failure = thrownBy(() => readFileSync('/nowhere/x'))
  const error = fileError(failure, '/nowhere/x', 'Cannot read /nowhere/x') as Unavailable
  expect(error).toBeInstanceOf(Unavailable)
  expect(error.message).toMatch(/^Cannot read \/nowhere\/x: ENOENT: .*[^.]\.$/)
})

test('each translator leaves alone what is not its own', () => {
  using db = new Database(':memory:')
  const engine = thrownBy(() => db.run('nonsense'))
  const file = thrownBy(() => readFileSync('/nowhere/x'))
  const others = [new Refusal('No.'), new Error('a defect'), 'text', undefined]
  for (const error of [file, ...others]) expect(engineError(error, 'x.db')).toBe(error)
  for (const error of [engine, ...others]) expect(fileError(error, 'x.db', 'Cannot read it')).toBe(error)
})

test('a disk that is full or fails is named as that, with what to do', () => {
  const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code })
  for (const code of ['ENOSPC', 'EDQUOT'])
    expect(fileError(failure(code), '/data/x.db', 'Cannot write x.db')).toMatchObject({
      message: 'Cannot write x.db: the disk is full.',
      hint: expect.stringContaining('df -h /data'),
    })
  const broken = fileError(failure('EIO'), '/data/x.db', 'Cannot write x.db') as Unavailable
  expect(broken.message).toBe('Cannot write x.db: the disk failed (EIO: it failed).')
  expect(broken.hint).toContain('changelogd doctor --db /data/x.db')
})

test('a link that leads to itself, or a file that has gone, has no fault of its own to tell', () => {
  using directory = scratch()
  const loop = join(directory.path, 'loop')
  symlinkSync('loop', loop)
  for (const path of [loop, join(loop, 'x.db'), join(directory.path, 'gone', 'x.db')])
    expect([readFault(path), writeFault(path, `${path}-wal`)]).toEqual([null, null])
})
