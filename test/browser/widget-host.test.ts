import { expect } from 'bun:test'
import type { HTTPRequest, Page } from 'puppeteer-core'
import { untilOn } from '../support/pages/browser.ts'
import { browserTest } from '../support/pages/watched-page.ts'
import {
  allInWidget,
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

/** On those of phones, the panel is at the bottom of the window. */
const WIDTHS = [1000, 500, 320]
const HEIGHT = 700

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

browserTest(
  'the page keeps its own names, and the widget works beside them',
  async ({ page, complaints }) => {
    await using both = await startWidgetHost(PAGES)
    for (const path of ['names-before', 'names-after']) {
      await openHost(page, both.page + path)
      await togglePanel(page)
      const [open, sum] = [await isPanelOpen(page), await page.evaluate('window.sum')]
      expect({ path, complaints, open, sum }).toEqual({ path, complaints: [], open: true, sum: 4 })
    }
  },
)

browserTest('the script adds nothing to the page but the element', async ({ page }) => {
  await using both = await startWidgetHost(PAGES)
  const names = async (path: string) => {
    await page.goto(both.page + path)
    await untilOn(page, "document.readyState === 'complete'")
    return page.evaluate('Object.getOwnPropertyNames(window).sort()')
  }
  expect(await names('twice')).toEqual(await names('without'))
})

/** Where things are, read at once. */
const MEASURED = `(() => {
  const root = document.querySelector('changelog-widget').shadowRoot
  const boxOf = (selector) => root.querySelector(selector).getBoundingClientRect().toJSON()
  const [button, panel] = [boxOf('button'), boxOf('.panel')]
  const { scrollWidth, clientWidth } = root.querySelector('.panel')
  const seen = document.elementFromPoint(panel.left + 20, panel.bottom - 20)?.localName
  return { button, panel, seen, page: document.documentElement.scrollWidth, cut: scrollWidth - clientWidth }
})()`

browserTest(
  'wherever the button is, all of the panel is inside the window and at the button',
  async ({ page }) => {
    await using both = await startWidgetHost(PAGES)
    publishMuch(both)
    // The second time without anchor positioning, as in older browsers.
    for (const hasAnchors of [true, false]) {
      const old = hasAnchors ? null : await page.evaluateOnNewDocument('CSS.supports = () => false')
      for (const path of ['clipped', 'footer', 'right', 'middle', 'shouting']) {
        await openHost(page, both.page + path)
        for (const width of WIDTHS) {
          await page.setViewport({ width, height: HEIGHT })
          await togglePanel(page)
          const found = (await page.evaluate(MEASURED)) as { button: Box; panel: Box }
          const { button, panel } = found
          const at = JSON.stringify({ hasAnchors, path, width, ...found })
          expect(found, at).toMatchObject({ seen: 'changelog-widget', page: width, cut: 0 })
          expect(panel.left >= 0 && panel.right <= width, at).toBe(true)
          expect(panel.top >= 0 && panel.bottom <= HEIGHT, at).toBe(true)
          expect(panel.bottom - panel.top, at).toBeGreaterThan(350)
          const gap = panel.top > button.top ? panel.top - button.bottom : button.top - panel.bottom
          expect(width > 480 ? gap : HEIGHT - panel.bottom, at).toBe(8)
          await togglePanel(page)
        }
      }
      if (old) await page.removeScriptToEvaluateOnNewDocument(old.identifier)
    }
  },
)

browserTest('the panel starts where the button starts, or ends where it ends', async ({ page }) => {
  await using both = await startWidgetHost(PAGES)
  await page.setViewport({ width: 1000, height: 700 })
  await openHost(page, `${both.page}middle`)
  await togglePanel(page)
  expect((await boxOf(page, '.panel')).left).toBeCloseTo((await boxOf(page, 'button')).left)
  await page.evaluate("document.querySelector('changelog-widget').setAttribute('align', 'end')")
  expect((await boxOf(page, '.panel')).right).toBeCloseTo((await boxOf(page, 'button')).right)
})

browserTest('the link to all changes stays in sight while the versions scroll', async ({ page }) => {
  await using both = await startWidgetHost(PAGES)
  publishMuch(both)
  await page.setViewport({ width: 1000, height: 700 })
  await openHost(page, `${both.page}right`)
  await togglePanel(page)
  const [panel, all] = [await boxOf(page, '.panel'), await boxOf(page, '.all')]
  expect(Number(await inWidget(page, 'ol', 'scrollHeight'))).toBeGreaterThan(1_000)
  expect(all.bottom).toBeCloseTo(panel.bottom - 1, 0)
})

browserTest('markdown in titles is shown as such, and what is none stays as it is', async ({ page }) => {
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
    [':bug: Half a <!-- comment', 'Half a '],
  ]
  const markdown = shown.map(([source]) => source)
  for (let at = 0; at < markdown.length; at += 4)
    both.publish(`2.${at}.0`, 2 + at, 'Third *title*', ...markdown.slice(at, at + 4))
  await openHost(page, both.page)
  expect(await inWidget(page, '.title', 'innerHTML')).toBe('Third <em>title</em>')
  const changes =
    "[...each.querySelectorAll('ul span')].map((each) => each.innerHTML.replace(/ target=.*?\"(?=>)/g, ''))"
  const items = ((await allInWidget(page, 'ol > li', changes)) as string[][]).reverse().flat()
  expect(items.slice(-shown.length)).toEqual(shown.map(([, html]) => html))
})

browserTest('a widget asks for its changelog once, wherever its script is', async ({ page }) => {
  await using both = await startWidgetHost(PAGES)
  const asked: string[] = []
  const note = (request: HTTPRequest) => asked.push(request.url())
  page.on('request', note)
  for (const path of ['parsed-before', 'names-before', 'middle']) {
    asked.length = 0
    await openHost(page, both.page + path)
    await togglePanel(page)
    const times = asked.filter((url) => url.includes('include=changes')).length
    expect({ path, times }).toEqual({ path, times: 1 })
  }
  page.off('request', note)
})

browserTest(
  'the snippet may be pasted twice, and what was read in one is read in both',
  async ({ page, complaints }) => {
    await using both = await startWidgetHost(PAGES)
    await openHost(page, `${both.page}twice`)
    const each = (expression: string) =>
      page.evaluate(
        `[...document.querySelectorAll('changelog-widget')].map(({ shadowRoot }) => shadowRoot).map((root) => ${expression})`,
      )
    const unread =
      "root.querySelector('button .dot').hidden ? 0 : root.querySelector('button .dot').ariaLabel"
    expect(await each(unread)).toEqual(['Unread: 2', 'Unread: 2'])
    await page.evaluate(
      "document.querySelector('changelog-widget:last-of-type').shadowRoot.querySelector('button').click()",
    )
    expect(await each("root.querySelector('.panel').matches(':popover-open')")).toEqual([false, true])
    expect(await each(unread)).toEqual([0, 0])
    expect(complaints).toEqual([])
  },
)
