import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createAuth } from '../../../src/http/pipeline/auth.ts'
import { createCache } from '../../../src/http/pipeline/cache.ts'
import { createCollector } from '../../../src/http/pipeline/collector.ts'
import { ApiError } from '../../../src/http/responses/errors.ts'
import { openForServing } from '../../../src/store/sqlite/serve.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'

const END = Date.UTC(2026, 0, 2)

test.each([
  ['key', { expiresAt: END }],
  ['token', { tokenExpiresAt: END }],
  ['key, before its token', { expiresAt: END, tokenExpiresAt: END + 1 }],
  ['token, before its key', { expiresAt: END + 1, tokenExpiresAt: END }],
])('a %s works until the moment it expires, cached or not', async (_, fields) => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  const key = seed.key(seed.team('acme'), fields)
  const store = openForServing(path)
  let now = END - 1
  const newAuth = () =>
    createAuth(
      store,
      createCache(() => store.revision(), createCollector()),
      () => now,
    )
  const [auth, header] = [newAuth(), `Bearer ${key.token}`]

  expect(await auth.authenticate(header)).toMatchObject({ keyId: key.id, teamSlug: 'acme' })
  expect(auth.cachedGrant(header)).toMatchObject({ keyId: key.id })
  now = END
  expect(auth.cachedGrant(header)).toBeNull()
  for (const each of [auth, newAuth()]) {
    const refused = await each.authenticate(header).catch((error) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ code: 'unauthorized' })
  }
  store.close()
  seed.db.close()
})
