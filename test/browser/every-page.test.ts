import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import type { Page } from 'puppeteer-core'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { ALL_BUT_COLORS, COLORS, POSITIONS, violations } from '../support/pages/watched-page.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

type Site = 'plain' | 'branded' | 'from right to left'

/** Which of the media queries of a page hold. */
const MEDIA = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter((rule) => rule instanceof CSSMediaRule).map(({ conditionText }) => matchMedia(conditionText).matches).join()`

/** Loads every image, also those that are out of view. */
const LOAD_IMAGES = `Promise.all([...document.images].map((image) => { image.loading = "eager"; return image.decode().catch(() => {}) }))`

/** Of siblings that differ in their words alone, leaves the first two and the last: the others look the same. */
const LEAVE_ONE_OF_A_SHAPE = `(() => {
  const shape = (element) => [element.localName, element.className, element.getAttributeNames(), element.textContent.trim() === '',
    ...[...element.children].map(shape)].join()
  for (const parent of document.querySelectorAll('main, main *'))
    for (const alike of Map.groupBy(parent.children, shape).values()) for (const each of alike.slice(2, -1)) each.remove()
})()`

describeInBrowser('every page', () => {
  let servers: Record<Site, TestServer>

  beforeAll(async () => {
    const named = {
      SITE_NAME: 'Acme News',
      LOGO_URL: 'https://images.acme.test/logo.svg',
      BRAND_COLOR: '#ffdd00',
    }
    servers = {
      plain: await startServer(THE_BINARY),
      branded: await startServer(THE_BINARY, named),
      'from right to left': await startServer(THE_BINARY, { SITE_LANGUAGE: 'ar' }),
    }
    for (const { seed } of Object.values(servers)) showcase(seed)
  })
  afterAll(async () => {
    for (const server of Object.values(servers)) await server.stop()
  })

  const NAMED = ['list', 'team', 'changelog', 'a release', 'a missing page'] as const
  const ALL = Object.keys(PAGES) as (keyof typeof PAGES)[]
  const CASES = [
    ...ALL.map((name) => [name, 'plain'] as const),
    ...NAMED.map((name) => [name, 'branded'] as const),
    ...ALL.map((name) => [name, 'from right to left'] as const),
  ]

  // One visit for all that is asked of a page, as opening it takes longer than most of that.
  test.each(CASES)(
    'complains of nothing, does not scroll sideways, and axe finds nothing to improve: %s (%s)',
    async (name, site) => {
      await inKept(async (browser) => {
        const { page, complaints, foreign } = browser
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
        complaints.length = 0
        foreign.length = 0
        await browser.open(servers[site].url + PAGES[name])
        // Chromium reports the status of an error page. The icon of a branded one comes from elsewhere, and is refused here.
        const isExpected = (text: string) =>
          (/wrong|missing/.test(name) && /status of 40[04]/.test(text)) ||
          (site === 'branded' && text.includes('ERR_FAILED'))
        expect(complaints.filter((text) => !isExpected(text))).toEqual([])

        await page.evaluate(LOAD_IMAGES)
        // Those of the author, and of the operator.
        for (const url of foreign) expect(url).toStartWith('https://images.acme.test/')
        for (const width of [320, 390, 640, 820, 1440]) {
          await page.setViewport({ width, height: 900 })
          const widest = await page.evaluate('document.documentElement.scrollWidth')
          expect({ width, widest }).toEqual({ width, widest: width })
        }
        await lookAt(page, site)
      })
    },
  )
})

/** What axe says of a page in both schemes and at three widths. It sees every element once, and then those of each shape. */
async function lookAt(page: Page, site: Site): Promise<void> {
  const look = async (scheme: 'light' | 'dark', rules?: RunOptions) => {
    const seen = new Set<unknown>()
    for (const width of [1440, 820, 390]) {
      await page.setViewport({ width, height: 900 })
      const media = await page.evaluate(MEDIA)
      const isNew = !seen.has(media)
      seen.add(media)
      // Only colors depend on the scheme, and only positions on the width if the style is the same.
      if (!isNew && scheme === 'dark') continue
      const found = await violations(page, isNew ? rules : POSITIONS)
      expect({ scheme, width, found }).toEqual({ scheme, width, found: [] })
      await page.evaluate(LEAVE_ONE_OF_A_SHAPE)
    }
    // Those of phones, and the others.
    expect(seen.size).toBe(2)
  }
  // The elements are those of the plain site.
  if (site !== 'plain') await page.evaluate(LEAVE_ONE_OF_A_SHAPE)
  // Colors do not depend on the direction.
  if (site === 'from right to left') return look('light', ALL_BUT_COLORS)
  await look('light')
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await look('dark', COLORS)
}

let kept: OpenPage | null = null

/** One page for all, as a new one takes as long as a look at it. After a failure, such as a crash, another one follows. */
async function inKept(look: (browser: OpenPage) => Promise<void>): Promise<void> {
  kept ??= await openPage({ drawn: false })
  try {
    await look(kept)
  } catch (error) {
    kept = null
    throw error
  }
}
