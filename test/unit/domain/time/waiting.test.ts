import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY_MS } from '../../../../src/domain/time/time.ts'
import { inTime, pause } from '../../../../src/domain/time/waiting.ts'
import { runOnce, startLoop } from '../../../../src/worker/loop.ts'

/** More than a timer takes. */
const LONG_MS = 30 * DAY_MS
/** A timer that overflows fires after one millisecond. */
const isOver = (wait: Promise<unknown>) =>
  Promise.race([
    wait.then(
      () => true,
      () => true,
    ),
    Bun.sleep(50).then(() => false),
  ])

test('a pause of a month does not end at once, and ends when it is aborted', async () => {
  const stopping = new AbortController()
  const wait = pause(LONG_MS, stopping.signal)
  expect(await isOver(wait)).toBe(false)
  stopping.abort()
  await wait
  await pause(LONG_MS, stopping.signal)
})

test('a short pause ends', async () => {
  for (const ms of [-1, 0, 1]) await pause(ms)
})

test('work that may take a month is not late at once', async () => {
  const work = Promise.withResolvers<string>()
  const result = inTime(LONG_MS, work.promise, () => new Error('late'))
  expect(await isOver(result)).toBe(false)
  work.resolve('done')
  expect(await result).toBe('done')
})

test('a job that is due in a month is called once', async () => {
  let rounds = 0
  const round = async (now: number) => {
    rounds++
    return now + LONG_MS
  }
  const loop = startLoop([{ round }], Date.now, () => {})
  expect(await isOver(loop.ended)).toBe(false)
  expect(rounds).toBe(1)
  loop.hurry()
  expect(await isOver(loop.ended)).toBe(false)
  expect(rounds).toBe(2)
  loop.stop()
  await loop.ended
})

test('a job that is hurried during a round is called once more when that ends', async () => {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let rounds = 0
  const round = async (now: number) => {
    rounds++
    if (rounds === 1) await first.promise
    else second.resolve()
    return now + LONG_MS
  }
  const loop = startLoop([{ round }], Date.now, () => {})
  loop.hurry()
  first.resolve()
  await second.promise
  loop.stop()
  await loop.ended
  expect(rounds).toBe(2)
})

test('a job that fails is reported, runs again when it is hurried, and says when it has ended', async () => {
  const called: string[] = []
  const failed = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const job = {
    round: async (now: number) => {
      called.push('round')
      if (called.length === 1) throw new Error('No.')
      if (called.length === 3) return now
      if (called.length > 3) second.resolve()
      return now + LONG_MS
    },
    hurry: () => void called.push('hurry'),
    ended: async () => {
      throw new Error('No end.')
    },
  }
  const reported: string[] = []
  const loop = startLoop([job], Date.now, (error) => {
    reported.push(String(error))
    failed.resolve()
  })
  await failed.promise
  expect(await isOver(loop.ended)).toBe(false)
  loop.hurry()
  await second.promise
  loop.stop()
  await loop.ended
  // The third is called at once: it was due when the second had ended.
  expect(called).toEqual(['round', 'hurry', 'round', 'round'])
  expect(reported).toEqual(['Error: No.', 'Error: No end.'])
})

test('jobs that run once all end before the first error is thrown', async () => {
  const called: string[] = []
  const job = (name: string, fails: boolean) => ({
    round: async (now: number) => {
      called.push(name)
      if (fails) throw new Error(name)
      return now
    },
    ended: async () => void called.push(`${name} ended`),
  })
  const { signal } = new AbortController()
  await runOnce([job('a', false), job('b', false)], Date.now, signal)
  const failing = runOnce([job('c', true), job('d', false), job('e', true)], Date.now, signal)
  await expect(failing).rejects.toThrow('c')
  expect(called.sort()).toEqual(['a', 'a ended', 'b', 'b ended', 'c', 'd', 'd ended', 'e'])
})

test('the program waits in one way only, which no length of time overflows', async () => {
  const root = join(import.meta.dir, '../../../../src')
  const others: string[] = []
  for await (const path of new Bun.Glob('**/*.ts').scan(root))
    if (
      path !== 'domain/time/waiting.ts' &&
      /\bBun\.sleep|timers\/promises/.test(await Bun.file(join(root, path)).text())
    )
      others.push(path)
  expect(others).toEqual([])
})
