import { expect, test } from 'bun:test'
import { Places } from '../../../src/outgoing/places.ts'

/** How many run now for each host, of what was added and never ends. */
function running(hosts: readonly string[]) {
  const places = new Places({ all: 8, ofHost: 3 })
  const begun: string[] = []
  for (const [at, host] of hosts.entries())
    void places.add(String(at), host, () => {
      begun.push(host)
      return new Promise(() => {})
    })
  return Map.groupBy(begun, (each) => each)
    .entries()
    .map(([what, all]) => [what, all.length])
    .toArray()
}

const many = (host: string) => Array<string>(20).fill(host)

test('a host that hangs takes few places, and leaves the others to other hosts', () => {
  expect(running([...many('a'), ...many('b')])).toEqual([
    ['a', 3],
    ['b', 3],
  ])
})

test('what waits begins in its order as soon as there is room, also if one before it fails', async () => {
  const places = new Places({ all: 1, ofHost: 1 })
  const begun: number[] = []
  const results = [0, 1, 2].map((at) =>
    places.add(String(at), 'a', async () => {
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
