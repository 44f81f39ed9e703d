import { expect, test } from 'bun:test'
import { hashToken } from '../../../src/domain/token.ts'
import { createCache } from '../../../src/http/cache/cache.ts'
import { createChangelogReader } from '../../../src/http/reading/changelog-reader.ts'
import { changelogEnvelope } from '../../../src/http/reading/serialize.ts'
import type { Audience, Page } from '../../../src/store/store.ts'
import fc from '../../support/fast-check.ts'
import { openStore } from '../../support/servers/handler.ts'

const START = Date.UTC(2026, 0, 1)

/** Texts with what could be taken for a part of the JSON around them. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((given) => given.replaceAll('\0', '')),
  fc.constantFrom(
    '"',
    '\\',
    ',{"id":"',
    '","version":"1",',
    '\\",\\"version\\":\\"1\\",',
    ']}}',
    '“–”',
    '🎉',
  ),
)

/** Every version's title, minute and status; its label is its number and the title. */
const versions = fc.array(fc.record({ title: text, minute: fc.nat(60), isDraft: fc.boolean() }), {
  minLength: 600,
  maxLength: 1_100,
  size: 'max',
})

/** Every so many versions, one had another label before. */
const FORMER = 10
const formerLabelOf = (at: number): string => `before ${at}`

/** Half of all values are null: lists from the beginning, which are cached, are as frequent as others. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })

/** A page by numbers of versions, as their ids and labels are not known yet. */
const request = fc.record({
  isPublic: fc.boolean(),
  limit: maybe(fc.integer({ min: 1, max: 100 })),
  /** The position of a version, or of one that would have its id and another date. */
  after: maybe(fc.record({ of: fc.nat(1_100), minute: maybe(fc.nat(60)) })),
  since: maybe(fc.nat(60)),
  newerThan: maybe(fc.record({ of: fc.nat(1_200), isFormer: fc.boolean() })),
})

/** Enough for every list, for some of them, and for none. */
const CACHES = [2 ** 24, 2 ** 17, 0]

test('every page of a long changelog is what the store reads for it, whether all of it is cached, a part or nothing', async () => {
  using opened = openStore()
  const { seed, store } = opened
  const team = seed.team('acme')
  const { token } = seed.key(team)
  let products = 0
  await fc.assert(
    fc.asyncProperty(versions, fc.array(request, { minLength: 20 }), async (given, requests) => {
      const product = `product-${products++}`
      const labels = given.map(({ title }, at) => `${at} ${title}`)
      const ids = seed.db.transaction(() => {
        const { changelogId } = seed.product(team, product)
        return given.map(({ title, minute, isDraft }, at) => {
          const id = seed.version(changelogId, labels[at] as string, {
            title,
            publishedAt: START + minute,
            status: isDraft ? 'draft' : 'published',
          })
          if (at % FORMER === 0) seed.formerLabel(changelogId, formerLabelOf(at), id)
          return id
        })
      })()
      const readers = CACHES.map((bytes) => createChangelogReader(store, createCache(store, 0), bytes))
      const { value: grant } = await store.findGrant(hashToken(token), START)
      for (const { isPublic, limit, after, since, newerThan } of requests) {
        const audience = (isPublic ? 'public' : grant) as Audience
        const page: Page = {
          limit,
          after: after && {
            publishedAt: START + (after.minute ?? given[after.of]?.minute ?? 0),
            id: ids[after.of] ?? 'ver_1',
          },
          since: since === null ? null : START + since,
          withChanges: false,
          ...(newerThan && {
            newerThan: newerThan.isFormer
              ? formerLabelOf(newerThan.of - (newerThan.of % FORMER))
              : (labels[newerThan.of] ?? 'none'),
          }),
        }
        const { value: expected } = await store.readChangelog(audience, 'acme', product, page)
        const body = expected ? JSON.stringify(changelogEnvelope(expected)) : ''
        for (const { read } of readers) {
          const { value } = await read(audience, 'acme', product, page)
          expect(value?.isLabelMissing).toBe(expected?.isLabelMissing ?? false)
          expect(value?.body().toString()).toBe(body)
          expect(value?.next?.id).toBe(expected?.next?.id as string)
          expect(value?.next?.publishedAt).toBe(expected?.next?.publishedAt as number)
        }
      }
    }),
    { numRuns: 5, endOnFailure: true },
  )
})
