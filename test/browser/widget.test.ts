import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { untilOn } from '../support/pages/browser.ts'
import { browserTest, COLORS, openWatched, violations, type Watched } from '../support/pages/watched-page.ts'
import {
  allInWidget,
  inWidget,
  isPanelOpen,
  openHost,
  startWidgetHost,
  togglePanel,
  untilInWidget,
} from '../support/pages/widget-host.ts'
import { until } from '../support/until.ts'

/** What an author could write to run a script, or to have a browser load something. */
const HOSTILE = [
  ...['<script>window.ran = 1</script>', '<img src=x onerror="window.ran = 1">'],
  ...['[click](javascript:window.ran=1)', '[click](https://x.example/"onmouseover="window.ran=1)'],
  ...['`<img src=x onerror=window.ran=1>`', '**<svg onload=window.ran=1>**'],
  ...['![](https://x.example/pixel.png)', '"><iframe srcdoc="<script>parent.ran=1</script>">'],
  ...['<changelog-widget src="https://x.example/"></changelog-widget>'],
]

const unread = async (page: Page) =>
  (await inWidget(page, 'button .dot', 'hidden'))
    ? 0
    : Number(String(await inWidget(page, 'button .dot', 'ariaLabel')).replace('Unread: ', ''))

const inDark = (page: Page) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])

browserTest(
  'on another origin, the widget shows the newest versions, and asks nobody else',
  async ({ page, complaints, origins }) => {
    await using both = await startWidgetHost()
    await page.setViewport({ width: 390, height: 700 })
    await openHost(page, both.page)
    expect(await violations(page)).toEqual([])
    await togglePanel(page)
    const text = String(await inWidget(page, '.panel', 'innerText'))
    expect(text).toMatch(
      /What’s new in app\s+Second\s+1\.1\.0 · 3 Jan 2026\s+First\s+1\.0\.0 · 2 Jan 2026\s+Added\s+Search in all documents, see the guide\s+Show all releases →/,
    )
    expect(await inWidget(page, 'ul a', 'href')).toBe('https://guide.example/a')
    expect(await violations(page)).toEqual([])
    await inDark(page)
    expect(await violations(page, COLORS)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect({ complaints, origins: [...origins].filter((origin) => origin !== 'null') }).toEqual({
      complaints: [],
      origins: both.allowed,
    })
  },
)

browserTest('the browser remembers what was read, and a new version is unread again', async ({ page }) => {
  await using both = await startWidgetHost()
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
  await page.setCacheEnabled(true)
  const { page: other } = await openWatched()
  await openHost(other, both.page)
  expect(await unread(other)).toBe(3)
  await other.close()
})

const byKeyboard = async ({ page }: Watched) => {
  await using both = await startWidgetHost()
  await openHost(page, both.page)
  const [, button] = (await page.accessibility.snapshot())?.children?.[0]?.children ?? []
  expect(button).toMatchObject({ role: 'button', name: 'What’s new Unread: 2', expanded: false })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await isPanelOpen(page)).toBe(true)
  await untilInWidget(page, 'button .dot', 'hidden', true)
  const [, open] = (await page.accessibility.snapshot())?.children?.[0]?.children ?? []
  expect(open).toMatchObject({ name: 'What’s new', expanded: true })
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.localName')).toBe('ol')
  await page.keyboard.press('Escape')
  expect(await isPanelOpen(page)).toBe(false)
  expect(await page.evaluate('document.activeElement.shadowRoot?.activeElement?.id')).toBe('b')
  await page.click('changelog-widget')
  expect(await isPanelOpen(page)).toBe(true)
  await page.click('#after')
  expect(await isPanelOpen(page)).toBe(false)
}
browserTest('it works by keyboard, and says to screen readers what it is', byKeyboard, { isDrawn: true })

browserTest('nothing in a changelog can run or load anything', async ({ page, origins }) => {
  await using both = await startWidgetHost()
  for (const [at, text] of HOSTILE.entries()) both.publish(`2.${at} ${text}`, 10 + at, text, text)
  await page.setBypassCSP(true)
  await openHost(page, `${both.page}?`)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('limit', '100')")
  await untilInWidget(page, 'ol', 'childElementCount', HOSTILE.length + 2)
  await togglePanel(page)
  const names = (await allInWidget(page, '.panel *', 'each.localName')) as string[]
  expect([...new Set(names)].sort().join()).toBe('a,b,bdi,code,li,ol,p,span,strong,time,ul')
  const links = await allInWidget(page, 'a', "[each.protocol, each.hasAttribute('onmouseover')].join()")
  expect(new Set(links as string[])).toEqual(
    new Set([new URL(both.page).protocol, 'https:'].map((each) => `${each},false`)),
  )
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect([...origins].filter((origin) => origin !== 'null')).toEqual(both.allowed)
  await page.setBypassCSP(false)
})

browserTest('without a changelog to read, it says so, and the page goes on', async ({ page }) => {
  await using both = await startWidgetHost()
  await openHost(page, both.page)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('src', '/nothing')")
  await untilOn(
    page,
    "/could not be loaded/.test(document.querySelector('changelog-widget').shadowRoot.querySelector('.panel').textContent)",
  )
  expect(await violations(page)).toEqual([])
})

browserTest('its panel says that it loads, and after ten seconds that it could not', async ({ page }) => {
  await using both = await startWidgetHost()
  let asked = 0
  await using silent = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: async () => {
      asked++
      return await new Promise<Response>(() => {})
    },
  })
  await page.setBypassCSP(true)
  await openHost(page, both.page)
  // The browser's clock, which the test turns.
  await page.evaluate(`window.waits = []
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController()
      waits.push({ ms, end: () => controller.abort() })
      return controller.signal
    }
    document.querySelector('changelog-widget').src = '${silent.url}'`)
  const note = (text: string) => untilInWidget(page, '.note', 'textContent', text)
  await untilOn(page, 'waits.length === 1')
  await note('Loading…')
  await until(() => asked === 1)
  // Opening it waits for the same response.
  await togglePanel(page)
  await note('Loading…')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate('waits.map(({ ms }) => ms)')).toEqual([10_000])
  await page.evaluate('waits[0].end()')
  await note('The changes could not be loaded.')
  await togglePanel(page)
  await togglePanel(page)
  await note('Loading…')
  await until(() => asked === 2)
  await page.setBypassCSP(false)
  silent.stop(true)
  await note('The changes could not be loaded.')
})

browserTest(
  'titles, what is left out and the footer lead to the pages of the changelog, whatever the labels are',
  async ({ page }) => {
    await using both = await startWidgetHost()
    both.publish('feed.atom', 5, 'A **title** with [a link](https://x.example/)', ...'abcdef')
    await openHost(page, both.page)
    expect(await inWidget(page, '.title', 'innerHTML')).toBe('A <strong>title</strong> with a link')
    expect(await inWidget(page, '.more')).toBe('2 more →')
    const href = String(await inWidget(page, '.title', 'href'))
    expect(await inWidget(page, '.more', 'href')).toBe(href)
    expect(await (await fetch(href)).text()).toContain('<span class="named" dir="auto">feed.atom</span>')
    expect(await inWidget(page, 'li:nth-child(3) .title')).toBe('First')
    expect((await fetch(String(await inWidget(page, 'li:nth-child(3) .title', 'href')))).status).toBe(200)
    expect(await inWidget(page, '.all', 'outerHTML')).toContain('Show all releases →')
    expect(await inWidget(page, '.all', 'href')).toBe(both.changelog)
    await page.evaluate("document.querySelector('changelog-widget').setAttribute('href', '/all')")
    await untilInWidget(page, '.all', 'href', `${both.page}all`)
  },
)

browserTest('without pages there is no link to any', async ({ page }) => {
  await using both = await startWidgetHost(undefined, { PAGES: 'off' })
  both.publish('2.0.0', 5, 'Third', ...'abcdef')
  await openHost(page, both.page)
  expect(await inWidget(page, '.title')).toBe('Third')
  expect(await inWidget(page, '.more')).toBe('2 more')
  expect(await allInWidget(page, 'a', 'each.href')).toEqual(['https://guide.example/a'])
})

browserTest('breaking changes and security come first, and mark their version', async ({ page }) => {
  await using both = await startWidgetHost()
  const id = both.publish(
    ...(['2.0.0-rc.1', 5, 'Third'] as const),
    ['added', '[x] A feature ([#7](https://acme.test)) ([a1b2c3d](https://acme.test))'],
    ['changed', 'a1b2c3d: fix: crash[^1]'],
    ['security', 'A leak by @mira in https://github.com/acme/app/pull/12'],
    ['changed', '**Breaking:** another default'],
    ['chores', 'Something else'],
  )
  both.seed.db.run("UPDATE version SET yanked = '' WHERE id = ?", [id])
  await openHost(page, both.page)
  const row = "[each.firstElementChild.className, each.innerText.replace(/\\s+/g, ' ')]"
  expect(await allInWidget(page, 'ol > li:first-child ul > li', row)).toEqual([
    ['breaking', 'Breaking Another default'],
    ['security', 'Security A leak by @mira in #12'],
    ['added', 'Added ☑ A feature (#7) (a1b2c3d)'],
    ['fixed', 'Fixed Crash a1b2c3d'],
    ['more', '1 more →'],
  ])
  expect(await inWidget(page, '.meta', "innerText.replace(/\\s+/g, ' ')")).toBe(
    '2.0.0-rc.1 · 7 Jan 2026 Pre-release Yanked Breaking Security',
  )
  expect(`${await allInWidget(page, '.by', 'each.innerText')}`).toBe('by @mira in #12,(#7) (a1b2c3d),a1b2c3d')
  expect(await inWidget(page, 'li:nth-child(2) .badge')).toBeUndefined()
  await togglePanel(page)
  expect(await violations(page)).toEqual([])
  await inDark(page)
  expect(await violations(page, COLORS)).toEqual([])
})

browserTest('what was unread when the panel opened is marked until it closes', async ({ page }) => {
  await using both = await startWidgetHost()
  await openHost(page, both.page)
  await togglePanel(page)
  const marked = () => allInWidget(page, 'ol .dot', 'each.ariaLabel')
  expect(await marked()).toEqual(['Unread', 'Unread'])
  await togglePanel(page)
  expect(await marked()).toEqual([])
})

browserTest('it speaks the language that the element has, in its direction', async ({ page }) => {
  await using both = await startWidgetHost()
  both.publish('2.0.0', 5, 'Third', ...'abcdef')
  await openHost(page, both.page)
  const speak = async (lang: string, all: string) => {
    await page.evaluate(`document.querySelector('changelog-widget').lang = '${lang}'`)
    await untilInWidget(page, '.all', 'textContent', all)
  }
  await speak('de-AT', 'Alle Versionen anzeigen →')
  expect(await inWidget(page, '.meta')).toBe('2.0.0 · 7. Jan. 2026')
  expect(await inWidget(page, '.more')).toBe('2 weitere →')
  await speak('ar', 'عرض كل الإصدارات ←')
  expect(await inWidget(page, '.panel', 'dir')).toBe('rtl')
  expect(await inWidget(page, '.panel', 'lang')).toBe('ar')
  await togglePanel(page)
  expect(await violations(page)).toEqual([])
  await speak('xx', 'Show all releases →')
})

browserTest(
  'it offers the form of a mailing list, unless its address is none of the web',
  async ({ page }) => {
    await using both = await startWidgetHost()
    await openHost(page, both.page)
    const subscribe = (address: string) =>
      page.evaluate(`document.querySelector('changelog-widget').setAttribute('subscribe', '${address}')`)
    await subscribe('https://lists.example/join')
    await untilInWidget(page, '.all:last-child', 'textContent', 'Subscribe by e-mail')
    expect(await allInWidget(page, '.all', 'each.href')).toEqual([
      both.changelog,
      'https://lists.example/join',
    ])
    await togglePanel(page)
    expect(await violations(page)).toEqual([])
    await subscribe('javascript:alert(1)')
    await untilInWidget(page, '.all:last-child', 'textContent', 'Show all releases →')
  },
)

browserTest(
  'the widget shows an entry without a number by title, date and its own first picture, which does not move',
  async ({ page, origins }) => {
    await using both = await startWidgetHost()
    const moving = `${'0'.repeat(32)}-640x320.gif`
    both.seed.version(both.changelogId, 'guests-on-every-board', {
      title: 'Guests',
      publishedAt: Date.UTC(2026, 2, 1),
      description: `![Not ours](https://x.example/a.png)\n\n![A board](pictures/${moving})`,
    })
    await openHost(page, both.page)
    await togglePanel(page)
    expect(String(await inWidget(page, 'ol > li', 'innerText'))).toMatch(/^Guests\s+\d+ \w+ 2026\s*$/)
    expect(String(await inWidget(page, 'ol img', 'src'))).toEndWith(`/pictures/${moving}.small.webp`)
    expect([await inWidget(page, 'ol img', 'alt'), (await inWidget(page, 'ol img', 'width')) !== 0]).toEqual([
      'A board',
      true,
    ])
    expect([...origins]).not.toContain('https://x.example')
  },
)
