import { describe, expect, test } from 'bun:test'
import { PAGES, showcase } from '../../../support/pages/showcase.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { publicPath, type Settings } from '../../../support/servers/server.ts'

const PAGE = PAGES.changelog
const RELEASE = PAGES['a release']
/** Feeds over products. */
const FEEDS = ['', '/changelog/acme'].flatMap((page) =>
  ['feed.atom', 'feed.rss', 'feed.json'].map((name) => `${page}/${name}`),
)

/** Lists as Markdown. */
const LISTS = ['/index.md', '/changelog/acme.md', '/llms.txt', '/changelog/acme/llms.txt']

/** A server with these settings, public content and a private team. */
function openWith(settings: Settings) {
  const server = openHandler(settings)
  showcase(server.seed)
  server.seed.product(server.seed.team('secret', { visibility: 'private' }), 'app')
  const text = async (path: string, headers = {}) => (await server.get(path, headers)).text()
  const status = async (path: string) => (await server.get(path)).status
  return { ...server, text, status }
}

const linkTo = (html: string, name: string) =>
  new RegExp(`<a class="${name}"[^>]* href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

describe('the settings of pages', () => {
  test('HOME_PAGE is the changelog at /', async () => {
    using server = openWith({ HOME_PAGE: 'acme/app' })
    expect(await server.text('/')).toBe(await server.text(PAGE))
    expect(await server.text('/index.md')).toBe(await server.text(`${PAGE}.md`))
    expect(await server.text('/index.md?q=search')).toBe(await server.text(`${PAGE}.md?q=search`))
    expect(await server.status('/?q=search')).toBe(200)
    server.seed.db.run("UPDATE product SET slug = 'renamed' WHERE slug = 'app'")
    server.seed.db.run(`INSERT INTO former_address SELECT 'acme', 'app', product.id FROM product
      JOIN team ON team.id = team_id WHERE team.slug = 'acme' AND product.slug = 'renamed'`)
    expect(await server.status(publicPath('acme', 'app'))).toBe(404)
    expect(await server.text('/')).toBe(await server.text(PAGE.replace('/app', '/renamed')))
    expect(await server.status('/?q=search')).toBe(200)
    using hidden = openWith({ HOME_PAGE: 'secret/app' })
    expect(await hidden.text('/')).toBe(await hidden.text('/changelog/nobody'))
  })

  test('pages offer the mailing list first: that of the product, else of its team, else SUBSCRIBE_URL; the API says nothing of it', async () => {
    const first = (html: string) =>
      /<details class="menu">[\s\S]*?<li><a href="([^"]*)">([^<]*)</.exec(html)?.slice(1)
    using without = openWith({})
    expect(first(await without.text(PAGE))).toEqual([`${PAGE}/feed.atom`, 'Atom'])
    using server = openWith({ SUBSCRIBE_URL: 'https://lists.test/site' })
    for (const page of ['/', '/changelog/acme', PAGE])
      expect([page, first(await server.text(page))]).toEqual([page, ['https://lists.test/site', 'By e-mail']])
    server.seed.db.run("UPDATE team SET subscribe_url = 'https://lists.test/team' WHERE slug = 'acme'")
    const forms = async () =>
      (await Promise.all(['/', '/changelog/acme', PAGE].map((page) => server.text(page)))).map(
        (html) => first(html)?.[0],
      )
    expect(await forms()).toEqual([
      'https://lists.test/site',
      'https://lists.test/team',
      'https://lists.test/team',
    ])
    server.seed.db.run("UPDATE product SET subscribe_url = 'https://lists.test/app' WHERE slug = 'app'")
    expect(await forms()).toEqual([
      'https://lists.test/site',
      'https://lists.test/team',
      'https://lists.test/app',
    ])
    expect(await server.text(publicPath('acme', 'app'))).not.toContain('lists.test')
  })

  test('PAGES=off leaves only the API', async () => {
    using server = openWith({ PAGES: 'off' })
    const files = ['/robots.txt', '/sitemap.xml', ...FEEDS, ...LISTS, `${PAGE}.md`, `${PAGE}/llms.txt`]
    for (const path of ['/', '/changelog/acme', PAGE, RELEASE, ...files]) {
      const response = await server.get(path, { accept: 'text/html' })
      expect({ path, status: response.status, body: await response.json() }).toEqual({
        path,
        status: 404,
        body: {
          error: { code: 'not_found', message: 'There is no such route. For all routes, see /openapi.json.' },
        },
      })
    }
    expect(await server.status(publicPath('acme', 'app'))).toBe(200)
  })

  test('PAGES=unlisted leaves out the lists, and no page leads to them', async () => {
    using server = openWith({ PAGES: 'unlisted', SITE_NAME: 'Site', PUBLIC_URL: 'https://acme.test' })
    for (const path of ['/', '/changelog/acme', '/sitemap.xml', '/sitemap-pages.xml', ...FEEDS, ...LISTS])
      expect({ path, status: await server.status(path) }).toEqual({ path, status: 404 })
    // A program that reads text gets no web page.
    for (const path of [...LISTS, '/changelog/nobody/app/CHANGELOG.md']) {
      const { headers } = await server.get(path)
      expect([path, headers.get('content-type')]).toEqual([path, 'text/markdown; charset=utf-8'])
    }
    const listed = [...LISTS.map((list) => `${list})`), ...FEEDS.map((feed) => `"${feed}"`)]
    for (const path of [
      `${PAGE}.md`,
      `${RELEASE}.md`,
      `${PAGE}/llms.txt`,
      PAGE,
      RELEASE,
      '/changelog/nobody',
    ]) {
      const text = await server.text(path)
      for (const link of [...listed, 'href="/"', 'href="/changelog/acme"']) expect(text).not.toContain(link)
    }
    expect(await server.text('/robots.txt')).not.toContain('Sitemap')
    using home = openWith({ PAGES: 'unlisted', HOME_PAGE: 'acme/app' })
    expect(await home.text('/llms.txt')).toBe(await home.text(`${PAGE}/llms.txt`))
  })

  test('SITE_NAME, LOGO_URL and PUBLIC_URL are on every page', async () => {
    using server = openWith({
      SITE_NAME: 'Acme <News>',
      LOGO_URL: 'https://acme.test/unit/logo.svg',
      PUBLIC_URL: 'https://news.acme.test',
    })
    for (const path of ['/', '/changelog/acme', PAGE, RELEASE]) {
      const html = await server.text(path)
      expect(html).toContain('<meta property="og:site_name" content="Acme &lt;News&gt;">')
      expect(html).toContain('<img src="https://acme.test/unit/logo.svg" alt="Acme &lt;News&gt;"')
      expect(html).toContain(`<link rel="canonical" href="https://news.acme.test${path}">`)
      expect(html).toContain(`<meta property="og:url" content="https://news.acme.test${path}">`)
    }
  })

  test('a team that is named like the site is said once', async () => {
    using server = openWith({ SITE_NAME: 'Acme' })
    expect(await server.text('/changelog/acme')).toContain('<title>Acme</title>')
  })

  test('without PUBLIC_URL no page has an absolute address, and there is no sitemap', async () => {
    using server = openWith({})
    for (const path of ['/', PAGE, RELEASE])
      expect(await server.text(path, { host: 'evil.test' })).not.toMatch(/canonical|og:url|evil\.test/)
    for (const path of ['/sitemap.xml', '/sitemap-pages.xml']) expect(await server.status(path)).toBe(404)
    expect(await server.text('/robots.txt')).not.toContain('Sitemap')
  })
})

test('lists come in pages of 100, past any number of hidden products', async () => {
  using server = openHandler()
  const { seed } = server
  seed.db.run('BEGIN')
  const team = seed.team('many')
  for (let at = 1000; at < 1700; at++)
    seed.product(team, `p${at}`, { status: at % 7 === 0 ? 'published' : 'draft' })
  seed.product(team, 'zz')
  const late = seed.team('other')
  for (let at = 0; at < 30; at++) seed.product(late, `q${at}`)
  seed.db.run('COMMIT')
  const all = async (path: string) => {
    const pages: string[][] = []
    for (let next: string | null = path; next; ) {
      const html = await (await server.get(next)).text()
      pages.push([...html.matchAll(/<li><a href="([^"]+)" dir="auto"/g)].map(([, href]) => href as string))
      next = linkTo(html, 'further')
    }
    return pages
  }
  const home = await all('/')
  expect(home.map((page) => page.length)).toEqual([100, 31])
  expect(new Set(home.flat()).size).toBe(131)
  const own = await all('/changelog/many')
  expect(own.map((page) => page.length)).toEqual([100, 1])
})

test('the id of a release in a feed stays the same when its product and label change', async () => {
  using server = openWith({})
  const ids = async (product: string) => {
    const feeds = ['feed.atom', 'feed.rss', 'feed.json'].map((name) =>
      server.text(`/changelog/acme/${product}/${name}`),
    )
    return (await Promise.all(feeds)).map((feed) => feed.match(/tag:changelogd\.invalid,2026:ver_\w+/g))
  }
  const before = await ids('app')
  for (const found of before) expect(found).toHaveLength(48)
  server.seed.db.run("UPDATE product SET slug = 'renamed' WHERE slug = 'app'")
  server.seed.db.run("UPDATE version SET label = 'v' || label")
  expect(await ids('renamed')).toEqual(before)
})
