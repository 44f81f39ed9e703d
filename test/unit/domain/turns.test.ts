import { expect, test } from 'bun:test'
import { createTurns, inTurns } from '../../../src/domain/turns.ts'

test('one piece of work runs at a time, in order, and whoever waits comes after one of each other', async () => {
  const inTurn = createTurns()
  const done: string[] = []
  let running = 0
  const work = (whose: string, name: string) =>
    inTurn(whose, async () => {
      expect(++running).toBe(1)
      await Bun.sleep(0)
      running--
      done.push(name)
      return name
    })
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')]
  await all[0]
  all.push(work('b', 'b2'))
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('work that fails holds up nothing', async () => {
  const inTurn = createTurns()
  const failing = inTurn('a', () => Promise.reject(new Error('no')))
  const next = inTurn('a', async () => 'next')
  expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await inTurn('b', async () => 'later')).toBe('later')
})

test('work on many items lets other work in, and keeps their order', async () => {
  const events: number[] = []
  let others = 0
  let waiting: ReturnType<typeof setImmediate>
  const other = () => {
    others++
    waiting = setImmediate(other)
  }
  waiting = setImmediate(other)
  const work = async (item: number, at: number) => events.push(item - at)
  await inTurns([5], work)
  const alone = others
  await inTurns(
    Array.from({ length: 2_000 }, (_, at) => at),
    work,
  )
  clearImmediate(waiting)
  expect(events).toEqual([5, ...Array.from({ length: 2_000 }, () => 0)])
  expect([alone, others > 90]).toEqual([0, true])
})
