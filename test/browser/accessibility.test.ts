import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import { describeInBrowser, openPage } from '../support/pages/browser.ts'
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
    ...(['light', 'dark'] as const).flatMap((scheme) => [
      ...ALL.map((name) => [name, scheme, 'plain'] as const),
      ...NAMED.map((name) => [name, scheme, 'branded'] as const),
    ]),
    // In the dark only colors are looked at, which do not depend on the direction.
    ...ALL.map((name) => [name, 'light', 'from right to left'] as const),
  ]

  // Each has a page of its own: what one leaves behind, or a crash, is no matter to the next.
  test.each(CASES)('finds nothing to improve on %s (%s, %s)', async (name, scheme, site) => {
    // Only colors depend on the scheme.
    const colors: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
    await using browser = await openPage({ scheme })
    await browser.open(servers[site].url + PAGES[name])
    for (const width of [1440, 820, 390]) {
      await browser.page.setViewport({ width, height: 900 })
      const found = await violations(browser.page, scheme === 'light' ? undefined : colors)
      expect({ width, found }).toEqual({ width, found: [] })
    }
  })
})
