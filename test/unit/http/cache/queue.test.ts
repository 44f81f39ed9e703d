import { expect, test } from 'bun:test'
import { Busy, createPace, createQueue, handOver } from '../../../../src/http/cache/queue.ts'

/** Work that notes when it begins, and goes on for a turn. */
const noted = (events: string[], name: string) => async () => {
  events.push(name)
  await handOver()
  return name
}

test('two works run at a time, and clients take turns, however many works one has', async () => {
  const queue = createQueue(() => 0)
  const events: string[] = []
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) =>
    queue.run(name.charAt(0), noted(events, name)),
  )
  expect(events).toEqual(['a1', 'a2'])
  await Promise.all(all)
  expect(events).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4'])
})

test('a work that fails frees its place', async () => {
  const queue = createQueue()
  const failed = Array.from({ length: 5 }, () => queue.run('a', () => Promise.reject(new Error('no'))))
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(await queue.run('a', async () => 'yes')).toBe('yes')
})

test('no work begins in a turn of the event loop that has been long', async () => {
  let now = 0
  const queue = createQueue(() => now)
  await queue.run('a', async () => {
    now += 5
  })
  expect(queue.isTurnLong()).toBe(true)
  let hasBegun = false
  const next = queue.run('b', async () => {
    hasBegun = true
  })
  await Promise.resolve()
  expect(hasBegun).toBe(false)
  await next
  expect(queue.isTurnLong()).toBe(false)
})

test('too many that wait are refused', async () => {
  const queue = createQueue()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const all = Array.from({ length: 2 + 1_024 }, (_, at) => queue.run(`${at}`, () => end))
  await expect(queue.run('last', () => end)).rejects.toThrow(Busy)
  resolve()
  await Promise.all(all)
})

test('works that hand over go on one in a turn of the event loop, in their order', async () => {
  const steps: string[] = []
  const turns = new Set<number>()
  let turn = 0
  const tick = () => {
    turn++
    if (steps.length < 4) setImmediate(tick)
  }
  setImmediate(tick)
  const work = async (name: string) => {
    for (let step = 1; step <= 2; step++) {
      await handOver()
      steps.push(`${name}${step}`)
      turns.add(turn)
    }
  }
  await Promise.all([work('a'), work('b')])
  expect(steps).toEqual(['a1', 'b1', 'a2', 'b2'])
  expect(turns.size).toBe(4)
})

test('a response lets others in before it renders a long text, or many of them', () => {
  const pace = createPace()
  expect(pace(20_001)).toBeInstanceOf(Promise)
  expect(pace(1)).toBeInstanceOf(Promise)
  expect(pace(19_999)).toBeUndefined()
  expect(pace(1)).toBeInstanceOf(Promise)
})
