import { describe, expect, test } from 'bun:test'
import { createCoalesce } from '../../../../src/http/answers/coalesce.ts'
import { createQueue } from '../../../../src/http/answers/queue.ts'
import { withReads } from '../../../../src/store/queries/reads.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { publicPath } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

describe('work that several requests wait for', () => {
  /** Work over a revision that the test sets, long or short; it ends when the test says so. */
  const setUp = (isLong: boolean) => {
    const state = { revision: 1, unconfirmedFor: 0, begun: 0, steps: 0 }
    const store = { revision: () => state.revision, unconfirmedFor: () => state.unconfirmedFor }
    const coalesce = createCoalesce(store, createQueue())
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const ask = (key = 'a', client = 'somebody', signal = new AbortController().signal) =>
      coalesce(key, { client: () => client, signal }, async ({ checkWanted, inTurn }) => {
        const work = async () => {
          const number = ++state.begun
          await ended
          checkWanted()
          state.steps++
          return number
        }
        await null
        return isLong ? inTurn(work) : work()
      })
    return { state, coalesce, ask, end }
  }
  const settled = (asked: Promise<unknown>[]) =>
    Promise.all(asked.map((each) => each.catch((error) => error.constructor.name)))
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test.each([false, true])(
    'is done once for all requests during it, and again for later ones (long: %p)',
    async (isLong) => {
      const { ask, end } = setUp(isLong)
      const asked = [ask(), ask(), ask('b'), ask()]
      await turn()
      asked.push(ask())
      end()
      expect(await Promise.all(asked)).toEqual([1, 1, 2, 1, 1])
      expect(await ask()).toBe(3)
    },
  )

  test('begins again for requests after a change, or while the revision is not confirmed', async () => {
    const { state, ask, end } = setUp(false)
    const asked = [ask()]
    state.revision = 2
    asked.push(ask(), ask())
    state.unconfirmedFor = 1_000
    asked.push(ask())
    end()
    expect(await Promise.all(asked)).toEqual([1, 2, 2, 3])
  })

  test('is shared after a change too while it waits for its turn: it will read what is there then', async () => {
    const { state, ask, end } = setUp(true)
    const asked = [ask('a'), ask('b'), ask('c')]
    await turn()
    state.revision = 2
    asked.push(ask('c'), ask('c'), ask('a'))
    end()
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 3, 3, 4])
  })

  test('fails for all who wait, and not for those who ask later', async () => {
    const { coalesce, ask, end } = setUp(false)
    const waiter = { client: () => 'a', signal: new AbortController().signal }
    const fail = () => coalesce('a', waiter, () => Promise.reject(new Error('no')))
    expect(await settled([fail(), fail()])).toEqual(['Error', 'Error'])
    end()
    expect(await ask()).toBe(1)
  })

  test('goes on while one client waits, and those who have gone wait no longer', async () => {
    for (const gone of [0, 1]) {
      const { state, ask, end } = setUp(true)
      const clients = [new AbortController(), new AbortController()]
      const asked = clients.map(({ signal }, at) => ask('a', `${at}`, signal))
      await turn()
      clients[gone]?.abort()
      expect(await settled([asked[gone] as Promise<unknown>])).toEqual(['Abandoned'])
      end()
      expect(await settled(asked)).toEqual(gone === 0 ? ['Abandoned', 1] : [1, 'Abandoned'])
      expect(state).toMatchObject({ begun: 1, steps: 1 })
    }
  })

  test('stops at its next step once nobody waits, or never begins, and begins again for the next request', async () => {
    const { state, ask, end } = setUp(true)
    const clients = Array.from({ length: 3 }, () => new AbortController())
    const asked = clients.map(({ signal }, at) => ask(`${at}`, 'one', signal))
    await turn()
    for (const client of clients) client.abort()
    expect(await settled(asked)).toEqual(Array(3).fill('Abandoned'))
    const [again, waited] = [ask('0'), ask('2')]
    end()
    expect(await Promise.all([again, waited])).toEqual([1, 3])
    expect(state).toMatchObject({ begun: 3, steps: 2 })
  })

  test('is refused to a client that waits for too much, and not to those who wait with it', async () => {
    const { ask, end } = setUp(true)
    const greedy = Array.from({ length: 2 + 64 }, (_, at) => ask(`${at}`, 'greedy'))
    const [refused, modest] = [ask('both', 'greedy'), ask('both', 'modest')]
    expect(await settled([refused])).toEqual(['Busy'])
    end()
    expect(await Promise.all([...greedy, modest])).toHaveLength(67)
  })

  test('that waits for its turn goes on for the other request of a client', async () => {
    const { ask, end } = setUp(true)
    const running = [ask('a'), ask('b')]
    const gone = new AbortController()
    const asked = [ask('c', 'one', gone.signal), ask('c', 'one')]
    await turn()
    gone.abort()
    expect(await settled(asked.slice(0, 1))).toEqual(['Abandoned'])
    end()
    expect(await settled([...running, ...asked])).toEqual([1, 2, 'Abandoned', 3])
  })

  test('that nobody waits for any more gives way to that of the next request, before its turn and in it', async () => {
    const { coalesce, ask, end } = setUp(true)
    const running = [ask('a'), ask('b')]
    const gone = new AbortController()
    const dropped = ask('c', 'one', gone.signal)
    await turn()
    gone.abort()
    const waiter = { client: () => 'one', signal: new AbortController().signal }
    const next = coalesce('c', waiter, () => Promise.resolve('new'))
    expect(await settled([dropped, next])).toEqual(['Abandoned', 'new'])
    let during: Promise<unknown> | undefined
    const left = new AbortController()
    const stopped = coalesce('d', { ...waiter, signal: left.signal }, ({ checkWanted, inTurn }) =>
      inTurn(async () => {
        left.abort()
        try {
          checkWanted()
        } catch (error) {
          during = coalesce('d', waiter, () => Promise.resolve('new'))
          throw error
        }
      }),
    )
    end()
    expect(await settled([stopped])).toEqual(['Abandoned'])
    expect([await during, ...(await Promise.all(running))]).toEqual(['new', 1, 2])
  })

  test('counts no more for a client once all of its requests for it have gone', async () => {
    const { ask, end } = setUp(true)
    const running = [ask('a'), ask('b')]
    const gone = Array.from({ length: 2 }, () => new AbortController())
    const asked = Array.from({ length: 64 }, (_, at) => [
      ...gone.map(({ signal }) => ask(`${at}`, 'one', signal)),
      ask(`${at}`, 'other'),
    ])
    await turn()
    expect(await settled([ask('c', 'one')])).toEqual(['Busy'])
    const left = settled(asked.flatMap((each) => each.slice(0, 2)))
    for (const each of gone) each.abort()
    const [again, others] = [ask('c', 'one'), asked.map((each) => each.at(-1) as Promise<unknown>)]
    end()
    expect(new Set(await Promise.all([...running, again, ...others])).size).toBe(67)
    expect(new Set(await left)).toEqual(new Set(['Abandoned']))
  })

  test('is not waited for by a client that has gone before, unless it is short', async () => {
    const long = setUp(true)
    expect(await settled([long.ask('a', 'one', AbortSignal.abort())])).toEqual(['Abandoned'])
    const short = setUp(false)
    const asked = [short.ask('a', 'one', AbortSignal.abort()), short.ask('a', 'two', AbortSignal.abort())]
    short.end()
    expect(await settled(asked)).toEqual([1, 1])
  })

  test('is shared from its turn on by those who ask at its revision', async () => {
    const { state, ask, end, coalesce } = setUp(true)
    const running = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const waiter = { client: () => 'other', signal: new AbortController().signal }
    const others = running.map(({ promise }, at) =>
      coalesce(`${at}`, waiter, ({ inTurn }) => inTurn(() => promise)),
    )
    const asked = [ask()]
    await turn()
    state.revision = 2
    for (const { resolve } of running) resolve()
    await Promise.all(others)
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(state.begun).toBe(1)
    asked.push(ask())
    end()
    expect(await Promise.all(asked)).toEqual([1, 1])
  })

  test('of an older revision leaves the newer one shared when it ends, and long work may fail too', async () => {
    const { state, coalesce } = setUp(false)
    const waiter = { client: () => 'a', signal: new AbortController().signal }
    const works = Array.from({ length: 3 }, () => Promise.withResolvers<number>())
    let begun = 0
    const ask = () => coalesce('a', waiter, () => (works[begun++] as (typeof works)[number]).promise)
    const older = ask()
    state.revision = 2
    const newer = [ask()]
    works[0]?.resolve(0)
    await older
    newer.push(ask())
    works[1]?.resolve(1)
    expect(await Promise.all(newer)).toEqual([1, 1])
    const failing = coalesce('b', waiter, ({ inTurn }) => inTurn(() => Promise.reject(new Error('no'))))
    expect(await settled([failing])).toEqual(['Error'])
  })
})

test('the first read after a change is one for all who want it, each with its own status and limit', async () => {
  let reads = 0
  using server = openHandler({ RATE_LIMIT_BURST: '100', RATE_LIMIT_PER_MINUTE: '1' }, (store) =>
    withReads(store, (own) => ({
      readChangelog: async (...request) => {
        reads++
        await new Promise((resolve) => setImmediate(resolve))
        return own.readChangelog(...request)
      },
    })),
  )
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const path = publicPath('acme', 'app')
  // The routes are loaded with the first request.
  await server.get(publicPath('acme', 'none'))
  for (const label of ['1', '2']) {
    reads = 0
    server.seed.version(changelogId, label)
    const all = Array.from({ length: 20 }, (_, at) =>
      server.get(path, at % 2 === 0 ? {} : { 'if-none-match': '*' }),
    )
    const responses = await Promise.all(all)
    const limits = responses.map(({ headers }) => headers.get('ratelimit'))
    const statuses = responses.map(({ status }) => status)
    expect([reads, new Set(limits).size]).toEqual([1, responses.length])
    expect(statuses).toEqual(responses.map((_, at) => (at % 2 === 0 ? 200 : 304)))
    expect(await responses[0]?.text()).toContain(`"version":"${label}"`)
  }
})

test.each([[[0, 1]], [[0]], [[1]]])(
  'work stops at its next read once all of its clients have gone, and goes on for the one that stays (gone: %p)',
  async (gone) => {
    let reads = 0
    const gate = Promise.withResolvers<void>()
    using server = openHandler({}, (store) =>
      withReads(store, (own) => ({
        readChangelog: async (...request) => {
          reads++
          await gate.promise
          return own.readChangelog(...request)
        },
      })),
    )
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    for (let at = 0; at < 50; at++) server.seed.version(changelogId, `1.${at}`, { publishedAt: at })
    const path = '/changelog/acme/app/CHANGELOG.md'
    const clients = [new AbortController(), new AbortController()]
    const asked: Promise<Response>[] = []
    for (const { signal } of clients) {
      asked.push(server.send('GET', path, {}, signal))
      // The other one asks when the first read is under way.
      await until(() => reads === 1)
    }
    for (const at of gone) clients[at]?.abort()
    gate.resolve()
    const responses = await Promise.all(asked)
    const isGone = (at: number) => gone.includes(at)
    expect(responses.map(({ status }) => status)).toEqual([0, 1].map((at) => (isGone(at) ? 499 : 200)))
    for (const [at, response] of responses.entries())
      expect((await response.text()).includes('1.49')).toBe(!isGone(at))
    expect(reads).toBe(gone.length === 2 ? 1 : 10)
    expect((await server.get(path)).status).toBe(200)
    expect(server.errors).toEqual([])
  },
)
