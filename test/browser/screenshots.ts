/** `bun run screenshots` takes the pictures of the documentation, light and dark: docs/images/changelog-*.webp and desk-*.webp. */
import { join } from 'node:path'
import { authorAt } from '../support/desk/author.ts'
import { TestDesk } from '../support/desk/desk.ts'
import { removeLeftovers } from '../support/leftovers.ts'
import { type OpenPage, openPage } from '../support/pages/browser.ts'
import { Sandbox } from '../support/sandbox.ts'

const directory = join(import.meta.dir, '../../docs/images')

try {
  await using box = await Sandbox.on('SQLite')
  await box.demo()
  const url = await box.serve()
  const desk = await TestDesk.forUser(box, 'Mira Okoro', { PUBLIC_URL: 'https://changes.example.com' })
  const { id } = await box.json<{ id: string }>('version', 'show', 'acme/harbor', '5.0.0')
  for (const scheme of ['light', 'dark'] as const) {
    await using browser = await openPage({ width: 960, height: 800, scheme, isDrawn: true })
    await browser.open(`${url}/changelog/acme/meridian`)
    await take(browser, `changelog-${scheme}`)
    await using author = await authorAt(desk, 'Mira Okoro', { width: 1_200, height: 760, scheme })
    await author.go(`/acme/harbor/${id}`)
    await author.page.waitForNetworkIdle()
    await take(author, `desk-${scheme}`)
  }
} finally {
  removeLeftovers()
}

async function take({ page }: OpenPage, name: string): Promise<void> {
  const path = join(directory, `${name}.webp`) as `${string}.webp`
  await page.screenshot({ path, type: 'webp', quality: 60 })
  console.log(`${path}  ${Math.round(Bun.file(path).size / 1_000)} KB`)
}

process.exit()
