import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Refusal, Unavailable } from '../../../../src/domain/refusal.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { scratch } from '../../../support/scratch.ts'

let directory: ReturnType<typeof scratch>
let other: Database
let mine: Database

beforeEach(() => {
  directory = scratch()
  other = new Database(join(directory.path, 'x.db'))
  other.run('PRAGMA journal_mode = WAL')
  mine = new Database(join(directory.path, 'x.db'))
  other.run('BEGIN IMMEDIATE')
})
afterEach(() => {
  for (const db of [other, mine]) db.close()
  directory[Symbol.dispose]()
})

const write = () => {
  mine.run('BEGIN IMMEDIATE')
  mine.run('COMMIT')
  return 'written'
}

test('a lock is waited for until it is free, and the wait is announced once', async () => {
  let notices = 0
  let attemptsAfter = 0
  const waiting = createWaiting(undefined, async () => {
    notices++
  })
  const attempt = () => {
    if (notices > 0 && attemptsAfter++ === 10) other.run('COMMIT')
    return write()
  }
  expect(await waiting.untilFree(attempt)).toBe('written')
  other.run('BEGIN IMMEDIATE')
  attemptsAfter = 0
  expect(await waiting.untilFree(attempt)).toBe('written')
  expect(notices).toBe(1)
})

test('the limit is for all waits of a command together', async () => {
  const waiting = createWaiting(50)
  expect(await waiting.untilFree(write).catch((error) => error)).toBeInstanceOf(Unavailable)
  let attempts = 0
  await waiting
    .untilFree(() => {
      attempts++
      return write()
    })
    .catch(() => {})
  expect(attempts).toBe(1)
})

test('an error that is not a lock ends the wait at once', async () => {
  const refusal = new Refusal('No.')
  const waiting = createWaiting()
  const error = await waiting
    .untilFree(() => {
      throw refusal
    })
    .catch((error) => error)
  expect(error).toBe(refusal)
})
