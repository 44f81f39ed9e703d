import { describe, expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'
import type { Settings } from '../../../support/servers/server.ts'

const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const PICTURES = 'https://pictures.acme.test'
const HOSTILE = `</script></title></text><script>window.ran = 1</script><!--<script> "'&amp; \u2028 ]]> 🎉`

/** A server with a release of this content under `/changelog/acme/app/1.0.0`. */
function openWith(
  content: { title?: string; description?: string; changes?: string[] },
  settings: Settings = {},
) {
  const server = openHandler(settings)
  const { changelogId } = server.seed.product(server.seed.team('acme', { name: 'Acme' }), 'app', {
    name: 'App',
    repository: 'https://github.com/acme/app',
  })
  server.seed.version(changelogId, '1.0.0', {
    publishedAt: START,
    title: content.title ?? '1.0.0',
    description: content.description ?? null,
    changes: (content.changes ?? []).map((title) => ({ type: 'added', title })),
  })
  return { ...server, page: async (path: string) => (await server.get(path)).text() }
}

/** The properties for other sites on a page. */
function propertiesOf(page: string): Record<string, string> {
  const found = page.matchAll(/<meta (?:property|name)="([a-z:_]+)" content="([^"]*)">/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
}

const structured = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null')

const RELEASE = '/changelog/acme/app/1.0.0'

describe('a shared link', () => {
  test.each([
    ['its first picture', { description: `![a](${PICTURES}/1.png) ![b](${PICTURES}/2.png)` }, '/1.png'],
    ['one over https', { description: `![a](http://x.test/1.png) ![b > c](${PICTURES}/2.png)` }, '/2.png'],
    ['one of its changes', { changes: ['None', `A ![b](${PICTURES}/3.png?a=1&b=2)`] }, '/3.png?a=1&b=2'],
  ])('shows a picture of the release: %s', async (_, content, picture) => {
    using server = openWith(content, { SHARE_IMAGE_URL: `${PICTURES}/site.png` })
    const page = await server.page(RELEASE)
    expect(propertiesOf(page)).toMatchObject({
      'og:image': Bun.escapeHTML(PICTURES + picture),
      'twitter:card': 'summary_large_image',
    })
    expect(structured(page).image).toBe(PICTURES + picture)
  })

  test.each([
    ['The *best* one.', 'The best one.'],
    ['The best[^1] one.\n\n[^1]: A note', 'The best one.'],
    ['**Full Changelog**: https://github.com/acme/app/compare/v1...v2', 'One in #12 · Two'],
  ])(
    'says what its author does of the release, or its first two changes as they are read',
    async (description, said) => {
      const changes = ['feat: one in https://github.com/acme/app/pull/12', 'Two', 'Three']
      using server = openWith({ description, changes })
      expect(propertiesOf(await server.page(RELEASE))['og:description']).toBe(said)
    },
  )

  test('shows that of the site if the release has none, and on every other page', async () => {
    const description = '`![a](https://x.test/1.png)` &lt;img src="https://x.test/2.png">'
    using server = openWith(
      { description },
      { SHARE_IMAGE_URL: `${PICTURES}/site.png`, LOGO_URL: `${PICTURES}/logo.svg` },
    )
    for (const path of ['/', '/changelog/acme', '/changelog/acme/app', RELEASE])
      expect(propertiesOf(await server.page(path))).toMatchObject({
        'og:image': `${PICTURES}/site.png`,
        'twitter:card': 'summary_large_image',
      })
  })

  test('without any picture is a small card, with the logo if there is one', async () => {
    using plain = openWith({}, {})
    const properties = propertiesOf(await plain.page(RELEASE))
    expect(properties['twitter:card']).toBe('summary')
    expect(properties['og:image']).toBeUndefined()
    using logo = openWith({}, { LOGO_URL: `${PICTURES}/logo.svg` })
    expect(propertiesOf(await logo.page(RELEASE))).toMatchObject({
      'og:image': `${PICTURES}/logo.svg`,
      'twitter:card': 'summary',
    })
  })

  test('says that a release is an article of a date, and of whose site', async () => {
    using server = openWith({ title: 'Hello' }, {})
    expect(propertiesOf(await server.page(RELEASE))).toMatchObject({
      'og:type': 'article',
      'og:title': '1.0.0: Hello · App',
      'og:site_name': 'Acme',
      'article:published_time': '2026-01-02T03:04:05.678Z',
    })
    const changelog = propertiesOf(await server.page('/changelog/acme/app'))
    expect(changelog).toMatchObject({ 'og:type': 'website', 'og:site_name': 'Acme' })
    expect(changelog['article:published_time']).toBeUndefined()
    server.seed.db.run('UPDATE version SET dated = FALSE, date_known = FALSE')
    expect(propertiesOf(await server.page(RELEASE))['article:published_time']).toBeUndefined()
    using named = openWith({}, { SITE_NAME: 'News' })
    expect(propertiesOf(await named.page(RELEASE))['og:site_name']).toBe('News')
  })

  test('has structured data that no name can end or escape from', async () => {
    using server = openWith({ title: HOSTILE }, { PUBLIC_URL: 'https://news.acme.test' })
    server.seed.db.run('UPDATE team SET name = ?', [HOSTILE])
    server.seed.db.run('UPDATE product SET name = ?', [HOSTILE])
    server.seed.db.run('UPDATE changelog SET name = ?', [HOSTILE])
    const page = await server.page(RELEASE)
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(structured(page)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'TechArticle',
      datePublished: '2026-01-02T03:04:05.678Z',
      isPartOf: { '@type': 'CollectionPage', name: HOSTILE },
      about: { '@type': 'SoftwareApplication', name: HOSTILE, softwareVersion: '1.0.0' },
      publisher: { '@type': 'Organization', name: HOSTILE },
      url: `https://news.acme.test${RELEASE}`,
    })
  })
})
