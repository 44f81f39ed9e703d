import { expect, test } from 'bun:test'
import { Notice } from '../../../src/domain/notice.ts'
import { Refusal, Unavailable } from '../../../src/domain/refusal.ts'
import { redisNotice } from '../../../src/http/limits/limits.ts'
import { createReport, entryLines, type LogEntry } from '../../../src/log/report.ts'

function reported(...events: unknown[]): LogEntry[] {
  const entries: LogEntry[] = []
  const report = createReport((entry) => entries.push(entry))
  for (const event of events) report(event)
  return entries
}

test('each event has a name and a level that a program can go by', () => {
  const events = [
    new Notice('database_reopened', 'Reopened the database x.db.'),
    redisNotice('Redis does not work.', false),
    redisNotice('Redis works again.', true),
    new Unavailable('Lost the database.', { hint: 'To restore it: changelogd restore FILE' }),
    new Refusal('It cannot be done.'),
  ]
  expect(reported(...events)).toEqual([
    { level: 'info', event: 'database_reopened', message: 'Reopened the database x.db.' },
    { level: 'warning', event: 'redis_lost', message: 'Redis does not work.' },
    { level: 'info', event: 'redis_back', message: 'Redis works again.' },
    {
      level: 'error',
      event: 'database_unavailable',
      message: 'Lost the database. To restore it: changelogd restore FILE',
    },
    { level: 'error', event: 'error', message: 'It cannot be done.' },
  ])
})

test('an error is one entry with its causes, and is written once', () => {
  const cause = new Error('the disk is full')
  const error = new Unavailable('Cannot read.', { cause })
  const [entry, ...others] = reported(error, error, cause)
  expect(entry?.message).toMatch(/^Cannot read\.\nError: the disk is full\n +at /)
  expect(others).toEqual([])
})

test('as JSON an entry is one line without a control character, and as text it is its message, after the time if that is not noted elsewhere', () => {
  const message = 'one\ntwo\u001b[31m\u007f\u009b\u2028 \u00e9'
  const entry: LogEntry = { level: 'error', event: 'error', message }
  expect(entryLines('text', entry, 0, false)).toBe(message)
  expect(entryLines('text', entry, 0, true)).toBe(`1970-01-01T00:00:00.000Z ${message}`)
  const line = entryLines('json', entry, 0, true)
  expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  expect(JSON.parse(line)).toEqual({ time: '1970-01-01T00:00:00.000Z', ...entry })
  expect(Object.keys(JSON.parse(line))).toEqual(['time', 'level', 'event', 'message'])
})
