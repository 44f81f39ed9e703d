import { expect, test } from 'bun:test'
import { oldestFirst } from '../../../../src/domain/versions/order.ts'

/** `1.0.0@5`: a version of that day. */
const inOrder = (file: string) =>
  oldestFirst(
    file.split(' ').map((text) => {
      const [label = '', day] = text.split('@')
      return { label, date: day === undefined ? null : Date.UTC(2026, 0, Number(day)) }
    }),
  )
    .map(({ label }) => label)
    .join(' ')

test.each([
  ['dates tell, whatever the numbers say', '2.0.0@1 1.9.1@2 3.0.0@3', '2.0.0 1.9.1 3.0.0'],
  ['dates tell, though most are missing', '1.0.0@9 1.1.0 1.2.0 2.0.0@1', '2.0.0 1.2.0 1.1.0 1.0.0'],
  ['numbers tell where there are no dates', '1.0.0 1.1.0 2.0.0', '1.0.0 1.1.0 2.0.0'],
  ['numbers tell where all dates are one', '1.9@1 1.10@1 Unreleased', '1.9 1.10 Unreleased'],
  ['a file with one date has no way by dates', '1.0.0@1 1.1.0 1.2.0', '1.0.0 1.1.0 1.2.0'],
  ['most numbers tell', '3.1.0 2.9.5 3.0.0 2.9.4 2.9.3', '2.9.3 2.9.4 3.0.0 2.9.5 3.1.0'],
  ['two numbers tell', '2.0.0-beta.1 2.0.0', '2.0.0-beta.1 2.0.0'],
  ['names tell nothing, so the newest is on top', 'Autumn Summer Spring', 'Spring Summer Autumn'],
  ['parts are in order, each from its newest', '1.2 1.1 1.0 2.1 2.0 3.0', '1.0 1.1 1.2 2.0 2.1 3.0'],
  ['parts are in order, each from its oldest', '2.0 2.1 2.2 1.0 1.1', '1.0 1.1 2.0 2.1 2.2'],
  [
    'what has no number stays in its part',
    'Unreleased 1.1 1.0 Old 2.2 2.1 2.0',
    '1.0 1.1 Unreleased 2.0 2.1 2.2 Old',
  ],
])('%s', (_, file, oldest) => {
  expect(inOrder(file)).toBe(oldest)
})
