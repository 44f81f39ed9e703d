import { expect, test } from 'bun:test'
import { createQueue } from '../../../../src/http/cache/queue.ts'
import { countTurns } from '../../../support/turns.ts'

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
