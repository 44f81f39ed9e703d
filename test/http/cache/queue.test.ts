import { expect, test } from 'bun:test'
import { createQueue, createSlots } from '../../../src/http/cache/queue.ts'
import { countTurns } from '../../support/turns.ts'

test('works run one after another, each in a turn of the event loop of its own', async () => {
  const queue = createQueue()
  using turns = countTurns()
  const events: string[] = []
  const begun: number[] = []
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      queue(async () => {
        begun.push(turns.now)
        events.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        events.push(`${name} ends`)
      }),
    ),
  )
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(new Set(begun).size).toBe(3)
})

test('a work that fails does not stop the others', async () => {
  const queue = createQueue()
  const failed = queue(() => Promise.reject(new Error('no')))
  const next = queue(() => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('no more works run at a time than there are slots, and the others begin in turns of their own', async () => {
  const slots = createSlots(2)
  using turns = countTurns()
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = async (fails: boolean) => {
    begun.push(turns.now)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    if (fails) throw new Error('no')
  }
  // A work that fails gives its slot back too.
  const results = await Promise.allSettled(
    [true, false, false, true, false].map((fails) => slots(() => work(fails))),
  )
  expect(results.map(({ status }) => status === 'rejected')).toEqual([true, false, false, true, false])
  expect(most).toBe(2)
  expect(new Set(begun.slice(0, 2)).size).toBe(1)
  expect(begun[2]).toBeGreaterThan(begun[0] as number)
})
