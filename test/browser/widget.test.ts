import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { browserTest, violations } from '../support/pages/watched-page.ts'
import { PLENTY, publicPath, startServer, THE_BINARY } from '../support/servers/server.ts'

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2026, 0, 2)

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

/** A server with a changelog, and a page of another origin that embeds it under a strict policy. */
async function startBoth() {
  const server = await startServer(THE_BINARY, PLENTY)
  const team = server.seed.team('acme')
  const { changelogId } = server.seed.product(team, 'app')
  const publish = (label: string, day: number, title: string, ...changes: string[]) =>
    server.seed.version(changelogId, label, {
      title,
      publishedAt: FIRST_DAY + day * DAY,
      changes: changes.map((change) => ({ type: 'added', title: change })),
    })
  publish('1.0.0', 0, 'First', 'Search in `all` **documents**, see [the guide](https://guide.example/a)')
  publish('1.1.0', 1, 'Second')
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        `<!doctype html><html lang="en"><head><title>Elsewhere</title><link rel="icon" href="data:,"></head><body><main><h1>Elsewhere</h1>
        <script src="${server.url}/widget.js" async></script><changelog-widget src="${server.url}${publicPath('acme', 'app')}"></changelog-widget>
        <button id="after">After</button></main></body></html>`,
        {
          headers: {
            'content-type': 'text/html',
            'content-security-policy': `default-src 'none'; img-src data:; script-src ${server.url}; connect-src ${server.url}`,
          },
        },
      ),
  })
  return {
    server,
    publish,
    page: host.url.href,
    allowed: [host.url.origin, server.url],
    async [Symbol.asyncDispose]() {
      await host.stop(true)
      await server[Symbol.asyncDispose]()
    },
  }
}

const inWidget = (page: Page, selector: string, field = 'textContent') =>
  page.evaluate(
    `document.querySelector('changelog-widget').shadowRoot.querySelector('${selector}')?.${field}`,
  )

const opened = async (page: Page, address: string) => {
  await page.goto(address)
  await page.waitForFunction(
    "document.querySelector('changelog-widget').shadowRoot?.querySelector('.panel').childElementCount > 0",
  )
}

const unread = async (page: Page) =>
  (await inWidget(page, '.count', 'hidden')) ? 0 : Number(await inWidget(page, '.count'))

browserTest(
  'on another origin, the widget shows the newest versions, and asks nobody else',
  async (browser) => {
    await using both = await startBoth()
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints, origins } = await browser.open(scheme)
      await page.setViewport({ width: 390, height: 700 })
      await opened(page, both.page)
      expect(await violations(page)).toEqual([])
      await page.click('changelog-widget')
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
  await using both = await startBoth()
  const { page } = await browser.open()
  await opened(page, both.page)
  expect(await unread(page)).toBe(2)
  await page.click('changelog-widget')
  expect(await unread(page)).toBe(0)
  await opened(page, both.page)
  expect(await unread(page)).toBe(0)
  both.publish('1.2.0', 2, 'Third')
  await page.setCacheEnabled(false)
  await opened(page, both.page)
  expect(await unread(page)).toBe(1)
  const { page: other } = await browser.open()
  await opened(other, both.page)
  expect(await unread(other)).toBe(3)
})

browserTest('it works by keyboard, and says to screen readers what it is', async (browser) => {
  await using both = await startBoth()
  const { page } = await browser.open()
  await opened(page, both.page)
  const [, button] = (await page.accessibility.snapshot())?.children?.[0]?.children ?? []
  expect(button).toMatchObject({ role: 'button', name: 'What’s new 2 unread', expanded: false })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await inWidget(page, 'button', 'ariaExpanded')).toBe('true')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.id')).toBe('p')
  await page.keyboard.press('Escape')
  expect(await inWidget(page, 'button', 'ariaExpanded')).toBe('false')
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.id')).toBe('b')
  await page.keyboard.press('Space')
  await page.click('#after')
  expect(await inWidget(page, '.panel', 'hidden')).toBe(true)
})

browserTest('nothing in a changelog can run or load anything', async (browser) => {
  await using both = await startBoth()
  for (const [at, text] of HOSTILE.entries()) both.publish(`2.${at} ${text}`, 10 + at, text, text)
  const { page, origins } = await browser.open()
  await page.setBypassCSP(true)
  await opened(page, `${both.page}?`)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('limit', '100')")
  await page.waitForFunction(
    `document.querySelector('changelog-widget').shadowRoot.querySelectorAll('ol > li').length === ${HOSTILE.length + 2}`,
  )
  await page.click('changelog-widget')
  const names = await page.evaluate(
    "[...new Set([...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('.panel *')].map((each) => each.localName))].sort().join()",
  )
  expect(names).toBe('a,b,code,li,ol,p,span,time,ul')
  const links = await page.evaluate(
    "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('a')].every((each) => /^https?:$/.test(each.protocol) && !each.hasAttribute('onmouseover'))",
  )
  expect(links).toBe(true)
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect([...origins].filter((origin) => origin !== 'null')).toEqual(both.allowed)
})

browserTest('without a changelog to read, it says so, and the page goes on', async (browser) => {
  await using both = await startBoth()
  const { page } = await browser.open()
  await opened(page, both.page)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('src', '/nothing')")
  await page.waitForFunction(
    "/could not be loaded/.test(document.querySelector('changelog-widget').shadowRoot.querySelector('.panel').textContent)",
  )
  expect(await violations(page)).toEqual([])
})
