import { describe, expect, test } from 'bun:test'
import type { Source } from '../../../src/domain/records.ts'
import { check } from '../../../src/sources/check.ts'
import type { CheckContext } from '../../../src/sources/check-context.ts'
import { Quotas } from '../../../src/sources/quotas.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'
import { givenOf, NOW, sourceOf } from '../../support/source.ts'

/** A host that is asked over http on this machine. */
function played(kind: 'github' | 'gitlab') {
  const host = new PlayedHost(kind)
  host.releases = [{ tag: 'v1.0', body: '- First' }]
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: host.handler })
  const quotas = new Quotas()
  return {
    host,
    source: () => sourceOf(`http://127.0.0.1:${server.port}/acme/app`, { hostKind: kind }),
    ask: (source: Source, memory = {}, given: Partial<CheckContext> = {}) =>
      check(source, memory, givenOf({ quotas, ...given })),
    [Symbol.dispose]: () => server.stop(true),
  }
}

describe('without a token, GitHub', () => {
  test('is not asked again by any source before its quota is full again', async () => {
    using github = played('github')
    const reset = NOW / 1000 + 1800
    github.host.quota = { limit: 60, left: 1, reset }
    const [one, two] = [github.source(), github.source()]
    const first = await github.ask(one)
    expect(first.state).toBe('fetched')
    expect(github.host.taken()).toHaveLength(1)
    for (const source of [one, two])
      expect(await github.ask(source)).toEqual({
        ...{ state: 'postponed', memory: expect.any(Object), notBefore: reset * 1000 },
        reason: expect.stringMatching(/^127\.0\.0\.1:\d+ wants no more requests for now\.$/),
        remedy: expect.stringContaining('token'),
      })
    expect(github.host.taken()).toEqual([])
    github.host.quota = { limit: 60, left: 60, reset: reset + 3600 }
    expect((await github.ask(two, {}, { now: reset * 1000 })).state).toBe('fetched')
  })

  test('refuses for its quota, which is no failure', async () => {
    using github = played('github')
    github.host.quota = { limit: 60, left: 0, reset: NOW / 1000 + 60 }
    expect(await github.ask(github.source())).toMatchObject({ state: 'postponed', notBefore: NOW + 60_000 })
    expect(github.host.taken()).toEqual([expect.stringMatching(/^403 /)])
  })
})

test('GitLab says with 429 when it may be asked again', async () => {
  using gitlab = played('gitlab')
  gitlab.host.quota = { limit: 60, left: 0, reset: NOW / 1000 + 1800 }
  expect(await gitlab.ask(gitlab.source())).toMatchObject({ state: 'postponed', notBefore: NOW + 60_000 })
})
