import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const CHANGELOG = PAGES.changelog

/** Quotes and lists, as deep as they are shown and deeper. */
const NESTED = [
  `${'> '.repeat(16)}quoted words`,
  Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n'),
  Array.from({ length: 20 }, (_, depth) => `${'   '.repeat(depth)}1. step ${depth}`).join('\n'),
].join('\n\n')

/** A word that no line of a phone can hold. */
const HASH = '0123456789abcdef0123456789abcdef01234567'

describeInBrowser('in a browser', () => {
  let server: TestServer
  /** One for all that only look. */
  let looking: OpenPage
  /** One for those who point at things: on it no script can run, as no page needs any. */
  let pointing: OpenPage

  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    showcase(server.seed)
    const { changelogId } = server.seed.product(server.seed.team('nested'), 'app')
    server.seed.version(changelogId, '1.0.0', {
      description: NESTED,
      changes: [{ type: 'added', title: 'Lists', description: NESTED }],
    })
    server.seed.version(changelogId, '2.0.0', {
      description: `Before.\n\n![A picture](https://images.acme.test/a.png)\n\n${'After.\n\n'.repeat(40)}`,
    })
    const hashes = server.seed.product(server.seed.team('hashes'), 'app')
    for (const label of ['1.0.0', '2.0.0', `3.0.0-beta.${HASH}`])
      server.seed.version(hashes.changelogId, label, {
        title: `The state of ${HASH}`,
        changes: ['changed', 'fixed', 'security'].map((type, at) => ({
          ...{ type, breaking: at === 0, title: `Bump a from ${HASH} to \`${HASH}\` (${HASH})` },
          description: `See https://acme.test/${HASH}/${HASH}, or ${HASH}.`,
        })),
      })
    looking = await openPage()
    pointing = await openPage({ scripts: false, isDrawn: true })
  })
  afterAll(async () => {
    await looking[Symbol.asyncDispose]()
    await pointing[Symbol.asyncDispose]()
    await server.stop()
  })

  /** Opens a page in a window of this width, and gives what an expression is there. */
  const found = async (path: string, width: number, expression: string) => {
    await looking.page.setViewport({ width, height: 900 })
    await looking.open(server.url + path)
    return looking.page.evaluate(expression)
  }

  test('quotes and lists do not scroll sideways, however deep they are and however wide the window is', async () => {
    for (const width of [320, 390, 640, 820, 1440]) {
      const widest = await found('/changelog/nested/app', width, 'document.documentElement.scrollWidth')
      expect({ width, widest }).toEqual({ width, widest: width })
    }
  })

  test('a hash scrolls no page sideways on a phone, in sections that were opened neither', async () => {
    const app = '/changelog/hashes/app'
    const beta = `3.0.0-beta.${HASH}`
    const upgrades = [`${app}?from=1.0.0&to=2.0.0`, `${app}?from=1.0.0&to=${beta}`]
    for (const path of [...upgrades, app, `${app}/2.0.0`, `${app}/${beta}`, '/changelog/hashes']) {
      const opened = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
      const widest = await found(path, 390, `${opened}, document.documentElement.scrollWidth`)
      expect({ path, widest }).toEqual({ path, widest: 390 })
    }
  })

  test('the kinds of change are one row that scrolls on a phone, and all of them are seen on a wide screen', async () => {
    const row = (width: number) =>
      found(
        PAGES['every kind of change'],
        width,
        `(() => {
          const row = document.querySelector('.kinds')
          const tops = new Set([...row.children].map((each) => each.getBoundingClientRect().top))
          return { rows: tops.size, scrolls: row.scrollWidth > row.clientWidth, names: [...row.children].map((each) => each.textContent) }
        })()`,
      )
    const names = [
      ...['All 75', 'Breaking 4', 'Added 22', 'Changed 14', 'Deprecated 1', 'Removed 1'],
      ...['Fixed 28', 'Security 2', 'Other 5'],
    ]
    expect(await row(390)).toEqual({ rows: 1, scrolls: true, names })
    expect(await row(1_200)).toEqual({ rows: 1, scrolls: false, names })
  })

  test('the menu of subscriptions opens without a script and leads to every feed', async () => {
    await pointing.open(server.url + CHANGELOG)
    await pointing.page.click('.menu summary')
    const links = await pointing.page.$$eval('.menu a', (all) =>
      all.map((link) => [link.getAttribute('href'), link.checkVisibility()]),
    )
    const files = ['feed.atom', 'feed.rss', 'feed.json', 'feed.atom?prereleases=no', 'CHANGELOG.md']
    expect(links).toEqual(files.map((name) => [`${CHANGELOG}/${name}`, true]))
  })

  test('what the address points at stands out: a release, a section, a change', async () => {
    const marked = async (path: string, part: string, of: string) => {
      const style = `(() => { const { backgroundColor, width } = getComputedStyle(document.querySelector('${part}')${of}); return backgroundColor + width })()`
      const before = await found(path, 1_200, style)
      const id = await looking.page.$eval(part, (element) => element.id)
      return { id: id !== '', isMarked: (await found(`${path}#${id}`, 1_200, style)) !== before }
    }
    const is = { id: true, isMarked: true }
    expect(await marked(PAGES['every kind of change'], '.release', '')).toEqual(is)
    expect(await marked(PAGES['a release with every kind'], '.part', ', "::after"')).toEqual(is)
    expect(await marked(PAGES['a release with every kind'], '.changes > li', '')).toEqual(is)
  })

  test('images come over https, without a referrer, and fit, and all but the first come late', async () => {
    await using browser = await openPage({ width: 820, isDrawn: true })
    await browser.open(server.url + PAGES['a release with tables and images'])
    const image = await browser.page.evaluate(`
      (async () => {
        const image = document.querySelector('main img')
        image.scrollIntoView()
        await image.decode()
        const { referrerPolicy, clientWidth, naturalWidth } = image
        const all = [...document.querySelectorAll('main img')]
        const loading = all.slice(0, 2).map((each) => each.loading)
        const sources = all.map(({ src }) => new URL(src).protocol)
        return { loading, referrerPolicy, fits: clientWidth < 820, naturalWidth, sources: [...new Set(sources)] }
      })()`)
    expect(image).toEqual({
      loading: ['auto', 'lazy'],
      referrerPolicy: 'no-referrer',
      fits: true,
      naturalWidth: 4_000,
      sources: ['https:'],
    })
  })

  test('on a phone, what is read hardly moves when an image arrives', async () => {
    const { promise: painted, resolve } = Promise.withResolvers<void>()
    await using browser = await openPage({ width: 390, imagesAfter: painted, isDrawn: true })
    await browser.page.evaluateOnNewDocument(`
      window.moved = 0
      window.count = (shifts) => { for (const { value } of shifts) moved += value }
      window.observer = new PerformanceObserver((list) => count(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })`)
    const opened = browser.open(`${server.url}/changelog/nested/app/2.0.0`)
    await browser.page.waitForRequest((request) => request.resourceType() === 'image')
    await browser.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    resolve()
    await opened
    const moved = (await browser.page.evaluate(`
      (async () => {
        await document.querySelector('main img').decode()
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        count(observer.takeRecords())
        return moved
      })()`)) as number
    // A tenth is what counts as good.
    expect(moved).toBeLessThan(0.1)
  })

  test('light and dark follow the setting of the reader', async () => {
    const ground = 'getComputedStyle(document.documentElement).backgroundColor'
    expect(await found(CHANGELOG, 1_200, ground)).toBe('rgb(255, 255, 255)')
    await looking.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    expect(await looking.page.evaluate(ground)).toBe('rgb(15, 17, 21)')
    await looking.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
  })

  test('in forced colors, changes keep their bullets, or what is in their place, and badges an edge', async () => {
    await using browser = await openPage({ isDrawn: true })
    const { page } = browser
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'forced-colors', value: 'active' }],
    })
    await browser.open(server.url + PAGES['every kind of change'])
    const at = 'JSON.stringify(document.querySelector(".changes > li").getBoundingClientRect())'
    const { x, y } = JSON.parse(String(await page.evaluate(at)))
    const draw = () => page.screenshot({ clip: { x, y, width: 12, height: 24 }, encoding: 'base64' })
    const drawn = await draw()
    await page.evaluate(
      `document.styleSheets[0].insertRule(":is(.changes > li, .point)::before { display: none !important }", 0)`,
    )
    expect(drawn).not.toBe(await draw())
    expect(await page.evaluate('getComputedStyle(document.querySelector(".badge")).outlineStyle')).toBe(
      'solid',
    )
  })

  test('paging, search and filters work without a script', async () => {
    const { page } = pointing
    await pointing.open(server.url + CHANGELOG)
    const follow = async (selector: string) => {
      await Promise.all([page.waitForNavigation(), page.click(selector)])
      return new URL(page.url())
    }
    const labels = () =>
      page.$$eval('.release .label', (links) => links.map(({ textContent }) => textContent))
    expect(await labels()).toHaveLength(20)
    await follow('.pages .older')
    await follow('.pages .older')
    expect(await labels()).toHaveLength(8)
    await follow('.pages .newer')
    expect((await follow('.pages .newer')).search).toBe('')
    expect((await labels())[0]).toBe('2.4.0')

    await page.type('input[name=q]', 'fuzzy SEARCH')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(new URL(page.url()).search).toBe('?q=fuzzy+SEARCH')
    expect(await labels()).toEqual(['2.4.0'])
    expect(await page.$eval('input[name=q]', (input) => input.value)).toBe('fuzzy SEARCH')

    await follow('.kinds a')
    await pointing.open(server.url + CHANGELOG)
    expect((await follow('.kinds .security')).search).toBe('?kind=security')
    expect(await labels()).toEqual(['2.3.2'])
    expect(await page.$eval('.kinds [aria-current]', (link) => link.textContent)).toBe('Security 1')

    expect((await follow('.release .label')).pathname).toBe(`${CHANGELOG}/2.3.2`)
    expect((await follow('.pages .older')).pathname).toBe(`${CHANGELOG}/2.3.1`)
    expect((await follow('.crumbs a:last-child')).pathname).toBe(CHANGELOG)
    expect((await follow('.crumbs a')).pathname).toBe('/changelog/acme')
    expect((await follow('.crumbs a')).pathname).toBe('/')
    expect((await follow('.products a')).pathname).toBe(CHANGELOG)
  })

  test('version and date stay in view while their release is read, and on a phone they are above it', async () => {
    const position = "getComputedStyle(document.querySelector('.when')).position"
    expect(await found(CHANGELOG, 1_200, position)).toBe('sticky')
    expect(await found(CHANGELOG, 390, position)).toBe('static')
  })

  test('the first view of twenty releases takes at most 20 KB over the wire', async () => {
    await looking.page.setCacheEnabled(false)
    const session = await looking.page.createCDPSession()
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await looking.open(server.url + CHANGELOG)
    expect(await looking.page.$$('.release')).toHaveLength(20)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(20 * 1_024)
  })
})
