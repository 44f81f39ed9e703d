import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { THE_BINARY } from '../../../support/servers/server.ts'

const START = Date.UTC(2026, 0, 1)
const PAGE = '/changelog/acme/app'
const BADGE = `${PAGE}/badge.svg`

describe('the badge', () => {
  const site = serverForAll(
    THE_BINARY,
    (seed) => {
      const acme = seed.team('acme', { name: 'Acme' })
      const { changelogId } = seed.product(acme, 'app', { name: 'App' })
      seed.version(changelogId, '1.0.0', { publishedAt: START + 1 })
      seed.version(changelogId, '2.0.0', { status: 'draft', publishedAt: START + 2 })
      seed.product(acme, 'empty')
    },
    { BRAND_COLOR: '#064d1b' },
  )
  const textsOf = async (path: string) =>
    [...(await site.text(path)).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

  test('is a picture of the newest published version, in the color of the site, that others may show', async () => {
    const response = await site.get(BADGE)
    expect([response.status, ...(await textsOf(BADGE))]).toEqual([200, 'changelog', '1.0.0'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    })
    expect(await response.text()).toContain('fill="#064d1b"')
    const tag = response.headers.get('etag') as string
    expect(await site.status(BADGE, { 'if-none-match': tag })).toBe(304)
    expect(await textsOf('/changelog/acme/empty/badge.svg')).toEqual(['changelog', 'none yet'])
  })
})
