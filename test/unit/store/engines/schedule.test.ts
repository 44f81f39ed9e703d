import { expect, test } from 'bun:test'
import { ALWAYS, includes, windowOf } from '../../../../src/store/engines/schedule.ts'

test('a window begins with the last scheduled publication and ends before the next', () => {
  const window = windowOf(['10', 20])
  expect([9, 10, 19, 20].map((now) => includes(window, now))).toEqual([false, true, true, false])
  expect([-1, 9, 10].map((now) => includes(windowOf([null, 10]), now))).toEqual([true, true, false])
  expect([9, 10].map((now) => includes(windowOf([10, null]), now))).toEqual([false, true])
})

test('without scheduled versions there is one window, for which no clock is asked', () => {
  expect(windowOf([null, null])).toBe(ALWAYS)
})
