import { expect, test } from 'bun:test'
import { createSlots } from '../../../../src/http/cache/slots.ts'
import { createTurn } from '../../../../src/http/cache/turn.ts'
import { countTurns } from '../../../support/turns.ts'

let connections = 0
/** Each is a connection of its own. */
const client = (name: string) => ({ name, connection: `${++connections}`, isPipelined: false })

const short = () => createTurn(() => 0)

test('no more works run at a time than there are slots, and the others begin in turns of their own', async () => {
  const slots = createSlots(2, short())
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
    [true, false, false, true, false].map((fails) => slots.run(client(''), '', () => work(fails))),
  )
  expect(results.map(({ status }) => status === 'rejected')).toEqual([true, false, false, true, false])
  expect(most).toBe(2)
  expect(new Set(begun.slice(0, 2)).size).toBe(1)
  expect(begun[2]).toBeGreaterThan(begun[0] as number)
})

test('clients take turns, and a work that several wait for begins with the first of their turns, once', async () => {
  const slots = createSlots(1, short())
  const begun: string[] = []
  const works: Promise<void>[] = []
  const ask = (name: string, key: string) => {
    works.push(
      slots.run(client(name), key, async () => {
        begun.push(key)
      }),
    )
  }
  for (const key of ['a1', 'a2', 'a3', 'a4', 'a5']) ask('a', key)
  ask('b', 'b1')
  slots.join('c', 'a5')
  slots.join('c', 'a1')
  slots.join('c', 'never')
  ask('c', 'c1')
  ask('b', 'b2')
  await Promise.all(works)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a5', 'a3', 'b2', 'c1', 'a4'])
})
