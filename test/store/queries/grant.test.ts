import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hashToken } from '../../../src/domain/token.ts'
import { openForServing } from '../../../src/store/sqlite/serve.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'

const END = Date.UTC(2026, 0, 2)

test.each([
  ['its key', { expiresAt: END }],
  ['its token', { tokenExpiresAt: END }],
  ['its key, before its token', { expiresAt: END, tokenExpiresAt: END + 1 }],
  ['its token, before its key', { expiresAt: END + 1, tokenExpiresAt: END }],
])('a grant ends at the moment at which %s expires', async (_, fields) => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  const { id, token } = seed.key(seed.team('acme'), fields)
  const store = openForServing(path)
  const grantAt = async (now: number) => (await store.findGrant(hashToken(token), now)).value
  expect(await grantAt(END - 1)).toMatchObject({ keyId: id, expiresAt: END })
  expect(await grantAt(END)).toBeNull()
  store.close()
  seed.db.close()
})
