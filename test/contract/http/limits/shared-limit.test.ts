import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithRedis, type Redis, startRedis } from '../../../support/redis.ts'
import { scratch } from '../../../support/scratch.ts'
import { linesOf } from '../../../support/servers/process.ts'
import {
  publicPath,
  type Settings,
  startServer,
  THE_BINARY,
  TWO_THREADS,
} from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

const PATH = publicPath('acme', 'app')
const LOST = /Redis at \S+ failed \([\w ,]+\)\. Until it works again, each server has its own rate limit\.$/
const BACK = /Redis at \S+ works again\. All servers share the rate limit\.$/

describeWithRedis('one limit over all servers', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  let running: Awaited<ReturnType<typeof start>>[] = []
  afterEach(async () => {
    for (const server of running) await server.stop()
    running = []
  })

  /** One more server, behind a proxy that says who the client is. */
  const start = async (settings: Settings = {}, subject = THE_BINARY) => {
    const server = await startServer(subject, {
      RATE_LIMIT_URL: redis.url,
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_BURST: '40',
      RATE_LIMIT_PER_MINUTE: '1',
      ...settings,
    })
    server.seed.product(server.seed.team('acme'), 'app')
    const errors = linesOf(server.child.stderr)
    const from = (client: string, headers: Record<string, string> = {}) =>
      server.get(PATH, { 'x-forwarded-for': client, ...headers })
    return {
      ...server,
      from,
      /** The lines of its error log so far. */
      log: () => errors.lines,
    }
  }
  /** The threads of one server share its limit as servers do. */
  const startThree = async (settings: Settings = {}) => {
    running = await Promise.all([start(settings), start(settings), start(settings, TWO_THREADS)])
    return running
  }
  let clients = 0
  const newClient = () => `198.51.100.${++clients}`

  /** What as many requests of one client get, spread over the servers and all at once: statuses and what was left. */
  const ask = async (client: string, times: number) => {
    const responses = await Promise.all(
      Array.from({ length: times }, (_, at) => running[at % running.length]?.from(client)),
    )
    return responses.map((response) => ({
      status: response?.status,
      left: Number(/r=(\d+)/.exec(response?.headers.get('ratelimit') ?? '')?.[1]),
    }))
  }

  /** Checks what `work` gave in a time in which Redis was never late: on a busy machine that may be a later one. */
  const whileRedisWorks = async <T>(work: () => Promise<T>, check: (result: T) => void) => {
    // Every second line says that Redis works again.
    const isShared = () => running.every((server) => server.log().length % 2 === 0)
    const events = () => running.flatMap((server) => server.log()).length
    for (;;) {
      await until(isShared)
      const before = events()
      const result = await work()
      // What a server wrote before its last response has arrived once it has answered another request.
      await Promise.all(running.map((server) => server.get('/livez')))
      if (before === events()) return check(result)
    }
  }

  const expectExactLimit = (burst: number) =>
    whileRedisWorks(
      () => ask(newClient(), 3 * burst),
      (answers) => {
        const allowed = answers.filter(({ status }) => status === 200).sort((a, b) => a.left - b.left)
        expect(allowed).toEqual(Array.from({ length: burst }, (_, at) => ({ status: 200, left: at })))
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * burst)
      },
    )

  test.each([
    ['killed', () => redis.kill(), () => redis.start()],
    ['stopped', () => redis.stop(), () => redis.resume()],
  ] as const)(
    'Redis %s under load: each server limits by itself, without an error, until it is back',
    async (_, end, revive) => {
      await startThree()
      let isLoading = true
      const seen = new Set<number>()
      const load = Promise.all(
        running.flatMap((server, at) =>
          Array.from({ length: 4 }, async (_, each) => {
            while (isLoading) seen.add((await server.from(`203.0.113.${at * 4 + each}`)).status)
          }),
        ),
      )
      await until(() => seen.has(429))
      const refusedBefore = newClient()
      for (let time = 0; time < 40; time++) await running[0]?.from(refusedBefore)
      await end()
      await until(() => running.every((server) => server.log().some((line) => LOST.test(line))))
      // Each server has a bucket of its own for a new client, and no second one for a client that used it up there.
      expect((await running[0]?.from(refusedBefore))?.status).toBe(429)
      const alone = newClient()
      const answers = await ask(alone, 150)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
      await revive()
      await until(() => running.every((server) => server.log().some((line) => BACK.test(line))))
      isLoading = false
      await load
      expect([...seen].sort()).toEqual([200, 429])
      await expectExactLimit(40)
      for (const server of running) {
        // Once when it was lost, and once when it was back, each time.
        const lines = server.log()
        for (const [at, line] of lines.entries()) expect(line).toMatch(at % 2 === 0 ? LOST : BACK)
        expect(lines.length % 2).toBe(0)
      }
    },
  )

  test('a server that starts without Redis says so, limits by itself, and shares once Redis is there', async () => {
    await redis.kill()
    await startThree()
    const answers = await ask(newClient(), 150)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
    await until(() => running.every((server) => server.log().length > 0))
    for (const server of running) expect(server.log()).toEqual([expect.stringMatching(LOST)])
    await redis.start()
    await until(() => running.every((server) => server.log().length > 1))
    await expectExactLimit(40)
  })

  test('a password comes from a file, and neither a right nor a wrong one is ever shown', async () => {
    using directory = scratch()
    await using guarded = await startRedis({ password: 'hunter2' })
    const file = join(directory.path, 'url')
    writeFileSync(file, `${guarded.url}\n`)
    const settings = { RATE_LIMIT_URL: '', RATE_LIMIT_URL_FILE: file }
    running = [await start(settings), await start(settings)]
    const client = newClient()
    await until(async () => {
      await ask(client, 2)
      const keys = await guarded.send('KEYS', 'changelogd:requests:40/1:4:*')
      return Array.isArray(keys) && keys.length === 1
    })
    writeFileSync(file, guarded.url.replace('hunter2', 'hunter3'))
    running.push(await start(settings))
    const wrong = running[2]
    expect((await wrong?.from(client))?.status).toBe(200)
    await until(() => wrong?.log().length === 1)
    expect(wrong?.log()).toEqual([expect.stringMatching(LOST)])
    expect(wrong?.log()[0]).toContain(`Redis at ${guarded.place} failed (`)
    for (const server of running) expect([...server.log(), ...server.lines].join()).not.toContain('hunter')
  })
})
