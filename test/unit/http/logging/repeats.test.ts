import { expect, test } from 'bun:test'
import { createRepeats } from '../../../../src/http/logging/repeats.ts'
import type { LogEntry } from '../../../../src/log/report.ts'

test('an error that meets every request is reported once a minute, another one at once', () => {
  let now = 0
  const reported: unknown[] = []
  const report = createRepeats<unknown>(
    (error) => reported.push(error),
    String,
    () => now,
  )
  const errors = Array.from({ length: 4 }, () => new Error('The database is damaged.'))
  report(errors[0])
  now = 59_999
  report(errors[1])
  const other = new Error('Something else.')
  report(other)
  report(errors[1])
  now = 60_000
  report(errors[2])
  report(errors[3])
  expect(reported).toEqual([errors[0], other, errors[2]])
  expect(reported[2]).toBe(errors[2])
})

test('however many different errors there are, only some are known', () => {
  const reported: unknown[] = []
  const report = createRepeats<unknown>(
    (error) => reported.push(error),
    String,
    () => 0,
  )
  report('first')
  for (let n = 0; n < 100; n++) report(`${n}`)
  report('first')
  expect(reported).toHaveLength(102)
})

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
    report: createRepeats<LogEntry>(
      ({ message }) => said.push(message),
      ({ event, message }) => (event === 'error' ? message : event),
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
