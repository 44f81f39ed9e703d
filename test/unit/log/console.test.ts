import { expect, test } from 'bun:test'
import type { Notice } from '../../../src/domain/notice.ts'
import { reportConsole } from '../../../src/log/console.ts'

test('what the runtime prints is reported, except that it listens to PostgreSQL again', () => {
  const reported: unknown[] = []
  const printer = { log: () => {}, info: () => {}, debug: () => {}, warn: () => {}, error: () => {} }
  const printing: typeof console = Object.assign(Object.create(console), printer)
  reportConsole(printing, (event) => reported.push(event))
  printing.warn('bun:sql LISTEN "changelogd" failed, retrying: Failed to connect')
  printing.error(new TypeError('odd'), 'in', 3)
  printing.log('plain')
  expect(reported.map((event) => ({ ...(event as Notice) }))).toEqual([
    { event: 'runtime', message: 'TypeError: odd in 3', level: 'warning' },
    { event: 'runtime', message: 'plain', level: 'warning' },
  ])
})
