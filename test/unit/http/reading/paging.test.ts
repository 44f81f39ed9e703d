import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { ChangelogQuery } from '../../../../src/http/openapi/request-schemas.ts'
import { nextLink, pageOf } from '../../../../src/http/reading/paging.ts'
import fc from '../../../support/fast-check.ts'

const BASE = 'http://x/changelog'
/** The page of a query string, as the routes read it: checked by the schema first. */
function page(query: string) {
  const parsed = Object.fromEntries(new URLSearchParams(query))
  if (!Value.Check(ChangelogQuery, parsed)) return 'refused by the schema'
  return pageOf(parsed, query === '' ? BASE : `${BASE}?${query}`)
}
const cursorOf = (link: string) => /[?&]cursor=([^&>]+)/.exec(link)?.[1] as string
const cursor = (text: string) => Buffer.from(text).toString('base64url')

describe('pageOf', () => {
  test('without parameters is everything', () => {
    expect(page('')).toEqual({ limit: null, after: null, since: null, withChanges: false })
  })

  test.each([
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    ['include=changes', { withChanges: true, limit: 20 }],
    ['include=changes&limit=100', { withChanges: true, limit: 100 }],
    ['include=changes&since=2026-01-25', { withChanges: true, limit: 20, since: Date.UTC(2026, 0, 25) }],
    ['since=2026-01-25', { withChanges: false, limit: null }],
    ['since=2026-01-25', { since: Date.UTC(2026, 0, 25) }],
    ['since=2026-01-25T03:04:05.678Z', { since: Date.UTC(2026, 0, 25, 3, 4, 5, 678) }],
    ['since=2026-01-25T05:04:05.678%2B02:00', { since: Date.UTC(2026, 0, 25, 3, 4, 5, 678) }],
    ['since=2026-01-25T05:04:05.678+02:00', { since: Date.UTC(2026, 0, 25, 3, 4, 5, 678) }],
    [`cursor=${cursor('5 ver_1')}`, { after: { publishedAt: 5, id: 'ver_1' } }],
    [`cursor=${cursor('-5 ver_1')}`, { after: { publishedAt: -5, id: 'ver_1' } }],
    ['after=1.2.0', { newerThan: '1.2.0', limit: null }],
    ['after=%2B%20/', { newerThan: '+ /' }],
    ['include=changes&type=security,fixed', { select: expect.any(Function), limit: 20 }],
    ['include=changes&type=%C3%A4nderung', { select: expect.any(Function) }],
    ['limit=2&utm_source=x&utm_source=y', { limit: 2 }],
  ])('?%s is understood', (query, expected) => {
    expect(page(query)).toMatchObject(expected)
  })

  test.each([
    ...['0', '101', '-1', '', '1e1', '0x5', '%205', '5%20', '5.0', '05', '+5', 'abc', 'Infinity'],
    '9'.repeat(400),
  ])('limit=%s is refused', (value) => {
    expect(page(`limit=${value}`)).toBe('refused by the schema')
  })

  test.each(['', 'all', 'Changes', 'changes,all', 'changes%20'])('include=%s is refused', (value) => {
    expect(page(`include=${value}`)).toBe('refused by the schema')
  })

  test.each([
    '',
    'zzz',
    'MTIz',
    '%00',
    cursor('5 ver_'),
    cursor('5  ver_1'),
    cursor('5.5 ver_1'),
    cursor('ver_1 5'),
    cursor('5 ver_1 '),
    cursor('5 chg_1'),
    cursor("5 ver_1' or 1=1"),
    `${cursor('5 ver_1')}%21`,
    cursor(`${'5'.repeat(17)} ver_1`),
  ])('cursor=%s is refused', (value) => {
    expect(() => page(`cursor=${value}`)).toThrow('cursor must come from the link to a next page.')
  })

  test.each(['', 'yesterday', '2026-02-30', '2026-01-01T25:00:00Z', '2026', '1767225600'])(
    'since=%s is refused',
    (value) => {
      expect(() => page(`since=${value}`)).toThrow('since must be an ISO 8601 date or time')
    },
  )

  test.each(['limit=2&limit=2', 'since=2026-01-01&since=2026-01-02', 'include=changes&include=changes'])(
    '?%s is refused, as it is not clear which one counts',
    (query) => {
      expect(() => page(query)).toThrow(`${query.split('=')[0]} is given more than once.`)
    },
  )

  test.each(['', ',', 'Fixed', 'fixed,', 'fixed, added', 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u'])(
    'type=%s is refused',
    (value) => {
      expect(() => page(`include=changes&type=${value}`)).toThrow('type must be at most 20 types of changes')
    },
  )

  test('type without include=changes is refused, as there would be nothing to select from', () => {
    expect(() => page('type=fixed')).toThrow('type needs include=changes.')
  })

  test('every refusal is a bad_request', () => {
    for (const query of ['cursor=zzz', 'since=never', 'limit=2&limit=3', 'type=fixed']) {
      let thrown: unknown
      try {
        page(query)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toMatchObject({ name: 'ApiError', code: 'bad_request' })
    }
  })
})

describe('nextLink', () => {
  test('keeps the path and the parameters, and replaces the cursor', () => {
    const selected = { include: 'changes' as const, after: '1 ü', type: 'fixed,added' }
    const query = { limit: '4', since: '2026-01-20', ...selected, cursor: 'old' }
    const link = nextLink('/a/changelog', query, { publishedAt: 7, id: 'ver_9' })
    expect(link).toBe(
      `</a/changelog?limit=4&since=2026-01-20&include=changes&after=1+%C3%BC&type=fixed%2Cadded&cursor=${cursor('7 ver_9')}>; rel="next"`,
    )
  })

  test('leaves out what was not given', () => {
    expect(nextLink('/a', {}, { publishedAt: 7, id: 'ver_9' })).toBe(
      `</a?cursor=${cursor('7 ver_9')}>; rel="next"`,
    )
  })

  test('names a page that begins exactly where the last one ended', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
        fc.stringMatching(/^ver_[0-9a-z]{26}$/),
        (publishedAt, id) => {
          const link = nextLink('/a', { limit: '2' }, { publishedAt, id })
          expect(page(`limit=2&cursor=${cursorOf(link)}`)).toMatchObject({
            limit: 2,
            after: { publishedAt, id },
          })
        },
      ),
    )
  })
})
