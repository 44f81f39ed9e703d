import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RunOptions } from 'axe-core'
import { describeInBrowser, openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { violations } from '../support/pages/watched-page.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

describeInBrowser('axe', () => {
  let servers: TestServer[]

  beforeAll(async () => {
    const named = {
      SITE_NAME: 'Acme News',
      LOGO_URL: 'https://images.acme.test/logo.svg',
      BRAND_COLOR: '#ffdd00',
    }
    servers = [await startServer(THE_BINARY), await startServer(THE_BINARY, named)]
    for (const { seed } of servers) showcase(seed)
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })

  test.each(['light', 'dark'] as const)('finds nothing to improve on any page (%s)', async (scheme) => {
    // Only colors depend on the scheme.
    const colors: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
    const options = scheme === 'light' ? undefined : colors
    await using browser = await openPage({ scheme })
    for (const [server, names] of [
      [servers[0], Object.keys(PAGES)],
      [servers[1], ['list', 'team', 'changelog', 'a release', 'a missing page']],
    ] as [TestServer, (keyof typeof PAGES)[]][])
      for (const name of names) {
        await browser.open(server.url + PAGES[name])
        const found = await violations(browser.page, options)
        expect({ name, found }).toEqual({ name, found: [] })
      }
  })
})
