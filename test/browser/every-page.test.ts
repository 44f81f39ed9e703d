import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import type { Page } from 'puppeteer-core'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import {
  ALL_BUT_COLORS,
  COLORS,
  LEAVE_ONE_OF_A_SHAPE,
  POSITIONS,
  violations,
} from '../support/pages/watched-page.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const SITES = {
  plain: {},
  branded: {
    SITE_NAME: 'Acme News',
    LOGO_URL: 'https://images.acme.test/unit/logo.svg',
    BRAND_COLOR: '#ffdd00',
  },
  'from right to left': { SITE_LANGUAGE: 'ar' },
}
type Site = keyof typeof SITES
type Name = keyof typeof PAGES

/** Which of the media queries of a page hold. */
const MEDIA = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter((rule) => rule instanceof CSSMediaRule).map(({ conditionText }) => matchMedia(conditionText).matches).join()`

/** Loads every image, also those that are out of view. */
const LOAD_IMAGES = `Promise.all([...document.images].map((image) => { image.loading = "eager"; return image.decode().catch(() => {}) }))`

const OPEN_PARTS = `for (const part of document.querySelectorAll("main details")) part.open = true`

describeInBrowser('every page', () => {
  const servers = new Map<Site, TestServer>()

  beforeAll(async () => {
    for (const site of Object.keys(SITES) as Site[]) {
      const server = await startServer(THE_BINARY, SITES[site])
      showcase(server.seed)
      servers.set(site, server)
    }
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
  })

  /** Opens a page, and looks at it. One visit for all, as opening takes longer than most of what is asked. */
  const visit = (name: Name, site: Site, look: (page: Page) => Promise<void>) =>
    inKept(async (browser) => {
      const { page, complaints, foreign } = browser
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
      complaints.length = 0
      foreign.length = 0
      await browser.open(servers.get(site)?.url + PAGES[name])
      // Chromium reports the status of an error page. The icon of a branded one comes from elsewhere, and is refused here.
      const isExpected = (text: string) =>
        (/wrong|missing/.test(name) && /status of 40[04]/.test(text)) ||
        (site === 'branded' && text.includes('ERR_FAILED'))
      expect(complaints.filter((text) => !isExpected(text))).toEqual([])

      await page.evaluate(LOAD_IMAGES)
      await page.evaluate(OPEN_PARTS)
      // Those of the author, and of the operator.
      for (const url of foreign) expect(url).toStartWith('https://images.acme.test/')
      for (const width of [320, 390, 640, 820, 1440]) {
        await page.setViewport({ width, height: 900 })
        const widest = await page.evaluate('document.documentElement.scrollWidth')
        expect({ width, widest }).toEqual({ width, widest: width })
      }
      await look(page)
    })

  test.each(Object.keys(PAGES) as Name[])(
    'complains of nothing, does not scroll sideways, and axe finds nothing to improve: %s',
    (name) => visit(name, 'plain', lookAt),
  )

  test('so does one with a brand', () => visit('every kind of change', 'branded', lookAt))

  test('so does one from right to left, whatever is on it', async () => {
    await visit('every kind of change', 'from right to left', (page) => lookInLight(page, ALL_BUT_COLORS))
    for (const name of ['list', 'changelog', 'a release with tables and images', 'a missing page'] as const)
      await visit(name, 'from right to left', async () => {})
  })
})

/** What axe says of the elements of each shape, in both schemes and at three widths. */
async function lookAt(page: Page): Promise<void> {
  await lookInLight(page)
  // Only colors depend on the scheme. They take most of the time: so wide pages are looked at in light, narrow ones in dark.
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  expect(await violations(page, COLORS)).toEqual([])
}

async function lookInLight(page: Page, wide?: RunOptions): Promise<void> {
  await page.evaluate(LEAVE_ONE_OF_A_SHAPE)
  const media: unknown[] = []
  // Where the style is the same, only positions depend on the width.
  for (const [width, rules] of [
    [1440, wide],
    [820, POSITIONS],
    [390, ALL_BUT_COLORS],
  ] as const) {
    await page.setViewport({ width, height: 900 })
    media.push(await page.evaluate(MEDIA))
    const found = await violations(page, rules)
    expect({ width, found }).toEqual({ width, found: [] })
  }
  expect([media[0] === media[1], media[1] === media[2]]).toEqual([true, false])
}

let kept: OpenPage | null = null

/** One page for all, as a new one takes as long as a look at it. After a failure, such as a crash, another one follows. */
async function inKept(work: (browser: OpenPage) => Promise<void>): Promise<void> {
  const browser = kept ?? (await openPage())
  kept = null
  await work(browser)
  kept = browser
}
