import { describe, expect, test } from 'bun:test'
import { createCoalesce } from '../../../../src/http/cache/coalesce.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { publicPath } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

describe('a work that several ask for', () => {
  /** A join over a clock and a revision that the test sets; its works end when the test says so. */
  const setUp = () => {
    const state = { now: 0, revision: 1, begun: 0 }
    const join = createCoalesce(
      () => state.revision,
      () => state.now,
    )
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const ask = (key = 'a') =>
      join(key, async () => {
        const number = ++state.begun
        await ended
        return number
      })
    return { state, join, ask, end }
  }

  test('is done once for all who ask while it is under way, and again for those who ask later', async () => {
    const { ask, end } = setUp()
    const asked = [ask(), ask(), ask('b'), ask()]
    end()
    expect(await Promise.all(asked)).toEqual([1, 1, 2, 1])
    expect(await ask()).toBe(3)
  })

  test('is begun anew for those who ask after a change, or long after it began', async () => {
    const { state, ask, end } = setUp()
    const asked = [ask()]
    state.revision = 2
    asked.push(ask())
    state.now = 249
    asked.push(ask())
    state.now = 250
    asked.push(ask(), ask())
    end()
    expect(await Promise.all(asked)).toEqual([1, 2, 2, 3, 3])
  })

  test('fails for all who asked, and not for those who ask later', async () => {
    const { join, ask, end } = setUp()
    const fail = () => join('a', () => Promise.reject(new Error('no')))
    const results = await Promise.allSettled([fail(), fail()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    end()
    expect(await ask()).toBe(1)
  })
})

test('the first read after a change is one for all who want it, each with its own status and limit', async () => {
  let reads = 0
  using server = openHandler({ RATE_LIMIT_BURST: '100', RATE_LIMIT_PER_MINUTE: '1' }, (store) => ({
    ...store,
    readChangelog: async (...request) => {
      reads++
      await new Promise((resolve) => setImmediate(resolve))
      return store.readChangelog(...request)
    },
  }))
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

test.each([true, false])(
  'work whose clients have gone stops at its next read (all of them: %p), and is done anew for the next who asks',
  async (areAllGone) => {
    let reads = 0
    const gate = Promise.withResolvers<void>()
    using server = openHandler({}, (store) => ({
      ...store,
      readChangelog: async (...request) => {
        reads++
        await gate.promise
        return store.readChangelog(...request)
      },
    }))
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    for (let at = 0; at < 50; at++) server.seed.version(changelogId, `1.${at}`, { publishedAt: at })
    const path = '/changelog/acme/app/CHANGELOG.md'
    const clients = [new AbortController(), new AbortController()]
    const asked = clients.map(({ signal }) => server.send('GET', path, {}, signal))
    await until(() => reads === 1)
    for (const client of areAllGone ? clients : clients.slice(1)) client.abort()
    gate.resolve()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect({ statuses, reads }).toEqual(
      areAllGone ? { statuses: [499, 499], reads: 1 } : { statuses: [200, 200], reads: 10 },
    )
    expect((await server.get(path)).status).toBe(200)
    expect(server.errors).toEqual([])
  },
)
