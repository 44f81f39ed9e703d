import { expect, test } from 'bun:test'
import { balance, Connections, createBalance } from '../../../../src/http/threads/balance.ts'

test.each<[string, number[], number[], object]>([
  ['the full one closes half of what it has more', [1, 0.4], [6, 2], { full: 0, closing: 2 }],
  ['of two full ones, that with the most connections', [1, 1, 0.5], [1, 9, 3], { full: 1, closing: 3 }],
  ['none if it has only one more', [1, 0.5], [3, 2], { closing: 0 }],
  ['none if all are full', [1, 0.85], [8, 0], { full: null, closing: 0 }],
])('of threads that are unevenly busy, %s', (_, shares, connections, expected) => {
  expect(balance(shares, connections)).toMatchObject(expected)
})

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ 'content-length': '5' }, false],
])('a connection is not closed while its client may still send a body: %j', async (headers, expected) => {
  const memory = createBalance(1)
  const connections = new Connections(memory, 0)
  const peer = () => ({ port: 4711 })
  const [round, closing] = [1, 3]
  new Int32Array(memory).set([round], 1)
  connections.isLast(new Request('http://x'), peer)
  await new Promise((resolve) => setImmediate(resolve))
  new Int32Array(memory).set([closing], 3)
  expect(connections.isLast(new Request('http://x', { headers }), peer)).toBe(expected)
})
