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
  (await inWidget(page, 'button .dot', 'hidden'))
    ? 0
    : Number.parseInt(String(await inWidget(page, 'button .dot', 'ariaLabel')), 10)

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
        /What’s new in app\s+Second\s+1\.1\.0 · 3 Jan 2026\s+First\s+1\.0\.0 · 2 Jan 2026\s+Added\s+Search in all documents, see the guide\s+See all releases →/,
      )
      expect(await inWidget(page, 'ul a', 'href')).toBe('https://guide.example/a')
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
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.localName')).toBe('ol')
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
  expect(names).toBe('a,b,bdi,code,li,ol,p,span,strong,time,ul')
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

browserTest(
  'titles, what is left out and the footer lead to the pages of the changelog, whatever the labels are',
  async (browser) => {
    await using both = await startWidgetHost()
    both.publish('feed.atom', 5, 'A **title** with [a link](https://x.example/)', ...'abcdef')
    const { page } = await browser.open()
    await openHost(page, both.page)
    const base = `${both.server.url}/changelog/acme/app`
    expect(await inWidget(page, '.title', 'innerHTML')).toBe('A <strong>title</strong> with a link')
    expect(await inWidget(page, '.more')).toBe('2 more changes →')
    const href = String(await inWidget(page, '.title', 'href'))
    expect(await inWidget(page, '.more', 'href')).toBe(href)
    expect(await (await fetch(href)).text()).toContain('<span class="label">feed.atom</span>')
    expect(await inWidget(page, 'li:nth-child(3) .title')).toBe('First')
    expect((await fetch(String(await inWidget(page, 'li:nth-child(3) .title', 'href')))).status).toBe(200)
    expect([await inWidget(page, '.all'), await inWidget(page, '.all', 'href')]).toEqual([
      'See all releases →',
      base,
    ])
    await page.evaluate("document.querySelector('changelog-widget').setAttribute('href', '/all')")
    await page.waitForFunction(
      "document.querySelector('changelog-widget').shadowRoot.querySelector('.all').href.endsWith('/all')",
    )
  },
)

browserTest('without pages there is no link to any', async (browser) => {
  await using both = await startWidgetHost(undefined, { PAGES: 'off' })
  both.publish('2.0.0', 5, 'Third', ...'abcdef')
  const { page } = await browser.open()
  await openHost(page, both.page)
  expect(await inWidget(page, '.title')).toBe('Third')
  expect(await inWidget(page, '.more')).toBe('2 more changes')
  const links = await page.evaluate(
    "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('a')].map((each) => each.href)",
  )
  expect(links).toEqual(['https://guide.example/a'])
})

browserTest('breaking changes and security come first, and mark their version', async (browser) => {
  await using both = await startWidgetHost()
  both.publish(
    '2.0.0',
    5,
    'Third',
    ...([
      ['added', 'A feature'],
      ['fixed', 'A fix'],
      ['security', 'A leak'],
      ['changed', '**Breaking:** another default'],
      ['chores', 'Something else'],
    ] as [string, string][]),
  )
  const { page } = await browser.open()
  await openHost(page, both.page)
  const rows = await page.evaluate(
    "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('ol > li:first-child ul > li')].map((each) => [each.firstElementChild.className, each.innerText.replace(/\\s+/g, ' ')])",
  )
  expect(rows).toEqual([
    ['breaking', 'Breaking Breaking: another default'],
    ['security', 'Security A leak'],
    ['added', 'Added A feature'],
    ['fixed', 'Fixed A fix'],
    ['more', '1 more change →'],
  ])
  expect(await inWidget(page, '.meta', "innerText.replace(/\\s+/g, ' ')")).toBe(
    '2.0.0 · 7 Jan 2026 Breaking Security',
  )
  expect(await inWidget(page, 'li:nth-child(2) .badge')).toBeUndefined()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    if (!(await isPanelOpen(page))) await togglePanel(page)
    expect(await violations(page)).toEqual([])
  }
})

browserTest('what was unread when the panel opened is marked until it closes', async (browser) => {
  await using both = await startWidgetHost()
  const { page } = await browser.open()
  await openHost(page, both.page)
  await togglePanel(page)
  const marked = () =>
    page.evaluate(
      "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('ol .dot')].map((each) => each.ariaLabel)",
    )
  expect(await marked()).toEqual(['Unread', 'Unread'])
  await togglePanel(page)
  expect(await marked()).toEqual([])
})

browserTest('it speaks the language that the element has, in its direction', async (browser) => {
  await using both = await startWidgetHost()
  both.publish('2.0.0', 5, 'Third', ...'abcdef')
  const { page } = await browser.open()
  await openHost(page, both.page)
  const speak = async (lang: string, all: string) => {
    await page.evaluate(`document.querySelector('changelog-widget').lang = '${lang}'`)
    await page.waitForFunction(
      `document.querySelector('changelog-widget').shadowRoot.querySelector('.all').textContent === '${all}'`,
    )
  }
  await speak('de-AT', 'Alle Versionen ansehen →')
  expect(await inWidget(page, '.meta')).toBe('2.0.0 · 7. Jan. 2026')
  expect(await inWidget(page, '.more')).toBe('2 weitere Änderungen →')
  await speak('ar', 'عرض كل الإصدارات ←')
  expect([await inWidget(page, '.panel', 'dir'), await inWidget(page, '.panel', 'lang')]).toEqual([
    'rtl',
    'ar',
  ])
  await togglePanel(page)
  expect(await violations(page)).toEqual([])
  await speak('xx', 'See all releases →')
})
