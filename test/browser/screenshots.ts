/** `bun run screenshots` takes the pictures of the documentation: docs/images/changelog-light.webp and -dark.webp. */
import { join } from 'node:path'
import { removeLeftovers } from '../support/leftovers.ts'
import { openPage } from '../support/pages/browser.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { startServer, THE_BINARY } from '../support/servers/server.ts'

const directory = join(import.meta.dir, '../../docs/images')

try {
  await using server = await startServer(THE_BINARY)
  showcase(server.seed)
  for (const scheme of ['light', 'dark'] as const) {
    await using browser = await openPage({ width: 960, height: 800, scheme, isDrawn: true })
    await browser.open(server.url + PAGES['every kind of change'])
    const path = join(directory, `changelog-${scheme}.webp`) as `${string}.webp`
    await browser.page.screenshot({ path, type: 'webp', quality: 60 })
    console.log(`${path}  ${Math.round(Bun.file(path).size / 1_000)} KB`)
  }
} finally {
  removeLeftovers()
}
process.exit()
