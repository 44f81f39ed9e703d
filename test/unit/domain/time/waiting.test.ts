import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY_MS } from '../../../../src/domain/time/time.ts'
import { inTime, pause } from '../../../../src/domain/time/waiting.ts'
import { startLoop } from '../../../../src/worker/loop.ts'

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
