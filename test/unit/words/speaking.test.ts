import { describe, expect, test } from 'bun:test'
import { WORDS } from '../../../src/words/languages.ts'
import { PAGES, showcase } from '../../support/pages/showcase.ts'
import { openHandler } from '../../support/servers/handler.ts'
import { publicPath } from '../../support/servers/server.ts'

const { changelog: CHANGELOG, 'a release': RELEASE, 'a missing page': MISSING, ...OTHERS } = PAGES
/** Its cursor leads to the address that our links have. */
const REDIRECT = PAGES['older releases']

/** A server whose site has a language, and whose product `acme/app` may have another. */
function openIn(site: string, product: string | null = null) {
  const server = openHandler({ SITE_LANGUAGE: site })
  showcase(server.seed)
  server.seed.db.run("UPDATE product SET language = ? WHERE slug = 'app'", [product])
  return { ...server, text: async (path: string) => (await server.get(path)).text() }
}

const opening = (page: string) => /<html[^>]*>/.exec(page)?.[0]

describe('the language of pages', () => {
  test('is that of the site, on every page, in its direction', async () => {
    using server = openIn('ar')
    for (const path of [CHANGELOG, RELEASE, MISSING, ...Object.values(OTHERS)].filter(
      (each) => each !== REDIRECT,
    ))
      expect({ path, html: opening(await server.text(path)) }).toEqual({
        path,
        html: '<html lang="ar" dir="rtl">',
      })
    expect(await server.text(MISSING)).toContain(WORDS.ar.errors.not_found)
  })

  test('is that of the product on its pages, badge and widget, and on no others', async () => {
    using server = openIn('fr', 'de')
    const changelog = await server.text(CHANGELOG)
    expect(opening(changelog)).toBe('<html lang="de">')
    expect(changelog).toContain('48 Versionen · aktuell: <bdi>2.4.0</bdi>, <time')
    expect(changelog).toContain('placeholder="Änderungen suchen"')
    expect(changelog).toContain('>12. November 2026</time>')
    const named = [
      '<title>App Änderungen · Acme</title>',
      'property="og:title" content="App Änderungen · Acme"',
    ]
    for (const part of [...named, 'title="App Änderungen (Atom)"']) expect(changelog).toContain(part)
    expect(await server.text(`${CHANGELOG}?q=zzzz`)).toContain('Bisher erwähnt keine Version „zzzz“.')
    expect(await server.text(RELEASE)).toContain('← Vorherige Version')
    expect(await server.text(`${CHANGELOG}/badge.svg`)).toContain('>Änderungen</text>')
    expect(opening(await server.text('/changelog/acme/one'))).toBe('<html lang="fr">')
    const api = await server.get(`${publicPath('acme', 'app')}?include=changes&limit=1`)
    expect(api.headers.get('content-language')).toBe('de')
    const other = await server.get(`${publicPath('acme', 'one')}?include=changes&limit=1`)
    expect(other.headers.get('content-language')).toBeNull()
    for (const path of [CHANGELOG, RELEASE])
      expect((await server.get(path)).headers.get('content-language')).toBe('de')
    expect((await server.get(MISSING)).headers.get('content-language')).toBe('fr')
    expect(await server.text(`${CHANGELOG}/feed.atom`)).toContain('xml:lang="de"')
    expect(await server.text(`${CHANGELOG}/feed.rss`)).toContain('<language>de</language>')
    expect(await server.text(`${CHANGELOG}/feed.json`)).toContain('"language":"de"')
    for (const feed of ['feed.atom', 'feed.rss', 'feed.json'])
      expect(await server.text(`${CHANGELOG}/${feed}`)).toMatch(/\btitle"?[>:]\s*"?App Änderungen\b/)
    expect(await server.text('/changelog/acme/feed.json')).toContain('"language":"fr"')
    expect(await server.text('/widget.js')).toContain('"language":"fr"')
  })
})
