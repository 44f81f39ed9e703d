import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { ALL_BUT_COLORS, COLORS, POSITIONS, violations } from '../support/pages/watched-page.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

/** Which of the media queries of a page hold. */
const MEDIA = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter((rule) => rule instanceof CSSMediaRule).map(({ conditionText }) => matchMedia(conditionText).matches).join()`

/** Takes away the middle of a list of hundreds, whose items are alike. */
const SHORTEN = `document.querySelectorAll('li:nth-child(n + 50):nth-last-child(n + 50)').forEach((item) => item.remove())`

describeInBrowser('axe', () => {
  let servers: Record<'plain' | 'branded' | 'from right to left', TestServer>

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

  test.each(CASES)('finds nothing to improve on %s (%s)', async (name, site) => {
    await inKept(async (browser) => {
      await browser.open(servers[site].url + PAGES[name])
      await browser.page.evaluate(SHORTEN)
      const look = async (scheme: 'light' | 'dark', rules?: RunOptions) => {
        await browser.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
        const seen = new Set<unknown>()
        for (const width of [1440, 820, 390]) {
          await browser.page.setViewport({ width, height: 900 })
          const media = await browser.page.evaluate(MEDIA)
          const isNew = !seen.has(media)
          seen.add(media)
          // Only colors depend on the scheme, and only positions on the width if the style is the same.
          if (!isNew && scheme === 'dark') continue
          const found = await violations(browser.page, isNew ? rules : POSITIONS)
          expect({ scheme, width, found }).toEqual({ scheme, width, found: [] })
        }
        // Those of phones, and the others.
        expect(seen.size).toBe(2)
      }
      // Colors do not depend on the direction.
      if (site === 'from right to left') return look('light', ALL_BUT_COLORS)
      await look('light')
      await look('dark', COLORS)
    })
  })
})

let kept: OpenPage | null = null

/** One page for all, as a new one takes as long as a look at it. After a failure, such as a crash, another one follows. */
async function inKept(look: (browser: OpenPage) => Promise<void>): Promise<void> {
  kept ??= await openPage()
  try {
    await look(kept)
  } catch (error) {
    kept = null
    throw error
  }
}
