import { expect, test } from 'bun:test'
import { createCache } from '../../../../src/http/cache.ts'
import { withOverviews } from '../../../../src/http/reading/overviews.ts'
import { noting, openStore } from '../../../support/servers/handler.ts'

test('versions are counted once for all pages of a changelog, and again after a commit', async () => {
  using opened = openStore()
  const { seed, store } = opened
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  seed.version(changelogId, '1.0.0')
  const asked: string[] = []
  const counting = noting(['readOverview'], (_, __, product) => asked.push(product))
  const reads = withOverviews(counting(store), createCache(store, 0))
  const count = async () => (await reads.readOverview('public', 'acme', 'app')).value?.versionCount

  expect([await count(), await count()]).toEqual([1, 1])
  expect(asked).toEqual(['app'])
  seed.version(changelogId, '1.1.0')
  expect([await count(), await count()]).toEqual([2, 2])
  expect(asked).toHaveLength(2)

  for (const _ of [1, 2]) expect((await reads.readOverview('public', 'acme', 'no')).value).toBeNull()
  expect(asked).toHaveLength(4)
})
