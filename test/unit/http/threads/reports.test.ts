import { expect, test } from 'bun:test'
import { createReports } from '../../../../src/http/threads/reports.ts'
import type { LogEntry } from '../../../../src/log/report.ts'

const lost = notice('Lost the database.')

function notice(message: string): LogEntry {
  return { level: 'error', event: 'database_unavailable', message }
}

function open() {
  const said: string[] = []
  const clock = { now: 0 }
  return {
    said,
    clock,
    report: createReports(
      ({ message }) => said.push(message),
      () => clock.now,
    ),
  }
}

test('what several threads say of one event is reported once', () => {
  const { said, report } = open()
  for (const thread of [1, 2, 3]) report(lost, thread)
  report(notice('It was refused.'), 4)
  for (const message of ['An error.', 'Another.', 'Another.'])
    for (const thread of [1, 2]) report({ level: 'error', event: 'error', message }, thread)
  expect(said).toEqual(['Lost the database.', 'An error.', 'Another.', 'Another.'])
})

test('what one thread says twice has happened twice', () => {
  const { said, report } = open()
  for (const thread of [1, 2, 1, 2]) report(lost, thread)
  expect(said).toEqual(['Lost the database.', 'Lost the database.'])
})

test('what another thread says a minute later is another event', () => {
  const { said, clock, report } = open()
  report(lost, 1)
  clock.now = 60_000
  report(lost, 2)
  expect(said).toEqual(['Lost the database.', 'Lost the database.'])
})
