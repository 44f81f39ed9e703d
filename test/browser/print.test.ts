import { afterAll, beforeAll, expect, test } from 'bun:test'
import { unescapeHtml } from '../../src/notes/html/entities.ts'
import { describeNeeding } from '../support/needs.ts'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { MARGIN, type Printed, type PrintedWord, print } from '../support/pages/printed.ts'
import { PAGES, showcase } from '../support/pages/showcase.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const COLUMNS = 12
const ROWS = 60

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`)

/** As wide as twelve columns of a few words, and as narrow as their longest word. */
const WIDE = [
  row(numbered('two or more c', COLUMNS)),
  row(Array(COLUMNS).fill('---')),
  row(numbered('one of the v', COLUMNS)),
]
const LETTERS = 200
const ADDRESS = [row(['Name', 'Address']), row(['---', '---']), row(['here', 'ж'.repeat(LETTERS)])]
const LONG = [
  row(['First', 'Second']),
  row(['---', '---']),
  ...numbered('begin', ROWS).map((begin, at) => row([begin, `${'some words and more '.repeat(8)}end${at}`])),
]
const DESCRIPTION = [
  WIDE.join('\n'),
  '- bullet',
  `\`\`\`\n${'ю'.repeat(LETTERS)}\n\`\`\``,
  ADDRESS.join('\n'),
  LONG.join('\n'),
].join('\n\n')

describeInBrowser('on paper', () => {
  describeNeeding('poppler-utils', Bun.which('pdftotext') !== null, 'as it is printed', () => {
    let server: TestServer
    let browser: OpenPage
    const printed: Printed[] = []

    beforeAll(async () => {
      server = await startServer(THE_BINARY)
      showcase(server.seed)
      const { changelogId } = server.seed.product(server.seed.team('tables'), 'app')
      server.seed.version(changelogId, '1.0.0', {
        title: 'Tables',
        description: DESCRIPTION,
        changes: [
          { type: 'added', title: 'Somechange' },
          { type: 'security', title: 'Otherchange' },
        ],
      })
      browser = await openPage({ scheme: 'dark', isDrawn: true })
      for (const path of ['/changelog/tables/app', '/changelog/tables/app/1.0.0']) {
        await browser.open(server.url + path)
        printed.push(await print(browser.page))
      }
    })
    afterAll(async () => {
      await browser[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    })

    test('lists in lists fill the paper, though each is longer than a page', async () => {
      const lists = numbered('group', 2).flatMap((group) => [
        `- ${group}`,
        ...numbered('area', 3).flatMap((area) => [
          `  - ${area}`,
          ...numbered('item', 25).map((item) => `    - ${item}`),
        ]),
      ])
      const { changelogId } = server.seed.product(server.seed.team('nested'), 'app')
      const change = { type: 'added', title: 'Lists', description: lists.join('\n') }
      server.seed.version(changelogId, '1.0.0', { changes: [change, change] })
      await browser.open(`${server.url}/changelog/nested/app`)
      const { words, height } = await print(browser.page)
      const ends = Map.groupBy(words, ({ page }) => page)
        .values()
        .map((on) => Math.max(...on.map(({ bottom }) => bottom)))
        .toArray()
      expect(ends.length).toBeGreaterThan(3)
      for (const end of ends.slice(0, -1)) expect(end).toBeGreaterThan(height * 0.9)
    })

    test('every word of a page is on paper, also those that are folded away on a screen', async () => {
      for (const path of [PAGES['every kind of change'], PAGES['a release with every kind']]) {
        await browser.open(server.url + path)
        const read = (await browser.page.evaluate(
          `[...document.querySelectorAll('main .when, main h2:not(.hidden), main h3, .text, .changes, .more')].map((part) => part.textContent).join(' ')`,
        )) as string
        const { words } = await print(browser.page)
        const texts = words.map(({ text }) => text).join('')
        const printed = texts.replace(
          /&(?:lt|gt|quot|amp|apos|#39);/g,
          (entity) => unescapeHtml(entity) ?? "'",
        )
        // Hyphens and spaces depend on where lines break, emoji on the fonts of the machine.
        const shown = read.replaceAll(/\p{Extended_Pictographic}/gu, '').split(/\s+/)
        const missing = shown.filter((word) => !printed.includes(word))
        expect({ path, missing }).toEqual({ path, missing: [] })
      }
    })

    test('paper gets the text without search, filters and paging', async () => {
      await browser.open(server.url + PAGES.changelog)
      await browser.page.emulateMediaType('print')
      const shown =
        "['.tools', '.beside', '.pages'].map((each) => getComputedStyle(document.querySelector(each)).display)"
      expect(await browser.page.evaluate(shown)).toEqual(['none', 'none', 'none'])
      await browser.page.emulateMediaType()
    })

    const find = ({ words }: Printed, text: string): PrintedWord => {
      // The last, as a badge of the release may say the same.
      const word = words.findLast((each) => each.text === text)
      if (!word) throw new Error(`${text} is not on paper: ${words.map((each) => each.text).join(' ')}`)
      return word
    }

    test('no table and no code is cut at the edge of the paper', () => {
      for (const { words, width } of printed) {
        const texts = words.map(({ text }) => text)
        expect(texts).toEqual(
          expect.arrayContaining([...numbered('c', COLUMNS), ...numbered('v', COLUMNS), 'here']),
        )
        for (const letter of ['ж', 'ю']) expect(texts.join('').split(letter)).toHaveLength(LETTERS + 1)
        expect(words.filter(({ right }) => right > width - MARGIN + 1)).toEqual([])
      }
    })

    test('a row of a table is on one page, and its table has its heading on each', () => {
      for (const paper of printed) {
        for (let at = 0; at < ROWS; at++)
          expect(find(paper, `begin${at}`).page).toBe(find(paper, `end${at}`).page)
        const pages = new Set(numbered('begin', ROWS).map((text) => find(paper, text).page))
        expect(pages.size).toBeGreaterThan(1)
        expect(new Set(paper.words.filter(({ text }) => text === 'Second').map(({ page }) => page))).toEqual(
          pages,
        )
      }
    })

    test('lists, changes and their kinds have a dot before them', () => {
      for (const text of ['bullet', 'Somechange', 'Otherchange', 'Added', 'Security'])
        for (const paper of printed) {
          const { page, left, top, bottom } = find(paper, text)
          const ink = paper.ink({ page, left: left - 14, right: left - 2, top, bottom })
          expect(ink, text).toBeGreaterThan(0.02)
        }
    })
  })
})
