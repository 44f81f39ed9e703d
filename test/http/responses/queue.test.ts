import { expect, test } from 'bun:test'
import { createQueue } from '../../../src/http/responses/queue.ts'

test('works run one after another, each in a turn of the event loop of its own', async () => {
  const queue = createQueue()
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const events: string[] = []
  const turns: number[] = []
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      queue(async () => {
        turns.push(turn)
        events.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        events.push(`${name} ends`)
      }),
    ),
  )
  isOver = true
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(new Set(turns).size).toBe(3)
})

test('a work that fails does not stop the others', async () => {
  const queue = createQueue()
  const failed = queue(() => Promise.reject(new Error('no')))
  const next = queue(() => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
