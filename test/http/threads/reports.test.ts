import { expect, test } from 'bun:test'
import { createReports } from '../../../src/http/threads/reports.ts'

function open() {
  const said: string[] = []
  const clock = { now: 0 }
  return {
    said,
    clock,
    report: createReports(
      (text) => said.push(text),
      () => clock.now,
    ),
  }
}

test('what several threads say of one event is reported once', () => {
  const { said, report } = open()
  for (const thread of [1, 2, 3]) report('Lost the database.', thread)
  report('Something else.', 2)
  expect(said).toEqual(['Lost the database.', 'Something else.'])
})

test('what one thread says twice has happened twice', () => {
  const { said, report } = open()
  for (const thread of [1, 2, 1, 2]) report('Lost the database.', thread)
  expect(said).toEqual(['Lost the database.', 'Lost the database.'])
})

test('what another thread says a minute later is another event', () => {
  const { said, clock, report } = open()
  report('Lost the database.', 1)
  clock.now = 60_000
  report('Lost the database.', 2)
  expect(said).toEqual(['Lost the database.', 'Lost the database.'])
})
