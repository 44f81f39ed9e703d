import { expect, test } from 'bun:test'
import { createTurns } from '../../../src/domain/turns.ts'

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
