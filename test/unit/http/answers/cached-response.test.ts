import { describe, expect, test } from 'bun:test'
import { createCachedResponse, Encoded, send } from '../../../../src/http/answers/cached-response.ts'

const FIELDS = { 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' }
const LARGE = JSON.stringify({ text: 'x'.repeat(2_000) })
const headersOf = (response: Response) => Object.fromEntries(response.headers)
const ifNoneMatch = (tags: string) => new Headers({ 'if-none-match': tags })

describe('send', () => {
  test('a request without If-None-Match gets a 200 with the body and all headers', async () => {
    const cached = await createCachedResponse('{"a":1}', 'identity', FIELDS)
    const response = send(cached, new Headers())
    expect(response.status).toBe(200)
    expect(headersOf(response)).toEqual({
      'content-type': 'application/json',
      etag: cached.etag,
      ...FIELDS,
    })
    expect(await response.text()).toBe('{"a":1}')
  })

  test.each([
    ['the tag', (tag: string) => tag],
    ['the tag, weak', (tag: string) => `W/${tag}`],
    ['a list that begins with the tag', (tag: string) => `${tag}, "b"`],
    ['a list that ends with the tag', (tag: string) => `"a", W/"b" ,${tag}`],
    ['a list with the tag, weak', (tag: string) => `"a",W/${tag},"b"`],
    ['a star', () => '*'],
    ['a star in a list', () => '"a", *'],
  ])('If-None-Match with %s gets a 304 with the tag and without a body', async (_, tags) => {
    for (const encoding of ['identity', 'gzip'] as const) {
      const cached = await createCachedResponse(LARGE, encoding, FIELDS)
      const response = send(cached, ifNoneMatch(tags(cached.etag)))
      expect(response.status).toBe(304)
      expect(headersOf(response)).toEqual({ etag: cached.etag, ...FIELDS })
      expect(await response.text()).toBe('')
    }
  })

  test.each([
    ['another tag', () => '"other"'],
    ['another tag, weak', () => 'W/"other"'],
    ['no tag', () => 'garbage'],
    ['nothing', () => ''],
    ['half a tag', () => '"'],
    ['the tag without quotes', (tag: string) => tag.slice(1, -1)],
    ['the beginning of the tag', (tag: string) => `${tag.slice(0, -2)}"`],
    ['more than the tag', (tag: string) => `${tag}x`],
    ['the tag with a small w', (tag: string) => `w/${tag}`],
  ])('If-None-Match with %s gets the whole response', async (_, tags) => {
    const cached = await createCachedResponse('{}', 'identity', FIELDS)
    const response = send(cached, ifNoneMatch(tags(cached.etag)))
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('{}')
  })

  test('the RateLimit header is the one of this request, and earlier responses keep theirs', async () => {
    const cached = await createCachedResponse('{}', 'identity', FIELDS)
    const first = send(cached, new Headers(), 'r=2')
    const second = send(cached, new Headers(), 'r=1')
    const third = send(cached, ifNoneMatch('*'), 'r=0')
    expect([first, second, third].map(({ headers }) => headers.get('ratelimit'))).toEqual([
      'r=2',
      'r=1',
      'r=0',
    ])
  })
})

describe('createCachedResponse', () => {
  const etagOf = async (...given: Parameters<typeof createCachedResponse>) =>
    (await createCachedResponse(...given)).etag

  test('the tag is strong, and the same for the same bytes', async () => {
    for (let at = 0; at < 50; at++)
      expect(await etagOf(`${at}`, 'identity', FIELDS)).toMatch(/^"[0-9a-z]{13}"$/)
    expect(await etagOf(LARGE, 'gzip', FIELDS)).toMatch(/^"[0-9a-z]+-gzip"$/)
    expect(await etagOf(LARGE, 'gzip', FIELDS)).toBe(await etagOf(LARGE, 'gzip', FIELDS))
  })

  test('another body, encoding or next page has another tag', async () => {
    const tags = [
      await etagOf(LARGE, 'identity', FIELDS),
      await etagOf(`${LARGE} `, 'identity', FIELDS),
      await etagOf(LARGE, 'gzip', FIELDS),
      await etagOf(LARGE, 'br', FIELDS),
      await etagOf(LARGE, 'zstd', FIELDS),
      await etagOf(LARGE, 'identity', { ...FIELDS, link: '</a>; rel="next"' }),
      await etagOf(LARGE, 'identity', { ...FIELDS, link: '</b>; rel="next"' }),
    ]
    expect(new Set(tags).size).toBe(tags.length)
  })

  test('a body of less than a kilobyte is not encoded', async () => {
    const small = await createCachedResponse('x'.repeat(1_023), 'gzip', FIELDS)
    expect(send(small, new Headers()).headers.get('content-encoding')).toBeNull()
    const large = await createCachedResponse('x'.repeat(1_024), 'gzip', FIELDS)
    expect(send(large, new Headers()).headers.get('content-encoding')).toBe('gzip')
    expect(large.body.size).toBeLessThan(small.body.size)
  })
})

test('a text of more than a megabyte is hashed and copied in turns of their own', async () => {
  const turnsFor = async (length: number) => {
    let turns = 0
    let isMade = false
    const count = () => {
      if (isMade) return
      turns++
      setImmediate(count)
    }
    setImmediate(count)
    await createCachedResponse('x'.repeat(length), 'identity', FIELDS)
    isMade = true
    return turns
  }
  expect([await turnsFor(1_000_000), await turnsFor(1_000_001)]).toEqual([0, 2])
})

test('a response is made once in each encoding, and kept', async () => {
  const kept: string[] = []
  const body = { kind: 'body', text: LARGE, headers: FIELDS } as const
  const keep = ({ etag }: { etag: string }, encoding: string) => void kept.push(`${encoding} ${etag}`)
  const encoded = new Encoded(() => body, keep)
  const [first, again, other] = [encoded.as('gzip'), encoded.as('gzip'), encoded.as('br')]
  expect(again).toBe(first)
  expect(await (await first).content()).toEqual({ ...body, type: 'application/json' })
  const tags = [`gzip ${(await first).etag}`, `br ${(await other).etag}`]
  expect(kept.toSorted()).toEqual(tags.toSorted())
})
