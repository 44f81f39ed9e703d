import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const CHANGELOG = PAGES.changelog

/** Quotes and lists, as deep as they are shown and deeper. */
const NESTED = [
  `${'> '.repeat(16)}quoted words`,
  Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n'),
  Array.from({ length: 20 }, (_, depth) => `${'   '.repeat(depth)}1. step ${depth}`).join('\n'),
].join('\n\n')

describeInBrowser('in a browser', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    showcase(server.seed)
    const { changelogId } = server.seed.product(server.seed.team('nested'), 'app')
    server.seed.version(changelogId, '1.0.0', {
      description: NESTED,
      changes: [{ type: 'added', title: 'Lists', description: NESTED }],
    })
  })
  afterAll(async () => {
    await server.stop()
  })

  test('no page complains, or asks another host for anything but the images of its author', async () => {
    await using browser = await openPage()
    for (const [name, path] of Object.entries(PAGES)) {
      const isError = /wrong|missing/.test(name)
      await browser.open(server.url + path)
      // Chromium reports the status of an error page.
      const complaints = browser.complaints.splice(0)
      expect({
        name,
        complaints: complaints.filter((text) => !isError || !/status of 40[04]/.test(text)),
      }).toEqual({
        name,
        complaints: [],
      })
      for (const url of browser.foreign.splice(0)) expect(url).toStartWith('https://images.acme.test/')
    }
  })

  test.each([320, 390, 640, 820, 1440])('nothing scrolls sideways at %d pixels', async (width) => {
    await using browser = await openPage({ width })
    for (const [name, path] of Object.entries({ ...PAGES, nested: '/changelog/nested/app' })) {
      await browser.open(server.url + path)
      const images =
        'Promise.all([...document.images].map((image) => { image.loading = "eager"; return image.decode().catch(() => {}) }))'
      await browser.page.evaluate(images)
      const widest = await browser.page.evaluate('document.documentElement.scrollWidth')
      expect({ name, widest }).toEqual({ name, widest: width })
    }
  })

  test('the kinds of change are beside the search where there is room, and between search and formats on a phone', async () => {
    const tops = async (width: number, path: string) => {
      await using browser = await openPage({ width })
      await browser.open(server.url + path)
      return (await browser.page.evaluate(`
        ['.search', '.kinds', '.formats'].map((part) => {
          const { top, bottom } = document.querySelector(part).getBoundingClientRect()
          return Math.round((top + bottom) / 2)
        })`)) as number[]
    }
    const [search, kinds, formats] = await tops(1_200, PAGES['one release'])
    expect([kinds, formats]).toEqual([search, search])
    const [beside, below, right] = await tops(1_200, CHANGELOG)
    expect(right).toBe(beside as number)
    expect(below).toBeGreaterThan(beside as number)
    for (const path of [PAGES['one release'], CHANGELOG]) {
      const order = await tops(390, path)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(new Set(order).size).toBe(3)
    }
  })

  test('an image comes late, over https, without a referrer, and fits', async () => {
    await using browser = await openPage({ width: 820 })
    await browser.open(server.url + PAGES['a release with tables and images'])
    const found = (await browser.page.evaluate(`
      (async () => {
        const image = document.querySelector('main img')
        image.scrollIntoView()
        await image.decode()
        const { loading, referrerPolicy, clientWidth, naturalWidth } = image
        const sources = [...document.querySelectorAll('main img')].map(({ src }) => new URL(src).protocol)
        return { loading, referrerPolicy, fits: clientWidth < 820, naturalWidth, sources: [...new Set(sources)] }
      })()`)) as object
    expect(found).toEqual({
      loading: 'lazy',
      referrerPolicy: 'no-referrer',
      fits: true,
      naturalWidth: 4_000,
      sources: ['https:'],
    })
  })

  test('light and dark follow the setting of the reader', async () => {
    const ground = async (scheme: 'light' | 'dark') => {
      await using browser = await openPage({ scheme })
      await browser.open(server.url + CHANGELOG)
      return await browser.page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    }
    expect(await ground('light')).toBe('rgb(255, 255, 255)')
    expect(await ground('dark')).toBe('rgb(15, 17, 21)')
  })

  test.each([true, false])('paging, search and filters work (scripts: %p)', async (scripts) => {
    await using browser = await openPage({ scripts })
    const { page } = browser
    await browser.open(server.url + CHANGELOG)
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
    await browser.open(server.url + CHANGELOG)
    expect((await follow('.kinds a:nth-of-type(7)')).search).toBe('?type=security')
    expect(await labels()).toEqual(['2.3.2'])
    expect(await page.$eval('.kinds [aria-current]', (link) => link.textContent)).toBe('Security')

    expect((await follow('.release .label')).pathname).toBe(`${CHANGELOG}/2.3.2`)
    expect((await follow('.pages .older')).pathname).toBe(`${CHANGELOG}/2.3.1`)
    expect((await follow('.crumbs a:last-child')).pathname).toBe(CHANGELOG)
    expect((await follow('.crumbs a')).pathname).toBe('/changelog/acme')
    expect((await follow('.crumbs a')).pathname).toBe('/')
    expect((await follow('.list a')).pathname).toBe(CHANGELOG)
  })

  test('version and date stay in view while their release is read, and on a phone they are above it', async () => {
    const place = async (width: number) => {
      await using browser = await openPage({ width, height: 700 })
      await browser.open(server.url + CHANGELOG)
      return await browser.page.evaluate(`getComputedStyle(document.querySelector('.when')).position`)
    }
    expect(await place(1200)).toBe('sticky')
    expect(await place(390)).toBe('static')
  })

  test('paper gets the text without search, filters and paging', async () => {
    await using browser = await openPage()
    await browser.page.emulateMediaType('print')
    await browser.open(server.url + CHANGELOG)
    for (const selector of ['.tools', '.pages'])
      expect(
        await browser.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).display`),
      ).toBe('none')
  })

  test('the first view of twenty releases takes at most 20 KB over the wire', async () => {
    await using browser = await openPage()
    const session = await browser.page.createCDPSession()
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await browser.open(server.url + CHANGELOG)
    expect(await browser.page.$$('.release')).toHaveLength(20)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(20 * 1_024)
  })
})
