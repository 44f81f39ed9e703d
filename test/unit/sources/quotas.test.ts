import { expect, test } from 'bun:test'
import { check } from '../../../src/sources/check.ts'
import { Quotas } from '../../../src/sources/quotas.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'
import { givenOf, NOW, sourceOf } from '../../support/source.ts'

test('without a token, GitHub is not asked again by any source before its quota is full again, which is no failure', async () => {
  const github = new PlayedHost('github')
  github.releases = [{ tag: 'v1.0', body: '- First' }]
  using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: github.handler })
  const newSource = () => sourceOf(`http://127.0.0.1:${server.port}/acme/app`, { hostKind: 'github' })
  const [one, two] = [newSource(), newSource()]
  const quotas = new Quotas()
  const ask = (source = one, now = NOW) => check(source, {}, givenOf({ quotas, now }))
  const reset = NOW / 1_000 + 1_800
  github.quota = { limit: 60, left: 1, reset }
  expect((await ask()).state).toBe('fetched')
  expect(github.taken()).toHaveLength(1)
  for (const source of [one, two])
    expect(await ask(source)).toEqual({
      ...{ state: 'postponed', memory: expect.any(Object), until: reset * 1_000 },
      reason: expect.stringMatching(/^The rate limit of 127\.0\.0\.1:\d+ is reached\.$/),
      remedy: expect.stringContaining('token'),
    })
  expect(github.taken()).toEqual([])
  github.quota = { limit: 60, left: 60, reset: reset + 3_600 }
  expect((await ask(two, reset * 1_000)).state).toBe('fetched')
})
