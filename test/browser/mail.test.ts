import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { DRAWN, PRODUCT, published, release, written } from '../support/announcing/mail-samples.ts'
import { browserTest, violations } from '../support/pages/watched-page.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600"><rect width="1200" height="600"/></svg>'
const CHANGES = [
  ...DRAWN.slice(0, 6),
  { type: 'added', title: 'Mode', description: '![A map of all modes](https://img.example/wide.png)' },
  { type: 'breaking', title: 'x'.repeat(300), description: `\`\`\`\n${'word '.repeat(60)}\n\`\`\`` },
]
const DESCRIPTION = '> A quote\n\n|a|b|\n|-|-|\n|`1`|[2](/docs)|\n\n1. One\n2. Two'

/** A message has no landmarks: it is shown within a page. */
const RULES = { rules: { 'landmark-one-main': { enabled: false }, region: { enabled: false } } }

/** Shows a message whose pictures come, or never do. */
async function show(page: Page, html: string, arePicturesOn: boolean): Promise<void> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      url.endsWith('/wide.svg')
        ? new Response(PICTURE, { headers: { 'content-type': 'image/svg+xml' } })
        : new Response(html.replaceAll('https://img.example/wide.png', arePicturesOn ? '/wide.svg' : 'x:'), {
            headers: { 'content-type': 'text/html; charset=utf-8' },
          }),
  })
  await page.goto(server.url.href)
  await server.stop(true)
}

for (const language of ['en', 'ar'] as const)
  browserTest(
    `a message in ${language} fits every window, and is readable in light and dark, with and without pictures`,
    async ({ page }) => {
      const found = release('Blue-green by default', CHANGES, {
        product: { ...PRODUCT, language },
        description: DESCRIPTION,
      })
      const { html } = await written(published(found))
      for (const arePicturesOn of [true, false]) {
        await show(page, html, arePicturesOn)
        for (const width of [390, 1280])
          for (const scheme of ['light', 'dark']) {
            await page.setViewport({ width, height: 900 })
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
            expect(await violations(page, RULES)).toEqual([])
            expect(await page.evaluate(SIZES)).toEqual({ width, isWithinCard: true })
          }
        expect(await page.evaluate("document.querySelector('img').alt")).toBe('A map of all modes')
      }
    },
  )

/** Whether everything is in the card, which is at most 600 wide. */
const SIZES = `(() => {
  const card = document.querySelector('.card').getBoundingClientRect()
  const isWithin = (each) => {
    const { left, right } = each.getBoundingClientRect()
    return left >= card.left && right <= card.right
  }
  return {
    width: document.documentElement.scrollWidth,
    isWithinCard: card.width <= 600 && [...document.querySelectorAll('.card *')].every(isWithin),
  }
})()`
