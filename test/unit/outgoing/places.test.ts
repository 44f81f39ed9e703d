import { expect, test } from 'bun:test'
import { Places } from '../../../src/outgoing/places.ts'
import { until } from '../../support/until.ts'

/** What runs now, of what was added and never ends. */
function running(tasks: readonly [host: string, isFailing: boolean][]) {
  const places = new Places({ all: 8, ofHost: 3, slowMs: Infinity })
  const begun: string[] = []
  for (const [at, [host, isFailing]] of tasks.entries())
    void places.add(String(at), { host, isFailing }, () => {
      begun.push(`${host}${isFailing ? ' failing' : ''}`)
      return new Promise(() => {})
    })
  return Map.groupBy(begun, (each) => each)
    .entries()
    .map(([what, all]) => [what, all.length])
    .toArray()
}

const many = (host: string, isFailing: boolean) =>
  Array.from({ length: 20 }, (): [string, boolean] => [host, isFailing])

test('a host that hangs takes few places, and leaves the others to other hosts', () => {
  expect(running([...many('a', false), ...many('b', false)])).toEqual([
    ['a', 3],
    ['b', 3],
  ])
})

test('what failed last time takes two places of a host, and half of all', () => {
  const failing = ['a', 'b', 'c', 'd', 'e'].flatMap((host) => many(host, true))
  expect(running([...failing, ...many('a', false), ...many('f', false)])).toEqual([
    ['a failing', 2],
    ['b failing', 2],
    ['a', 3],
    ['f', 1],
  ])
})

test('what waits begins in its order as soon as there is room, also if one before it fails', async () => {
  const places = new Places({ all: 1, ofHost: 1, slowMs: Infinity })
  const begun: number[] = []
  const results = [0, 1, 2].map((at) =>
    places.add(String(at), { host: 'a', isFailing: false }, async () => {
      begun.push(at)
      if (at === 1) throw new Error('no')
    }),
  )
  expect([places.has('0'), places.has('2'), begun]).toEqual([true, true, [0]])
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  await places.ended()
  expect([places.has('2'), begun]).toEqual([false, [0, 1, 2]])
})

test('what takes long makes room for others of its host, while half of all are free', async () => {
  const places = new Places({ all: 8, ofHost: 2, slowMs: 1 })
  const begun: number[] = []
  for (let at = 0; at < 20; at++)
    void places.add(String(at), { host: 'a', isFailing: false }, () => {
      begun.push(at)
      return new Promise(() => {})
    })
  expect(begun).toEqual([0, 1])
  await until(() => begun.length === 5)
  await Bun.sleep(20)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
