import { parseMarkdown } from '../../src/formats/lines/read.ts'
import { atMost, type Comparison, compare, figure } from './figures.ts'
import type { Row } from './rows/row.ts'

/** Texts whose reading would take far more than ten times as long at ten times the size, were it done carelessly. */
const GROWING: { name: string; write(size: number): string }[] = [
  {
    name: 'versions',
    write: (size) => '## 1.0.0 - 2024-01-02\n\n### Added\n\n- a [link][x] and `code`\n\n'.repeat(size),
  },
  { name: 'items', write: (size) => `# 1.0.0\n\n${'- a change\n'.repeat(size * 4)}` },
  { name: 'lists in one line', write: (size) => `# 1.0.0\n\n${'- '.repeat(size * 40)}x\n` },
  { name: 'quotes in one line', write: (size) => `# 1.0.0\n\n${'>'.repeat(size * 40)}x\n` },
  { name: 'a long quote', write: (size) => `# 1.0.0\n\n${'> text\n'.repeat(size * 10)}` },
  { name: 'stars', write: (size) => `# 1.0.0\n\n- ${'*_'.repeat(size * 20)}\n` },
  { name: 'blanks', write: (size) => `# 1.0.0\n\n- x${' '.repeat(size * 40)}y\n` },
  {
    name: 'definitions',
    write: (size) =>
      Array.from({ length: size }, (_, index) => `[${index}.0.0]: u\n\n## ${index}.0.0\n`).join('\n'),
  },
]

/** Headings as long as one may be that make regular expressions try again and again, and one that does not. */
const HOSTILE = ['1.1a', 'a@', 'a ', '1.', 'on ', '- ']
const HARMLESS = 'word '
const headings = (part: string) => `# ${part.repeat(1_900 / part.length)}!\n\n`.repeat(10)

/** How the time to read a changelog grows with its text, and what the worst headings cost. */
export const PARSING: Row = {
  name: 'parsing',
  title: 'reading a changelog: ten times the text, and the worst headings',
  async measure({ effort }) {
    const texts = new Map<string, string>()
    for (const { name, write } of GROWING) texts.set(name, write(100)).set(`${name} × 10`, write(1_000))
    for (const part of [HARMLESS, ...HOSTILE]) texts.set(`headings of "${part}"`, headings(part))

    const samples = new Map<string, number[]>()
    for (let round = 0; round < effort.rounds; round++)
      for (const [name, text] of texts) {
        parseMarkdown(text)
        const begin = performance.now()
        parseMarkdown(text)
        samples.set(name, [...(samples.get(name) ?? []), performance.now() - begin])
      }
    const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
    const comparisons: Comparison[] = [
      ...GROWING.map(({ name }) => compare(figures, `${name} × 10`, name, atMost(20))),
      ...HOSTILE.map((part) =>
        compare(figures, `headings of "${part}"`, `headings of "${HARMLESS}"`, atMost(20)),
      ),
    ]
    return {
      figures,
      comparisons,
      note: 'Of ten times the text, 10 is linear. Each text is read once before it is measured.',
    }
  },
}
