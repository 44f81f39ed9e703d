import { expect, spyOn, test } from 'bun:test'
import { handOver } from '../../../../src/domain/turns.ts'
import { ANYBODY, createPace, createQueue, type Job } from '../../../../src/http/answers/queue.ts'
import { Busy } from '../../../../src/http/request/errors.ts'
import { until } from '../../../support/until.ts'

/** Jobs that note when they begin, and end when the test says so. */
function setUp() {
  const queue = createQueue()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const newJob = (name: string): Job => ({
    begin: () => {
      begun.push(name)
      return new Promise((end) => ends.set(name, end))
    },
  })
  const end = async (name: string) => {
    ends.get(name)?.()
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, newJob, end }
}

test('two jobs run at a time, and clients take turns, however many jobs one waits for', async () => {
  const { queue, begun, newJob, end } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) queue.join(newJob(name), name.charAt(0))
  expect(begun).toEqual(['a1', 'a2'])
  for (let at = 0; at < 4; at++) await end(begun[at] as string)
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4'])
  for (const name of ['b1', 'c1', 'a4']) await end(name)
  for (const name of ['d1', 'd2', 'd3']) queue.join(newJob(name), 'd')
  expect(begun.slice(6)).toEqual(['d1', 'd2'])
})

test('a job that several clients wait for has one place, and begins with the first of their turns', async () => {
  const { queue, begun, newJob, end } = setUp()
  const shared = newJob('shared')
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.join(newJob(name), 'a')
  for (const client of ['a', 'b', 'b', 'c']) queue.join(shared, client)
  await end('a1')
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'shared'])
  await end('a3')
  await end('shared')
  await end('a4')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'shared', 'a4'])
})

test('a job whose clients have left does not begin, and leaves its place to others', async () => {
  const { queue, begun, newJob, end } = setUp()
  const [left, kept] = [newJob('left'), newJob('kept')]
  for (const name of ['a1', 'a2']) queue.join(newJob(name), 'a')
  for (const client of ['b', 'c']) for (const job of [left, kept]) queue.join(job, client)
  for (const client of ['b', 'c']) queue.leave(left, client)
  queue.leave(kept, 'b')
  await end('a1')
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'kept'])
})

test('short jobs of one turn of the event loop begin two at a time, with other work in between', async () => {
  const queue = createQueue()
  const events: string[] = []
  for (let at = 0; at < 6; at++) queue.join({ begin: async () => void events.push(`job ${at}`) }, `${at}`)
  setImmediate(() => events.push('other work'))
  await until(() => events.length === 7)
  expect(events.slice(0, 3)).toEqual(['job 0', 'job 1', 'other work'])
})

test('a client that waits for 64 jobs is refused another, and no other client is', () => {
  const { queue, newJob } = setUp()
  const jobs = Array.from({ length: 66 }, (_, at) => newJob(`${at}`))
  for (const job of jobs) queue.join(job, 'greedy')
  expect(() => queue.join(newJob('more'), 'greedy')).toThrow(Busy)
  expect(() => queue.join(newJob('more'), 'greedy')).toThrow('You are waiting for 64 other responses.')
  // A job that it waits for already.
  queue.join(jobs[65] as Job, 'greedy')
  queue.join(newJob('other'), 'modest')
  queue.leave(jobs[65] as Job, 'greedy')
  expect(() => queue.join(newJob('more'), 'greedy')).toThrow(Busy)
  queue.leave(jobs[65] as Job, 'greedy')
  queue.join(newJob('again'), 'greedy')
})

test('1,024 jobs wait, of clients without an address too, and the next one is refused', () => {
  const { queue, newJob } = setUp()
  for (let at = 0; at < 2 + 1_024; at++) queue.join(newJob(`${at}`), ANYBODY)
  expect(() => queue.join(newJob('last'), ANYBODY)).toThrow(Busy)
  expect(() => queue.join(newJob('last'), 'modest')).toThrow(Busy)
  expect(() => queue.join(newJob('last'), 'modest')).toThrow('The server is overloaded.')
})

test('a job whose clients have left is no longer one of the 1,024', () => {
  const { queue, newJob } = setUp()
  const left = newJob('left')
  for (let at = 0; at < 2 + 1_023; at++) queue.join(newJob(`${at}`), ANYBODY)
  for (const client of ['a', 'b']) queue.join(left, client)
  queue.leave(left, 'a')
  expect(() => queue.join(newJob('last'), ANYBODY)).toThrow(Busy)
  queue.leave(left, 'b')
  queue.join(newJob('last'), ANYBODY)
})

test('nothing goes on once all works have gone on', async () => {
  using turns = spyOn(globalThis, 'setImmediate')
  await Promise.all([handOver(), handOver()])
  expect(turns).toHaveBeenCalledTimes(2)
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
  const [long, half] = ['a'.repeat(20_001), 'a'.repeat(10_000)]
  expect(pace('a'.repeat(20_000))).toBeUndefined()
  expect(pace(long)).toBeInstanceOf(Promise)
  expect(pace(half)).toBeInstanceOf(Promise)
  expect(pace(long, 10_000)).toBeUndefined()
  expect(pace('a')).toBeInstanceOf(Promise)
  // Lines count, however short they are.
  expect(pace('\n'.repeat(1_999))).toBeInstanceOf(Promise)
})
