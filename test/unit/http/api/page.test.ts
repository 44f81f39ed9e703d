import { afterAll, describe, expect, test } from 'bun:test'
import { mapRows } from '../../../../src/domain/objects.ts'
import { nextLink, pageOf } from '../../../../src/http/api/changelog.ts'
import { LIST_PARAMETERS, type Values } from '../../../../src/http/reading/parameters.ts'
import fc from '../../../support/fast-check.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { publicPath } from '../../../support/servers/server.ts'

/** The page of a query string, as the routes read it. */
const page = (query: string) => {
  const given = new URLSearchParams(query)
  const read = mapRows(LIST_PARAMETERS, ({ parse }, name) =>
    given.has(name) ? parse(`${given.get(name)}`) : null,
  )
  return pageOf(read as Values<typeof LIST_PARAMETERS>)
}
const cursorOf = (link: string) => /[?&]cursor=([^&>]+)/.exec(link)?.[1] as string
const cursor = (text: string) => Buffer.from(text).toString('base64url')

describe('pageOf', () => {
  const server = openHandler()
  server.seed.product(server.seed.team('acme'), 'app')
  afterAll(() => server[Symbol.dispose]())
  const refusal = async (query: string) => {
    const response = await server.get(publicPath('acme', 'app', `?${query}`))
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return error
  }

  test('without parameters is everything', () => {
    expect(page('')).toEqual({
      limit: null,
      after: null,
      since: null,
      withChanges: false,
      prereleases: null,
    })
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
    ['type=%C3%84nderung', { withChanges: true, select: expect.any(Function), limit: 20 }],
    ['kind=Security', { withChanges: true, select: expect.any(Function), limit: 20 }],
    ['prereleases=yes', { prereleases: null, withChanges: false }],
    ['prereleases=no', { prereleases: 'no', withChanges: false }],
    ['limit=2&utm_source=x&utm_source=y', { limit: 2 }],
  ])('?%s is understood', (query, expected) => {
    expect(page(query)).toMatchObject(expected)
  })

  test.each([
    ...['0', '101', '-1', '', '1e1', '0x5', '%205', '5%20', '5.0', '05', '+5', 'abc', 'Infinity'].map(
      (value) => `limit=${value}`,
    ),
    `limit=${'9'.repeat(400)}`,
    ...['', 'all', 'Changes', 'changes,all', 'changes%20'].map((value) => `include=${value}`),
  ])('?%s is a bad_request that names the rule', async (query) => {
    const message = query.startsWith('limit')
      ? 'limit must be a whole number from 1 to 100.'
      : 'include must be "changes".'
    expect(await refusal(query)).toEqual({ code: 'bad_request', message })
  })

  const CURSORS = [
    ...['', 'zzz', 'MTIz', '%00', `${cursor('5 ver_1')}%21`],
    ...['5 ver_', '5  ver_1', '5.5 ver_1', 'ver_1 5', '5 ver_1 ', '5 chg_1', "5 ver_1' or 1=1"].map(cursor),
    cursor(`${'5'.repeat(17)} ver_1`),
  ]
  const DATES = ['', 'yesterday', '2026-02-30', '2026-01-01T25:00:00Z', '2026', '1767225600']
  const TYPES = ['', ',', 'fixed,', 'fixed, added', 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u']
  test.each([
    ...CURSORS.map((value) => [`cursor=${value}`, 'cursor must come from the Link header of another page.']),
    ...DATES.map((value) => [`since=${value}`, 'since must be an ISO 8601 date or time']),
    ...TYPES.map((value) => [
      `include=changes&type=${value}`,
      'type must be at most 20 types separated by commas',
    ]),
    // It is not clear which one counts.
    ...['limit=2&limit=2', 'since=2026-01-01&since=2026-01-02', 'include=changes&include=changes'].map(
      (query) => [query, `${query.split('=')[0]} is given more than once.`],
    ),
  ])('?%s is a bad_request: %s', async (query = '', message = '') => {
    expect(await refusal(query)).toEqual({ code: 'bad_request', message: expect.stringContaining(message) })
  })
})

describe('nextLink', () => {
  test('keeps the path and the parameters, and replaces the cursor', () => {
    const target =
      '/a/changelog?limit=4&cursor=old&since=2026-01-20&include=changes&after=1+%C3%BC&type=fixed%2Cadded'
    const link = nextLink(`${target}&access_token=x`, { publishedAt: 7, id: 'ver_9' })
    expect(link).toBe(
      `</a/changelog?limit=4&since=2026-01-20&include=changes&after=1+%C3%BC&type=fixed%2Cadded&cursor=${cursor('7 ver_9')}>; rel="next"`,
    )
  })

  test('leaves out what was not given', () => {
    expect(nextLink('/a', { publishedAt: 7, id: 'ver_9' })).toBe(
      `</a?cursor=${cursor('7 ver_9')}>; rel="next"`,
    )
  })

  test('names a page that begins exactly where the last one ended', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
        fc.stringMatching(/^ver_[0-9a-z]{26}$/),
        (publishedAt, id) => {
          const link = nextLink('/a?limit=2', { publishedAt, id })
          expect(page(`limit=2&cursor=${cursorOf(link)}`)).toMatchObject({
            limit: 2,
            after: { publishedAt, id },
          })
        },
      ),
    )
  })
})
