import { expect, test } from 'bun:test'
import { parseRepository } from '../../../../src/notes/html/github/repository.ts'
import { renderBlocks } from '../../../../src/notes/html/render.ts'

const LENGTH = 20_000
const REPOSITORY = parseRepository('https://github.com/acme/rocket')

/** Markdown and HTML that a parser would do much about, each repeated. */
const UNITS = [
  ...['<b>', '<div>', '<details>', '<blockquote>', '<ul><li>', '<table><td>', '<table><a>', '<p>', '<h1>'],
  ...['<br>', '<b><p></b></p>', '<b><i><s><small><code><em><strong>x<p>', '<a href=https://x.test>', '<x>'],
  ...['<x y="z">', '<!--', '<!---->', '<?', '<![CDATA[', '<!A ', '<b x="', '</b>', '<img src=https://x.y>'],
  ...['<select><b>', '@a ', '#1 ', 'GH-1 ', 'abcdef1 ', 'https://github.com/acme/rocket/pull/1 '],
  ...[' by @a in #1\n- ', '[^1]', '[^1]: x\n', ':tada:', '> [!NOTE]\n> x\n\n', '>', '- [ ] x\n', 'a@b.cc '],
  ...[`${'>'.repeat(100)}x\n\n`, `${'- '.repeat(50)}x\n\n`, '<b>x <i>y\n\n', '<blockquote><ul><li><div>\n\n'],
]

const deepest = (html: string): number => {
  let [depth, most] = [0, 0]
  for (const [, slash, end] of html.matchAll(/<(\/?)[a-z](?:[^<>"]|"[^"]*")*?(\/?)>/g)) {
    depth += slash ? -1 : end ? 0 : 1
    most = Math.max(most, depth)
  }
  return most
}

/** What begins with something that the rest refers to. */
const BEGUN: Record<string, string> = {
  [`[a]: http://x "${'&'.repeat(1_000)}"\n\n`]: '[a]\n',
  [`|${'a|'.repeat(100)}\n|${'-:|'.repeat(100)}\n`]: 'x\n',
  '<table>\n': '<tr><td>\n',
}

test.each([...UNITS.map((unit) => ['<kbd>x</kbd>', unit]), ...Object.entries(BEGUN)])(
  'what %p and %p become, repeated, is bounded',
  (begin, unit) => {
    const source = `${begin}${unit.repeat(LENGTH / unit.length)}`
    const { html } = renderBlocks(source, 3, LENGTH, REPOSITORY)
    const withoutRelations = html.replaceAll(' rel="nofollow noopener"', '')
    expect(withoutRelations.length).toBeLessThanOrEqual(8 * LENGTH)
    expect(html.match(/<[a-z]/g)?.length ?? 0).toBeLessThanOrEqual(1_600)
    expect(
      deepest(html.replaceAll(/<(?:br|hr|img|input|source)\b(?:[^<>"]|"[^"]*")*>/g, '')),
    ).toBeLessThanOrEqual(80)
  },
)

test('elements that are too deep are left out, and their text stays', () => {
  const { html } = renderBlocks(`${'<div>'.repeat(20_000 / 5 - 2)}end`, 3, LENGTH)
  expect(deepest(html)).toBeLessThanOrEqual(61)
  const { html: fewer } = renderBlocks(`${'<div>'.repeat(200)}end`, 3, LENGTH)
  expect(fewer).toContain('end')
})

test('a text with 100 footnotes has them all, one with more shows the rest as text', () => {
  const note = (n: number) => `[^${n}]: Note ${n}`
  const numbers = Array.from({ length: 120 }, (_, n) => n)
  const source = `${numbers.map((n) => `a[^${n}]`).join(' ')}\n\n${numbers.map(note).join('\n')}`
  const { html } = renderBlocks(source, 3, LENGTH)
  expect(html.match(/<li id=/g)).toHaveLength(100)
  expect(html).toContain('[^119]: Note 119')
})
