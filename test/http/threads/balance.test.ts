import { describe, expect, test } from 'bun:test'
import { balance } from '../../../src/http/threads/balance.ts'

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
