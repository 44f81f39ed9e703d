import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { browserTest, violations } from '../support/pages/watched-page.ts'
import {
  inWidget,
  isPanelOpen,
  openHost,
  startWidgetHost,
  togglePanel,
} from '../support/pages/widget-host.ts'

/** What an author could write to run a script, or to have a browser load something. */
const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 1">',
  '[click](javascript:window.ran=1)',
  '[click](https://x.example/"onmouseover="window.ran=1)',
  '`<img src=x onerror=window.ran=1>`',
  '**<svg onload=window.ran=1>**',
  '![](https://x.example/pixel.png)',
  '"><iframe srcdoc="<script>parent.ran=1</script>">',
  '<changelog-widget src="https://x.example/"></changelog-widget>',
]

const unread = async (page: Page) =>
  (await inWidget(page, '.count', 'hidden')) ? 0 : Number(await inWidget(page, '.count'))

browserTest(
  'on another origin, the widget shows the newest versions, and asks nobody else',
  async (browser) => {
    await using both = await startWidgetHost()
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints, origins } = await browser.open(scheme)
      await page.setViewport({ width: 390, height: 700 })
      await openHost(page, both.page)
      expect(await violations(page)).toEqual([])
      await togglePanel(page)
      const text = String(await inWidget(page, '.panel', 'innerText'))
      expect(text).toMatch(
        /1\.1\.0[\s\S]*Second[\s\S]*1\.0\.0[\s\S]*First[\s\S]*Search in all documents, see the guide/,
      )
      expect(await inWidget(page, 'a', 'href')).toBe('https://guide.example/a')
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      expect({ complaints, origins: [...origins].filter((origin) => origin !== 'null') }).toEqual({
        complaints: [],
        origins: both.allowed,
      })
    }
  },
)

browserTest('the browser remembers what was read, and a new version is unread again', async (browser) => {
  await using both = await startWidgetHost()
  const { page } = await browser.open()
  await openHost(page, both.page)
  expect(await unread(page)).toBe(2)
  await togglePanel(page)
  expect(await unread(page)).toBe(0)
  await openHost(page, both.page)
  expect(await unread(page)).toBe(0)
  both.publish('1.2.0', 2, 'Third')
  await page.setCacheEnabled(false)
  await openHost(page, both.page)
  expect(await unread(page)).toBe(1)
  const { page: other } = await browser.open()
  await openHost(other, both.page)
  expect(await unread(other)).toBe(3)
})

browserTest('it works by keyboard, and says to screen readers what it is', async (browser) => {
  await using both = await startWidgetHost()
  const { page } = await browser.open()
  await openHost(page, both.page)
  const [, button] = (await page.accessibility.snapshot())?.children?.[0]?.children ?? []
  expect(button).toMatchObject({ role: 'button', name: 'What’s new 2 unread', expanded: false })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await isPanelOpen(page)).toBe(true)
  const [, open] = (await page.accessibility.snapshot())?.children?.[0]?.children ?? []
  expect(open).toMatchObject({ name: 'What’s new', expanded: true })
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.id')).toBe('p')
  await page.keyboard.press('Escape')
  expect(await isPanelOpen(page)).toBe(false)
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.id')).toBe('b')
  await page.keyboard.press('Space')
  await page.click('#after')
  expect(await isPanelOpen(page)).toBe(false)
})

browserTest('nothing in a changelog can run or load anything', async (browser) => {
  await using both = await startWidgetHost()
  for (const [at, text] of HOSTILE.entries()) both.publish(`2.${at} ${text}`, 10 + at, text, text)
  const { page, origins } = await browser.open()
  await page.setBypassCSP(true)
  await openHost(page, `${both.page}?`)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('limit', '100')")
  await page.waitForFunction(
    `document.querySelector('changelog-widget').shadowRoot.querySelectorAll('ol > li').length === ${HOSTILE.length + 2}`,
  )
  await togglePanel(page)
  const names = await page.evaluate(
    "[...new Set([...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('.panel *')].map((each) => each.localName))].sort().join()",
  )
  expect(names).toBe('a,code,li,ol,p,span,strong,time,ul')
  const links = await page.evaluate(
    "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('a')].every((each) => /^https?:$/.test(each.protocol) && !each.hasAttribute('onmouseover'))",
  )
  expect(links).toBe(true)
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect([...origins].filter((origin) => origin !== 'null')).toEqual(both.allowed)
})

browserTest('without a changelog to read, it says so, and the page goes on', async (browser) => {
  await using both = await startWidgetHost()
  const { page } = await browser.open()
  await openHost(page, both.page)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('src', '/nothing')")
  await page.waitForFunction(
    "/could not be loaded/.test(document.querySelector('changelog-widget').shadowRoot.querySelector('.panel').textContent)",
  )
  expect(await violations(page)).toEqual([])
})
