import { expect, test } from 'bun:test'
import { titleBeside } from '../../../../src/domain/versions/title.ts'

test.each([
  ['4.0.0', 'v4.0.0 — Harbor Edge', 'Harbor Edge'],
  ['v4.0.0', '4.0.0: Harbor Edge', 'Harbor Edge'],
  ['v4.0.0', 'V4.0.0 Harbor', 'Harbor'],
  ['pkg@1.2.0', '1.2.0 - Harbor', 'Harbor'],
  ['4.0.0', '4.0.0', null],
  ['4.0.0', 'v4.0.0', null],
  ['4.0', '4.0.1 is broken', '4.0.1 is broken'],
  ['4.0.0', '4.0.0-rc.1 becomes final', '4.0.0-rc.1 becomes final'],
  ['4.0.0', '4.0.0 (Harbor)', '4.0.0 (Harbor)'],
  ['1', '1 million users', '1 million users'],
  ['4.0.0', 'Harbor 4.0.0', 'Harbor 4.0.0'],
])('beside %s, the title %s is %s', (label, title, beside) => {
  expect(titleBeside({ label, title })).toBe(beside)
})
