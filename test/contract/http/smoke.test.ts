import { describe, expect, test } from 'bun:test'
import { newToken } from '../../../src/domain/token.ts'
import { serverForAll } from '../../support/servers/for-all.ts'
import { message } from '../../support/servers/mcp.ts'
import {
  bearer,
  GATED,
  keyedPath,
  LOGIN,
  OTHERS,
  publicPath,
  startServer,
} from '../../support/servers/server.ts'

const PUBLIC = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')
const PAGE = '/changelog/acme/app'
const GATE = {
  ...GATED,
  // Who is refused for want of the password has used up as much.
  RATE_LIMIT_BURST: '6',
  RATE_LIMIT_PER_MINUTE: '1',
}

interface Body {
  data: { version: string; title: string; versions: { version: string }[] }
}

describe.each([...OTHERS])('$name', (subject) => {
  const site = serverForAll(subject, (seed) => {
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    const plans = seed.product(team, 'plans', { status: 'draft' })
    return {
      published: seed.version(changelogId, '1.0.0', { changes: [{ type: 'added', title: 'Everything' }] }),
      draft: seed.version(changelogId, '2.0.0', { status: 'draft' }),
      full: bearer(seed.key(team).token),
      select: bearer(seed.key(team, { kind: 'SELECT', products: [plans.id] }).token),
    }
  })
  const { status, text } = site
  const data = async (path: string, headers: Record<string, string> = {}) =>
    (JSON.parse(await text(path, headers)) as Body).data
  const labels = async (path: string, headers: Record<string, string> = {}) =>
    (await data(path, headers)).versions.map(({ version }) => version)

  test('shows the public what is published', async () => {
    for (let time = 0; time < 2; time++) expect(await labels(PUBLIC)).toEqual(['1.0.0'])
    expect(await data(`${PUBLIC}/versions/${site.filled.published}`)).toMatchObject({ version: '1.0.0' })
    expect(await status(`${PUBLIC}?limit=0`)).toBe(400)
  })

  test('shows the holder of a key drafts too', async () => {
    const { full, draft } = site.filled
    for (let time = 0; time < 2; time++)
      expect((await labels(KEYED, full)).toSorted()).toEqual(['1.0.0', '2.0.0'])
    expect(await data(`${KEYED}/versions/${draft}`, full)).toMatchObject({ version: '2.0.0' })
  })

  test('refuses a missing key, an unknown one, and one for something else', async () => {
    for (const path of [KEYED, `${KEYED}/versions/${site.filled.draft}`]) {
      expect([await status(path), await status(path, bearer(newToken()))]).toEqual([401, 401])
      expect(await status(path, site.filled.select)).toBe(403)
    }
    expect(await status(keyedPath('rival', 'app'), site.filled.full)).toBe(403)
  })

  test('answers for what is hidden as for what is missing', async () => {
    const missing = await site.print(publicPath('nobody', 'app'))
    expect(missing).toContain('"status":404')
    for (const path of [publicPath('acme', 'plans'), `${PUBLIC}/versions/${site.filled.draft}`])
      for (let time = 0; time < 2; time++) expect(await site.print(path)).toBe(missing)
  })

  test('has pages, feeds and the document of the API', async () => {
    for (const path of [PAGE, `${PAGE}/1.0.0`, `${PAGE}/feed.atom`, `${PAGE}.md`])
      expect(await text(path)).toContain('Everything')
    for (const path of ['/', '/openapi.json', '/docs', '/widget.js', '/healthz'])
      expect([path, await status(path)]).toEqual([path, 200])
    expect(await status('/nowhere')).toBe(404)
  })

  test('answers a reader who has it already with a 304', async () => {
    for (const [path, headers] of [
      [PUBLIC, {}],
      [KEYED, site.filled.full],
      [PAGE, { 'accept-encoding': 'gzip' }],
    ] as const) {
      const etag = (await site.get(path, headers)).headers.get('etag') as string
      expect(await status(path, { ...headers, 'if-none-match': etag })).toBe(304)
    }
  })

  test('shows what another process has committed to the next request', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      site.server.seed.db.run('UPDATE version SET title = ? WHERE id = ?', [title, site.filled.published])
      for (const [path, headers] of [
        [PUBLIC, {}],
        [KEYED, site.filled.full],
        [PAGE, {}],
      ] as const)
        expect(await text(path, headers)).toContain(title)
    }
  })

  test('refuses a key that was disabled from the next request on', async () => {
    const { seed } = site.server
    const { id, token } = seed.key(seed.team('other'))
    const path = keyedPath('other', 'app')
    expect([await status(path, bearer(token)), await status(path, bearer(token))]).toEqual([404, 404])
    seed.db.run("UPDATE api_key SET status = 'disabled' WHERE id = ?", [id])
    expect(await status(path, bearer(token))).toBe(401)
  })

  test('answers agents', async () => {
    const call = { name: 'get_version', arguments: { changelog: 'acme/app', version: '1.0.0' } }
    const response = await fetch(`${site.server.url}/mcp`, message('tools/call', call))
    expect(await response.text()).toContain('Everything')
  })

  test('lets nobody in without the password of the site, nor past its limit', async () => {
    await using gated = await startServer(subject, GATE)
    const team = gated.seed.team('acme')
    gated.seed.product(team, 'app')
    const both = { ...bearer(gated.seed.key(team).token), 'x-site-authorization': LOGIN.authorization }
    const read = async (path: string, headers: Record<string, string>) =>
      (await gated.get(path, headers)).status
    expect([await read(PUBLIC, {}), await read(PAGE, {}), await read(KEYED, {})]).toEqual([401, 401, 401])
    expect([await read(PUBLIC, LOGIN), await read(PAGE, LOGIN), await read(PUBLIC, LOGIN)]).toEqual([
      200, 200, 200,
    ])
    const refused = await gated.get(PUBLIC, LOGIN)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect([await read(KEYED, both), await read('/healthz', {})]).toEqual([200, 200])
  })
})
