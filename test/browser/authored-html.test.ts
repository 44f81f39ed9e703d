import { afterAll, beforeAll, expect, test } from 'bun:test'
import { VISITS_SCRIPT } from '../../src/http/site/visits.ts'
import { parseRepository } from '../../src/notes/html/github/repository.ts'
import { renderBlocks, renderInline } from '../../src/notes/html/render.ts'
import { describeInBrowser, openPage } from '../support/pages/browser.ts'
import { FIND_FOREIGN, PLACED, randomText } from '../support/pages/hostile-html.ts'
import { Random } from '../support/random.ts'

const TEXTS_PER_PAGE = 1_000
const RANDOM_TEXTS = 300
const SEED = 20_261_116
const REPOSITORY = parseRepository('https://github.com/acme/app')
/** Pictures are loaded when they come into view, and what is far from it is not laid out: not all of them here. */
const STYLE = '<style>main { height: 60px; overflow: hidden; content-visibility: auto }</style>'

const random = new Random(SEED)
const texts = [...PLACED, ...Array.from({ length: RANDOM_TEXTS }, () => randomText(random))]
const rendered = texts.flatMap((text) => [
  renderBlocks(text, 3, 20_000, REPOSITORY).html,
  `<p>${renderInline(text, REPOSITORY)}</p>`,
])

const pageOf = (part: readonly string[]): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title>${STYLE}</head><body>${part
    .map((html) => `<main>${html}</main>`)
    .join('\n')}<script data-line="New">${VISITS_SCRIPT}</script></body></html>`

const pages = Array.from({ length: Math.ceil(rendered.length / TEXTS_PER_PAGE) }, (_, at) =>
  pageOf(rendered.slice(at * TEXTS_PER_PAGE, (at + 1) * TEXTS_PER_PAGE)),
)

describeInBrowser('HTML that authors write', () => {
  let server: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        const headers = { 'content-type': 'text/html; charset=utf-8' }
        return new Response(pages[Number(new URL(url).pathname.slice(1))] ?? '', { headers })
      },
    })
  })
  afterAll(() => server.stop(true))

  test('runs nothing and becomes nothing else, without the policy of the pages', async () => {
    await using browser = await openPage()
    for (const at of pages.keys()) {
      await browser.open(`${server.url}${at}`)
      const harm = await browser.page.evaluate(
        `[...document.querySelectorAll('main')].flatMap(${FIND_FOREIGN}).concat(
          [...document.body.children].filter((each) => each.localName !== 'main' && each.textContent !== ${JSON.stringify(VISITS_SCRIPT)}).map((each) => each.outerHTML))`,
      )
      expect({ at, harm, complaints: browser.complaints.splice(0) }).toEqual({ at, harm: [], complaints: [] })
    }
    // Only pictures are loaded, and over https.
    expect(browser.foreign.filter((url) => !url.startsWith('https://'))).toEqual([])
  })
})
