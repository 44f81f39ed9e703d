import { describe, expect, test } from 'bun:test'
import { balance, Connections, createBalance } from '../../../../src/http/threads/balance.ts'

describe('the thread that closes connections', () => {
  test.each<[string, number[], number[], { full: number; closing: number }]>([
    [
      'is full while another is idle, and closes half of what it has more',
      [1, 0.4],
      [6, 2],
      { full: 0, closing: 2 },
    ],
    ['closes a few at a time', [0.3, 1], [50, 100], { full: 1, closing: 4 }],
    ['has the most connections of those that are full', [1, 1, 0.5], [1, 9, 3], { full: 1, closing: 3 }],
  ])('%s', (_, shares, connections, expected) => {
    expect(balance(shares, connections)).toEqual({ isUneven: true, ...expected })
  })

  test.each<[string, number[], number[]]>([
    ['one of its connections could only change places with it', [1, 0], [1, 0]],
    ['it has only one more', [1, 0.5], [3, 2]],
    ['the idle one has more', [1, 0.1], [1, 30]],
  ])('closes none if %s', (_, shares, connections) => {
    expect(balance(shares, connections).closing).toBe(0)
  })

  test.each<[string, number[]]>([
    ['all are full', [1, 1]],
    ['all have nearly as much to do', [1, 0.85]],
    ['none is full', [0.8, 0.1]],
    ['it is not known how busy one is', [1, Number.NaN]],
  ])('is none if %s', (_, shares) => {
    expect(balance(shares, [8, 0])).toEqual({ isUneven: false, full: null, closing: 0 })
  })
})

describe('the last request of a connection', () => {
  /** Of a connection that had one before, in a thread that is to close some. */
  const isLast = async (request: Request): Promise<boolean> => {
    const memory = createBalance(1)
    const connections = new Connections(memory, 0)
    const peer = () => ({ port: 4711 })
    const [round, closing] = [1, 3]
    new Int32Array(memory).set([round], 1)
    connections.isLast(new Request('http://x'), peer)
    await new Promise((resolve) => setImmediate(resolve))
    new Int32Array(memory).set([closing], 3)
    return connections.isLast(request, peer)
  }

  test.each<[string, Record<string, string>]>([
    ['without a body', {}],
    ['with an empty body', { 'content-length': '0' }],
  ])('may be one %s', async (_, headers) => {
    expect(await isLast(new Request('http://x', { headers }))).toBe(true)
  })

  // To a request with these methods Bun gives no body, though the client may still be sending it.
  test.each<[string, Record<string, string>]>([
    ['GET', { 'content-length': '5' }],
    ['HEAD', { 'transfer-encoding': 'chunked' }],
  ])('is none with a body, also %s', async (method, headers) => {
    expect(await isLast(new Request('http://x', { method, headers }))).toBe(false)
  })
})
