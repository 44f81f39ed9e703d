import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Address, parseAddress } from '../../../../src/domain/addresses/ip-address.ts'
import type { Rate } from '../../../../src/http/limits/limiter.ts'
import { type Limits, sharedLimits } from '../../../../src/http/limits/limits.ts'
import { describeWithRedis, type Redis, startRedis } from '../../../support/redis.ts'
import { until } from '../../../support/until.ts'

/** Longer than any run: on a busy machine, Redis may be late for a while. */
const NO_END_MS = 2 ** 31 - 1

const address = (text: string) => parseAddress(text) as Address

describeWithRedis('the limiter in Redis', () => {
  let redis: Redis
  const events: string[] = []
  const opened: Limits[] = []
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const limits of opened) limits.close()
    await redis[Symbol.asyncDispose]()
  })

  /** The limits of one more server. */
  const open = async (burst: number, perMinute: number): Promise<Limits> => {
    const limits = await sharedLimits({ burst, perMinute }, redis.url, (event) => events.push(event), {
      callMs: NO_END_MS,
    })
    opened.push(limits)
    return limits
  }
  const take = async (limits: Limits, text: string): Promise<Rate> => {
    const rate = limits.requests.take(address(text))
    expect(rate).toBeInstanceOf(Promise)
    return rate
  }

  test.each([
    [1, 1],
    [60, 7],
  ])(
    '%i tokens at %i a minute are exactly as many, each counted once over three servers',
    async (burst, perMinute) => {
      const servers = [
        await open(burst, perMinute),
        await open(burst, perMinute),
        await open(burst, perMinute),
      ]
      const rates = await Promise.all(
        Array.from({ length: burst + 50 }, (_, at) => take(servers[at % 3] as Limits, '192.0.2.1')),
      )
      const allowed = rates.filter(({ allowed }) => allowed)
      expect(allowed.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: burst }, (_, at) => burst - 1 - at),
      )
      expect(allowed.every(({ retryAfter }) => retryAfter === 0)).toBe(true)
      for (const rate of rates.filter(({ allowed }) => !allowed)) {
        expect(rate.remaining).toBe(0)
        expect(rate.retryAfter).toBeWithin(1, 60 / perMinute + 1)
        expect(rate.reset).toBeWithin((60 / perMinute) * (burst - 1), (60 / perMinute) * burst + 1)
      }
      expect(events).toEqual([])
    },
  )

  test('tells a client the same as the bucket of one server would', async () => {
    const limits = await open(60, 60)
    expect(await take(limits, '192.0.2.2')).toEqual({ allowed: true, remaining: 59, reset: 1, retryAfter: 0 })
  })

  test('what is no bucket at the key of a client counts as a full one, and stops no other client', async () => {
    const limits = await open(3, 1)
    const key = 'changelogd:requests:3/1:4:c0000209'
    for (const command of ['LPUSH', 'SET']) {
      await redis.send(command, key, 'garbage')
      expect((await limits.requests.check(address('192.0.2.9'))).remaining).toBe(2)
      const rates = [await take(limits, '192.0.2.9'), await take(limits, '192.0.2.9')]
      expect(rates.map(({ remaining }) => remaining)).toEqual([2, 1])
      await redis.send('DEL', key)
    }
    expect(events).toEqual([])
  })

  test('check says what a request would be told, and takes nothing', async () => {
    const limits = await open(2, 1)
    const client = address('192.0.2.3')
    for (const allowed of [true, true, false]) {
      const rate = await limits.requests.check(client)
      expect(rate.allowed).toBe(allowed)
      expect((await limits.requests.check(client)).remaining).toBe(rate.remaining)
      expect((await limits.requests.take(client)).allowed).toBe(allowed)
    }
  })

  test('requests and wrong passwords have buckets of their own, and so have other limits', async () => {
    const limits = await open(1, 2)
    const client = address('192.0.2.6')
    expect((await limits.requests.take(client)).allowed).toBe(true)
    expect((await limits.failedLogins.take(client)).allowed).toBe(true)
    expect((await limits.failedLogins.take(client)).allowed).toBe(false)
    expect((await (await open(1, 3)).requests.take(client)).allowed).toBe(true)
  })

  test('a bucket is stored until it is full, and no longer', async () => {
    const limits = await open(60, 60)
    for (let time = 0; time < 10; time++) await take(limits, '192.0.2.7')
    expect(await redis.send('PTTL', 'changelogd:requests:60/60:4:c0000207')).toBeWithin(1, 10_002)
    expect(await redis.send('EXISTS', 'changelogd:requests:60/60:4:c0000208')).toBe(0)
  })

  test('a clock of Redis that was set back does not block a client for as long', async () => {
    const limits = await open(3, 60)
    const key = 'changelogd:requests:3/60:4:c0000209'
    const inAnHour = (Date.now() + 3_600_000) * 1000
    await redis.send('SET', key, `${3 * 60_000_000} ${inAnHour}`)
    expect(await take(limits, '192.0.2.9')).toEqual({ allowed: false, remaining: 0, reset: 3, retryAfter: 1 })
    const [lacks, at] = String(await redis.send('GET', key)).split(' ')
    expect(Number(lacks)).toBe(3 * 60_000_000)
    expect(Number(at)).toBeLessThan(inAnHour)
  })

  test('a script that Redis has forgotten is loaded again', async () => {
    const limits = await open(5, 1)
    await redis.send('SCRIPT', 'FLUSH')
    const before = events.length
    expect((await take(limits, '192.0.2.10')).allowed).toBe(true)
    await until(() => events.length === before + 2)
    expect(events.splice(before)).toEqual([
      `Redis at ${redis.place} failed (NOSCRIPT). Until it works again, each server has its own rate limit.`,
      `Redis at ${redis.place} works again. All servers share the rate limit.`,
    ])
    expect((await take(limits, '192.0.2.10')).allowed).toBe(true)
  })

  test('where Redis cannot store a bucket, each server limits by itself', async () => {
    await redis.send('CONFIG', 'SET', 'maxmemory', '1')
    const limits = await open(1, 4)
    const rates = [limits.requests.take(address('192.0.2.11')), limits.requests.take(address('192.0.2.11'))]
    expect(rates).toEqual([
      { allowed: true, remaining: 0, reset: 15, retryAfter: 0 },
      { allowed: false, remaining: 0, reset: 15, retryAfter: 15 },
    ])
    expect(events.splice(0)).toEqual([
      `Redis at ${redis.place} failed (OOM). Until it works again, each server has its own rate limit.`,
    ])
    await redis.send('CONFIG', 'SET', 'maxmemory', '0')
    await until(() => events.length === 1)
    expect(await take(limits, '192.0.2.11')).toMatchObject({ allowed: true })
    events.splice(0)
  })
})
