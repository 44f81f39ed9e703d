import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { violations } from '../support/pages/watched-page.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

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
      const look = async (scheme: 'light' | 'dark', rules?: RunOptions) => {
        await browser.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
        for (const width of [1440, 820, 390]) {
          await browser.page.setViewport({ width, height: 900 })
          const found = await violations(browser.page, rules)
          expect({ scheme, width, found }).toEqual({ scheme, width, found: [] })
        }
      }
      await look('light')
      // Only colors depend on the scheme, and colors do not depend on the direction.
      const colors: RunOptions = {
        runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
      }
      if (site !== 'from right to left') await look('dark', colors)
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
