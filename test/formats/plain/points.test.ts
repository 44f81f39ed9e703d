import { describe, expect, test } from 'bun:test'
import { readText } from '../../../src/formats/read-text.ts'

const titles = (text: string, name = 'NEWS') =>
  readText(text, name).versions.map(({ changes }) => changes.map(({ title }) => title))

describe('without bullets, a change of a plain text is', () => {
  test('each line, if lines are of any width', () => {
    const text =
      'Version 1.1 (2026-02-03)\nAdd a flag\nThe parser is faster\n\nVersion 1.0 (2026-01-02)\nFirst\n'
    expect(titles(text)).toEqual([['Add a flag', 'The parser is faster'], ['First']])
  })

  test('each paragraph, if it is wrapped', () => {
    const text = `1.1 - 2026-02-03

\tthe parser of dates now knows the months of other languages,
\tand says which of them it took.

\tlines that are longer than the screen are cut, and the rest of
\tthem is shown below.

1.0 - 2026-01-02

\tfirst.
`
    expect(titles(text)).toEqual([
      [
        'the parser of dates now knows the months of other languages, and says which of them it took.',
        'lines that are longer than the screen are cut, and the rest of them is shown below.',
      ],
      ['first.'],
    ])
  })

  test('each line and what is indented further below it', () => {
    const text =
      '1.1 - Fri Feb 2, 2026\n  added a flag for files that are\n    larger than memory\n  fixed two of the tests\n1.0 - Thu Jan 1, 2026\n  first\n'
    expect(titles(text)).toEqual([
      ['added a flag for files that are larger than memory', 'fixed two of the tests'],
      ['first'],
    ])
  })

  test('no name of a section, and no trailer of a commit', () => {
    const text =
      'Version 1.1\n\nBug fixes:\nOne\nTwo\n\nSigned-off-by: Jane <jane@example.com>\n\nVersion 1.0\n\nFirst\n'
    const { versions } = readText(text, 'NEWS')
    expect(versions.map(({ changes }) => changes)).toMatchObject([
      [
        { type: 'bug-fixes', title: 'One' },
        { type: 'bug-fixes', title: 'Two', description: 'Signed-off-by: Jane \\<jane@example.com>' },
      ],
      [{ title: 'First' }],
    ])
  })

  test('no short line above paragraphs that are indented further', () => {
    const text =
      'Changelog for 1.1 (02/03/2026)\n\n  Fixed Bugs\n\n     12 - One\n\n     13 - Two\n\nChangelog for 1.0 (01/02/2026)\n\n  First\n'
    const { versions } = readText(text, 'NEWS')
    expect(versions.map(({ changes }) => changes)).toMatchObject([
      [
        { type: 'fixed-bugs', title: '12 - One' },
        { type: 'fixed-bugs', title: '13 - Two' },
      ],
      [{ title: 'First' }],
    ])
  })

  test('not the date below the number', () => {
    const { versions } = readText('Version 1.1\n2026-02-03\nMore\n\nVersion 1.0\n2026-01-02\nFirst\n', 'NEWS')
    expect(versions).toMatchObject([
      { date: Date.parse('2026-02-03'), changes: [{ title: 'More' }] },
      { date: Date.parse('2026-01-02'), changes: [{ title: 'First' }] },
    ])
  })

  test.each(['2026-02-03', '*Released 2026-02-03*'])('not %s below an underlined number', (day) => {
    const text = `v1.1\n----\n${day}\n\nmore\n\nv1.0\n----\nfirst\n`
    expect(readText(text, 'NEWS').versions).toMatchObject([
      { date: Date.parse('2026-02-03'), changes: [{ title: 'more' }] },
      { changes: [{ title: 'first' }] },
    ])
  })

  test('each line below an underlined number, unless the file is named as markdown', () => {
    const text =
      'v1.1 [2/3/2026]\n---------------\nadded a flag for *all* files\nfixed the tests\n\nv1.0 [1/2/2026]\n---------------\nfirst\n'
    expect(titles(text)).toEqual([['added a flag for *all* files', 'fixed the tests'], ['first']])
    expect(titles(text, 'CHANGELOG.md')).toEqual([
      ['added a flag for *all* files fixed the tests'],
      ['first'],
    ])
  })
})

test('a dash without a blank is a bullet where no other is', () => {
  const text = 'Version 1.1\n-Add a flag\n -o stays an option\n-fix a bug\n\nVersion 1.0\n-First\n'
  expect(titles(text)).toEqual([['Add a flag -o stays an option', 'fix a bug'], ['First']])
})

test('the name of a section right below an item is none of its words', () => {
  const text =
    'Version 1.1\n  Bug fixes:\n    - One\n  New features:\n    - Two\n\nVersion 1.0\n    - First\n'
  const { versions } = readText(text, 'NEWS')
  expect(versions[0]?.changes).toMatchObject([
    { type: 'bug-fixes', title: 'One' },
    { type: 'new-features', title: 'Two' },
  ])
})
