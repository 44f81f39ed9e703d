import { expect, test } from 'bun:test'
import { createErrorLog } from '../../../../src/http/logging/error-log.ts'

test('an error that meets every request is reported once a minute, another one at once', () => {
  let now = 0
  const reported: unknown[] = []
  const report = createErrorLog(
    (error) => reported.push(error),
    () => now,
  )
  const errors = Array.from({ length: 4 }, () => new Error('The database is damaged.'))
  report(errors[0])
  now = 59_999
  report(errors[1])
  const other = new Error('Something else.')
  report(other)
  now = 60_000
  report(errors[2])
  report(errors[3])
  expect(reported).toEqual([errors[0], other, errors[2]])
  expect(reported[2]).toBe(errors[2])
})

test('however many different errors there are, only some are known', () => {
  const reported: unknown[] = []
  const report = createErrorLog(
    (error) => reported.push(error),
    () => 0,
  )
  report('first')
  for (let n = 0; n < 100; n++) report(`${n}`)
  report('first')
  expect(reported).toHaveLength(102)
})
