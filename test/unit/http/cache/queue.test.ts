import { expect, test } from 'bun:test'
import { createQueue } from '../../../../src/http/cache/queue.ts'

test('works run one after another', async () => {
  const queue = createQueue()
  const events: string[] = []
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      queue(async () => {
        events.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        events.push(`${name} ends`)
      }),
    ),
  )
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('a work that fails does not stop the others', async () => {
  const queue = createQueue()
  const failed = queue(() => Promise.reject(new Error('no')))
  const next = queue(() => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
