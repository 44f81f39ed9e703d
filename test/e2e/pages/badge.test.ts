import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fingerprint, SUBJECTS, startServer, type TestServer } from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const PAGE = '/changelog/acme/app'
const BADGE = `${PAGE}/badge.svg`

describe.each([...SUBJECTS])('the badge of $name', (subject) => {
  let server: TestServer
  let labelled: string
  beforeAll(async () => {
    server = await startServer(subject, { BRAND_COLOR: '#064d1b' })
    const { seed } = server
    const acme = seed.team('acme', { name: 'Acme' })
    const { changelogId } = seed.product(acme, 'app', { name: 'App' })
    labelled = seed.version(changelogId, 'badge.svg', { publishedAt: START, title: 'A version of that name' })
    seed.version(changelogId, '1.0.0', { publishedAt: START + DAY })
    seed.version(changelogId, '2.0.0', { status: 'draft', publishedAt: START + 2 * DAY })
    seed.product(acme, 'empty')
    seed.version(seed.product(acme, 'drafted', { status: 'draft' }).changelogId, '1.0.0')
    seed.version(seed.product(seed.team('secret', { visibility: 'private' }), 'app').changelogId, '1.0.0')
  })
  afterAll(async () => {
    await server.stop()
  })

  const textsOf = async (path: string) =>
    [...(await (await server.get(path)).text()).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
      ([, text]) => text,
    )

  test('is a picture of the newest published version, in the color of the site, that others may show', async () => {
    const response = await server.get(BADGE)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.text()).toContain('fill="#064d1b"')
    expect(await textsOf(BADGE)).toEqual(['changelog', '1.0.0'])
    const tag = response.headers.get('etag') as string
    expect((await server.get(BADGE, { 'if-none-match': tag })).status).toBe(304)
  })

  test('says so while there is no release', async () => {
    expect(await textsOf('/changelog/acme/empty/badge.svg')).toEqual(['changelog', 'none yet'])
  })

  test('of what is hidden is the 404 of what is missing', async () => {
    const missing = await fingerprint(await server.get('/changelog/acme/nothing/badge.svg'))
    for (const name of ['acme/drafted', 'secret/app', 'nobody/app', 'ACME/app'])
      expect(await fingerprint(await server.get(`/changelog/${name}/badge.svg`))).toEqual(missing)
  })

  test('leaves a version of that label its id as its address', async () => {
    const page = await server.get(`${PAGE}/${labelled}`, {})
    expect([page.status, (await page.text()).includes('A version of that name')]).toEqual([200, true])
    const list = await (await server.get(PAGE)).text()
    expect(list).toContain(`href="${PAGE}/${labelled}"`)
    expect(list).not.toContain(`href="${BADGE}"`)
  })
})
