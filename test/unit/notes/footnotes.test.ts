import { describe, expect, test } from 'bun:test'
import { dropLooseNotes, hideNotes, showNotes } from '../../../src/notes/footnotes.ts'

const releaseOf = (description: string, closing: string | null = null, title = 'A title') => ({
  id: 'ver_000000abcdef',
  ...{ description, closing },
  changes: [{ title, description: null as string | null }],
})
const atOnce = () => undefined
const textsOf = ({ description, closing, changes }: ReturnType<typeof releaseOf>) => [
  description && showNotes(description),
  closing && showNotes(closing),
  ...changes.map(({ title }) => showNotes(title)),
]

describe('on a page', () => {
  const loose = async (description: string, closing: string) =>
    textsOf(await dropLooseNotes(releaseOf(description, closing), atOnce))

  test('references to another text are left out, and notes there are text', async () => {
    expect(await loose('One[^a] `[^a]`', '[^a]: A note')).toEqual(['One `[^a]`', 'A note', 'A title'])
    expect(await loose('One[^a]', '> - [^a]:\tA note [^b]')).toEqual(['One', '> - A note [^b]', 'A title'])
    expect(await loose('One[^a]: two', '[^a]: A note')).toEqual(['One: two', 'A note', 'A title'])
  })

  test('references to the same text stay', async () => {
    expect(await loose('One[^a]\n\n[^a]: A note', 'Two')).toEqual([
      'One[^a]\n\n[^a]: A note',
      'Two',
      'A title',
    ])
  })

  test('all of many labels are left out', async () => {
    const labels = Array.from({ length: 900 }, (_, at) => `${at}`)
    const [used, defined] = [labels.map((label) => `x[^${label}]`), labels.map((label) => `[^${label}]: y`)]
    expect(await loose(used.join(''), defined.join('\n'))).toEqual([
      'x'.repeat(labels.length),
      defined.map(() => 'y').join('\n'),
      'A title',
    ])
  })
})

test('in a document, references and notes of a release have a word of its own', async () => {
  const release = releaseOf('One[^a][^b]', ' - [^a]: A note', 'It[^a]')
  expect(textsOf(await hideNotes(release, atOnce))).toEqual([
    'One[^a-abcdef][^b]',
    ' - [^a-abcdef]: A note',
    'It[^a-abcdef]',
  ])
})

/** A step whose work grows with the square of the text would take hours. */
test.each([
  ['references', 'x[^a] '.repeat(200_000)],
  ['references without blanks', 'x[^a]'.repeat(200_000)],
  ['definitions', '[^a]: x\n'.repeat(200_000)],
  ['definitions in one line', '[^a]:'.repeat(200_000)],
  ['marks in front of a definition', `${'- '.repeat(200_000)}[^a]: x`],
  ['beginnings of labels', '[^'.repeat(200_000)],
])('a text of 200,000 %s stays as it is', async (_, text) => {
  for (const rewrite of [dropLooseNotes, hideNotes])
    expect(textsOf(await rewrite(releaseOf(text, '[^a]: A note', 'It'), atOnce))).toEqual([
      ...[text, '[^a]: A note', 'It'],
    ])
})

test('as many as a page shows are read, whatever their form', async () => {
  for (const unit of ['x[^a]', '[^a]:', '- [^a]', '> ', '[^'])
    for (const text of [unit.repeat(29_900 / unit.length), `${unit}\n`.repeat(1_900)]) {
      const [, closing] = textsOf(await dropLooseNotes(releaseOf(`${text}[^b]`, '[^b]: A note'), atOnce))
      expect(closing).toBe('A note')
    }
})
