import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { browserTest } from '../support/pages/watched-page.ts'
import {
  type HostPages,
  inWidget,
  isPanelOpen,
  openHost,
  startWidgetHost,
  togglePanel,
} from '../support/pages/widget-host.ts'

/** Names that any page may use for its own, and that the widget is likely to use too. */
const OWN_NAMES =
  'const STYLE = 1, INLINE = 2, entry = 3, element = 4, link = 5, inline = 6, MAX_CHANGES = 7; class ChangelogWidget {} window.sum = (window.sum ?? 0) + STYLE + entry'

const bar = (style: string, snippet: string) =>
  `<style>body { margin: 0 } .bar { ${style} }</style><div class="bar">${snippet}</div>`

const PAGES: HostPages = {
  '/names-before': (_, script, widget) => `<script>${OWN_NAMES}</script>${script}${widget}`,
  '/names-after': (_, script, widget) => `${script}${widget}<script>${OWN_NAMES}</script>`,
  // Only while the widget is made, as the driver of the browser would stumble too.
  '/extended': (_, script, widget) =>
    `<script>Object.prototype.extended = 'yes'</script>${script}${widget}<script>delete Object.prototype.extended</script>`,
  '/parsed-before': (_, script, widget) => widget + script,
  '/without': () => '<p>Text</p>',
  '/twice': (snippet) => snippet + snippet,
  '/clipped': (snippet) =>
    bar('overflow: hidden; height: 50px; transform: scale(1); contain: paint', snippet),
  '/footer': (snippet) => bar('position: absolute; top: 640px', snippet),
  '/right': (snippet) => bar('text-align: right', snippet),
  '/middle': (snippet) => bar('text-align: center', snippet),
  '/shouting': (snippet) =>
    bar('white-space: nowrap; text-transform: uppercase; letter-spacing: 9px', snippet),
}

const SIZES = [
  { width: 1000, height: 700 },
  { width: 500, height: 700 },
  { width: 390, height: 700 },
  { width: 320, height: 700 },
]

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const boxOf = async (page: Page, selector: string) =>
  (await inWidget(page, selector, 'getBoundingClientRect().toJSON()')) as Box

/** A changelog that is longer than any screen. */
function publishMuch({ publish }: Awaited<ReturnType<typeof startWidgetHost>>): void {
  for (let day = 10; day < 15; day++)
    publish(`${day}.0.0`, day, `Version ${day}`, ...Array.from({ length: 12 }, (_, at) => `Change ${at}`))
}

browserTest('the page keeps its own names, and the widget works beside them', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  for (const path of ['names-before', 'names-after']) {
    const { page, complaints } = await browser.open()
    await openHost(page, both.page + path)
    await togglePanel(page)
    expect({
      path,
      complaints,
      open: await isPanelOpen(page),
      sum: await page.evaluate('window.sum'),
    }).toEqual({
      ...{ path, complaints: [], open: true, sum: 4 },
    })
  }
})

browserTest('the script adds nothing to the page but the element', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  const { page } = await browser.open()
  const names = async (path: string) => {
    await page.goto(both.page + path)
    await page.waitForFunction("document.readyState === 'complete'")
    return page.evaluate('Object.getOwnPropertyNames(window).sort()')
  }
  expect(await names('twice')).toEqual(await names('without'))
})

browserTest('the snippet may be pasted twice', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  const { page, complaints } = await browser.open()
  await openHost(page, `${both.page}twice`)
  const second = await page.$('changelog-widget:last-of-type')
  await second?.click()
  expect(await isPanelOpen(page)).toBe(false)
  expect(
    await page.evaluate(
      "document.querySelector('changelog-widget:last-of-type').shadowRoot.querySelector('.panel').matches(':popover-open')",
    ),
  ).toBe(true)
  expect(complaints).toEqual([])
})

browserTest(
  'wherever the button is, all of the panel is inside the window and at the button',
  async (browser) => {
    await using both = await startWidgetHost(PAGES)
    publishMuch(both)
    const { page } = await browser.open()
    // The second time without anchor positioning, as in older browsers.
    for (const hasAnchors of [true, false]) {
      if (!hasAnchors) await page.evaluateOnNewDocument('CSS.supports = () => false')
      for (const path of ['clipped', 'footer', 'right', 'middle', 'shouting']) {
        await openHost(page, both.page + path)
        for (const size of SIZES) {
          await page.setViewport(size)
          await togglePanel(page)
          const [button, panel] = [await boxOf(page, 'button'), await boxOf(page, '.panel')]
          const at = JSON.stringify({ hasAnchors, path, ...size, button, panel })
          expect(panel.left >= 0 && panel.right <= size.width, at).toBe(true)
          expect(panel.top >= 0 && panel.bottom <= size.height, at).toBe(true)
          expect(panel.bottom - panel.top, at).toBeGreaterThan(350)
          const isSeen = `document.elementFromPoint(${panel.left + 20}, ${panel.bottom - 20})?.localName`
          expect(await page.evaluate(isSeen), at).toBe('changelog-widget')
          const gap = panel.top > button.top ? panel.top - button.bottom : button.top - panel.bottom
          if (size.width > 480) expect(gap, at).toBe(8)
          else expect(size.height - panel.bottom, at).toBe(8)
          expect(await page.evaluate('document.documentElement.scrollWidth'), at).toBe(size.width)
          expect(await inWidget(page, '.panel', 'scrollWidth'), at).toBe(
            Number(await inWidget(page, '.panel', 'clientWidth')),
          )
          await togglePanel(page, 'Escape')
        }
      }
    }
  },
)

browserTest('the panel starts where the button starts, or ends where it ends', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  const { page } = await browser.open()
  await page.setViewport({ width: 1000, height: 700 })
  await openHost(page, `${both.page}middle`)
  await togglePanel(page)
  expect((await boxOf(page, '.panel')).left).toBeCloseTo((await boxOf(page, 'button')).left)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('align', 'end')")
  expect((await boxOf(page, '.panel')).right).toBeCloseTo((await boxOf(page, 'button')).right)
})

browserTest('the link to all changes stays in sight while the versions scroll', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  publishMuch(both)
  const { page } = await browser.open()
  await page.setViewport({ width: 1000, height: 700 })
  await openHost(page, `${both.page}right`)
  await togglePanel(page)
  const [panel, all] = [await boxOf(page, '.panel'), await boxOf(page, '.all')]
  expect(Number(await inWidget(page, 'ol', 'scrollHeight'))).toBeGreaterThan(1_000)
  expect(all.bottom).toBeCloseTo(panel.bottom - 1, 0)
})

browserTest('markdown in titles is shown as such, and what is none stays as it is', async (browser) => {
  await using both = await startWidgetHost()
  const shown: [markdown: string, html: string][] = [
    ['The font is *Inter*, not ~~old~~', 'The font is <em>Inter</em>, not <del>old</del>'],
    ['_New_ and __strong__', '<em>New</em> and <strong>strong</strong>'],
    [
      '***both*** and **bold *in* it**',
      '<strong><em>both</em></strong> and <strong>bold <em>in</em> it</strong>',
    ],
    ['snake_case_name, 2 * 3 * 4, ~5', 'snake_case_name, 2 * 3 * 4, ~5'],
    ['`a *b* c` and ``a ` b``', '<code>a *b* c</code> and <code>a ` b</code>'],
    ['\\*not\\* so', '*not* so'],
    [
      '**[`x`](https://x.example/a_b_c)**',
      '<strong><a href="https://x.example/a_b_c"><code>x</code></a></strong>',
    ],
    ['See https://x.example/a_b.', 'See <a href="https://x.example/a_b">https://x.example/a_b</a>.'],
    ['[a guide](../guide), ![a picture](https://x.example/p.png)', 'a guide, a picture'],
    ['<!-- by a bot -->Press <kbd>Ctrl</kbd><br/> <IMG alt="a > b" src=x>now', 'Press Ctrl now'],
    [
      '`<br>`, Map<string, T>, a < b > c, <https://x.example/b>',
      '<code>&lt;br&gt;</code>, Map&lt;string, T&gt;, a &lt; b &gt; c, <a href="https://x.example/b">https://x.example/b</a>',
    ],
    ['Half a <!-- comment', 'Half a '],
  ]
  const markdown = shown.map(([source]) => source)
  for (let at = 0; at < markdown.length; at += 4)
    both.publish(`2.${at}.0`, 2 + at, 'Third *title*', ...markdown.slice(at, at + 4))
  const { page } = await browser.open()
  await openHost(page, both.page)
  expect(await inWidget(page, '.title', 'innerHTML')).toBe('Third <em>title</em>')
  const items = (await page.evaluate(
    "[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('ol > li')].map((each) => [...each.querySelectorAll('ul span')].map((each) => each.innerHTML.replace(/ target=.*?\"(?=>)/g, ''))).reverse().flat()",
  )) as string[]
  expect(items.slice(-shown.length)).toEqual(shown.map(([, html]) => html))
})

browserTest('a widget asks for its changelog once, wherever its script is', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  for (const path of ['parsed-before', 'names-before', 'middle']) {
    const { page } = await browser.open()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('include=changes')) asked.push(request.url())
    })
    await openHost(page, both.page + path)
    await togglePanel(page)
    expect({ path, asked: asked.length }).toEqual({ path, asked: 1 })
  }
})

browserTest('what a page adds to all objects is no attribute of the widget', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  const { page } = await browser.open()
  await openHost(page, `${both.page}extended`)
  for (const selector of ['button', '.panel'])
    expect(await inWidget(page, selector, "hasAttribute('extended')")).toBe(false)
})

browserTest('what was read in one widget is read in the others of its changelog', async (browser) => {
  await using both = await startWidgetHost(PAGES)
  const { page } = await browser.open()
  await openHost(page, `${both.page}twice`)
  const unread = () =>
    page.evaluate(
      "[...document.querySelectorAll('changelog-widget')].map((each) => each.shadowRoot.querySelector('button .dot')).map((dot) => dot.hidden ? '' : parseInt(dot.ariaLabel)).join()",
    )
  expect(await unread()).toBe('2,2')
  await togglePanel(page)
  expect(await unread()).toBe(',')
})
