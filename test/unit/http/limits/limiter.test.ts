import { describe, expect, test } from 'bun:test'
import { type Address, parseAddress } from '../../../../src/domain/addresses/ip-address.ts'
import { clientName, createTable, Limiter, rateHeaders } from '../../../../src/http/limits/limiter.ts'
import fc from '../../../support/fast-check.ts'

const address = (text: string): Address => {
  const parsed = parseAddress(text)
  if (!parsed) throw new Error(`${text} is not an address`)
  return parsed
}

describe('Limiter', () => {
  test('gives the burst at once, then one token an interval, and never more than the burst', () => {
    let now = 1_000
    const limiter = new Limiter({ burst: 3, perMinute: 60 }, () => now)
    const client = address('192.0.2.1')
    const take = () => limiter.take(client)
    expect([take(), take(), take()]).toEqual(
      [2, 1, 0].map((remaining) => ({ allowed: true, remaining, reset: 3 - remaining, retryAfter: 0 })),
    )
    expect(take()).toEqual({ allowed: false, remaining: 0, reset: 3, retryAfter: 1 })
    now += 999
    expect(take().allowed).toBe(false)
    now += 1
    expect(take().allowed).toBe(true)
    expect(take().allowed).toBe(false)
    now += 1_000_000
    expect([take(), take(), take(), take()].map(({ allowed }) => allowed)).toEqual([true, true, true, false])
  })

  test('takes a part of a token, which the bucket must have', () => {
    const limiter = new Limiter({ burst: 1, perMinute: 60 }, () => 1_000)
    const client = address('192.0.2.1')
    const taken = Array.from({ length: 11 }, () => limiter.take(client, 0.1).allowed)
    expect(taken).toEqual([...Array(10).fill(true), false])
    expect(limiter.take(client)).toEqual({ allowed: false, remaining: 0, reset: 1, retryAfter: 1 })
    const some = new Limiter({ burst: 10, perMinute: 60 }, () => 1_000)
    expect(some.take(client, 2.5)).toEqual({ allowed: true, remaining: 7, reset: 3, retryAfter: 0 })
    const other = address('192.0.2.2')
    expect([limiter.take(other, 0.1), limiter.take(other)].map(({ allowed }) => allowed)).toEqual([
      true,
      false,
    ])
  })

  test('an IPv6 client is its /64, an IPv4 client its address in any notation', () => {
    const limiter = new Limiter({ burst: 1, perMinute: 1 }, () => 1_000)
    const take = (text: string) => limiter.take(address(text)).allowed
    expect([take('2001:db8:1:2::1'), take('2001:db8:1:2:ffff::9')]).toEqual([true, false])
    expect(take('2001:0DB8:0001:0002:0:0:0:42')).toBe(false)
    expect([take('2001:db8:1:3::1'), take('2001:db9:1:2::1')]).toEqual([true, true])
    expect([take('192.0.2.1'), take('::ffff:192.0.2.1'), take('::ffff:c000:201')]).toEqual([
      true,
      false,
      false,
    ])
    expect(take('192.0.2.2')).toBe(true)
  })

  test('the policy names the burst, and the seconds in which an empty bucket is full, rounded up', () => {
    const policy = (burst: number, perMinute: number) => new Limiter({ burst, perMinute }, () => 0).policy
    expect(policy(5_000, 60)).toBe('"public";q=5000;w=5000')
    expect(policy(1, 7)).toBe('"public";q=1;w=9')
  })

  test('the reset is the seconds until the bucket is full, however many there are', () => {
    const limiter = new Limiter({ burst: 5_000, perMinute: 60 }, () => 0)
    const resets = Array.from({ length: 5_000 }, () => limiter.take(address('192.0.2.1')).reset)
    expect(resets).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1))
  })

  test('the headers name the policy, the tokens that remain and the seconds until all do', () => {
    const limiter = new Limiter({ burst: 5, perMinute: 60 }, () => 1_000)
    const rate = limiter.take(address('192.0.2.1'), 2)
    expect(rateHeaders(rate, limiter)).toEqual({
      'ratelimit-policy': '"public";q=5;w=5',
      ratelimit: '"public";r=3;t=2',
    })
  })

  test('check says what a request would be told, and takes nothing', () => {
    let now = 0
    const limiter = new Limiter({ burst: 3, perMinute: 60 }, () => now)
    const client = address('192.0.2.1')
    for (const pause of [0, 0, 0, 0, 1, 998, 1, 0, 5_000, 0, 0, 0]) {
      now += pause
      const rate = limiter.check(client)
      expect(limiter.check(client)).toEqual(rate)
      expect(limiter.take(client)).toEqual(rate)
    }
    expect(limiter.check(client).allowed).toBe(false)
    expect(limiter.check(address('192.0.2.2')).allowed).toBe(true)
  })

  test('limiters over one table allow exactly the burst, also where one has a clock that is behind', () => {
    const table = createTable(ArrayBuffer)
    const rule = { burst: 40, perMinute: 1 }
    const ahead = new Limiter(rule, () => 1_000, table)
    const behind = new Limiter(rule, () => 990, table)
    const client = address('192.0.2.1')
    for (let time = 0; time < 39; time++) expect(ahead.take(client).allowed).toBe(true)
    expect([behind.take(client).allowed, behind.take(client).allowed]).toEqual([true, false])
  })

  test('a refused request costs nothing', () => {
    let now = 0
    const limiter = new Limiter({ burst: 1, perMinute: 60 }, () => now)
    const client = address('192.0.2.1')
    limiter.take(client)
    for (let time = 0; time < 100; time++) expect(limiter.take(client).allowed).toBe(false)
    now += 1_000
    expect(limiter.take(client).allowed).toBe(true)
  })

  test('for any rule, a refused client that waits as long as it was told is allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (burst, perMinute, pause) => {
          let now = 5_000
          const limiter = new Limiter({ burst, perMinute }, () => now)
          const client = address('192.0.2.1')
          for (let time = 0; time < burst; time++) limiter.take(client)
          now += pause
          let rate = limiter.take(client)
          while (rate.allowed) rate = limiter.take(client)
          now += rate.retryAfter * 1_000
          expect(limiter.take(client).allowed).toBe(true)
        },
      ),
    )
  })

  test('for any rule and any rhythm, it allows exactly what a bucket would', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }),
        (burst, perMinute, pauses) => {
          let now = 5_000
          let tokens = burst
          const limiter = new Limiter({ burst, perMinute }, () => now)
          const client = address('2001:db8::1')
          for (const pause of pauses) {
            now += pause
            tokens = Math.min(burst, tokens + (pause * perMinute) / 60_000)
            // At the very edge the two sums may differ by a rounding.
            if (Math.abs(tokens - 1) < 1e-6) return
            const rate = limiter.take(client)
            expect(rate.allowed).toBe(tokens >= 1)
            if (rate.allowed) tokens -= 1
            if (!rate.allowed)
              expect((rate.retryAfter * perMinute) / 60 + tokens).toBeGreaterThanOrEqual(1 - 1e-6)
          }
        },
      ),
    )
  })

  test('any number of clients takes 4 MiB, and of a million none is charged for another', () => {
    const table = createTable(ArrayBuffer)
    expect(table.byteLength).toBe(4 * 2 ** 20 + 24)
    const limiter = new Limiter({ burst: 60, perMinute: 60 }, () => 1_000, table)
    let refused = 0
    for (let at = 0; at < 1_000_000; at++) if (!limiter.take([0x20010db8, at, 0, 1]).allowed) refused++
    expect(refused).toBe(0)
  })

  test.each<[string, (at: number) => Address]>([
    ['IPv4', (at) => [0, 0, 0xffff, 0x0a000000 + at]],
    ['IPv6', (at) => [0x20010db8, at, 0, 1]],
  ])('of 50,000 %s clients that empty their buckets, few are charged for others', (_, client) => {
    const limiter = new Limiter({ burst: 1, perMinute: 1 }, () => 1_000)
    const clients = Array.from({ length: 50_000 }, (_, at) => client(at))
    const strangers = Array.from({ length: 50_000 }, (_, at) => client(50_000 + at))
    // By chance: about 530 share both slots with one before them, and 1,500 strangers with one of all.
    expect(clients.filter((each) => !limiter.take(each).allowed).length).toBeLessThan(800)
    expect(strangers.filter((each) => !limiter.check(each).allowed).length).toBeLessThan(2_000)
  })

  test('a client that has used its share stays refused, whatever 200,000 others do', () => {
    const limiter = new Limiter({ burst: 1, perMinute: 1 }, () => 1_000)
    const attacker = address('198.51.100.7')
    expect(limiter.take(attacker).allowed).toBe(true)
    for (let at = 0; at < 200_000; at++) limiter.take([0x20010db8, at, 0, 1])
    expect(limiter.take(attacker).allowed).toBe(false)
  })
})

test.each([
  ['192.0.2.1', '4:c0000201'],
  ['::ffff:192.0.2.1', '4:c0000201'],
  ['0.0.0.7', '4:00000007'],
  ['2001:db8:0:2::1', '6:20010db800000002'],
  ['2001:db8:0:2:ffff::', '6:20010db800000002'],
  ['2001:db8:2::', '6:20010db800020000'],
])('the bucket of %s has the name %s, which servers share', (text, name) => {
  expect(clientName(address(text))).toBe(name)
})
