import { expect, test } from 'bun:test'
import { parseMarkdown } from '../../src/formats/keepachangelog/read.ts'
import { isRestructuredText, markdownOf } from '../../src/formats/restructuredtext.ts'

/** As towncrier writes it, with links and a nested list. */
const TOWNCRIER = `=========
Changelog
=========

.. towncrier release notes start

attrs 22.2.0 (2022-12-21)
=========================

Features
^^^^^^^^

- Added \`\`search\`\` to the API
  (see \`the docs <https://example.com/search>\`_).

22.1.0 (2022-07-28)
~~~~~~~~~~~~~~~~~~~

Bugfixes
^^^^^^^^

* Fixed a crash. :issue:\`12\`

21.0.0 (2021-07-28)
~~~~~~~~~~~~~~~~~~~

- First
`

test('a file is reStructuredText by its name', () => {
  expect(['CHANGES.rst', 'a/NEWS.RST', 'x.rest'].every((name) => isRestructuredText(name))).toBe(true)
  expect(['CHANGES.md', 'rst', 'a.rst.txt'].some((name) => isRestructuredText(name))).toBe(false)
})

test('titles with any underline are headings, so that no version disappears into another', () => {
  const { versions } = parseMarkdown(markdownOf(TOWNCRIER))
  expect(versions.map(({ label, line }) => [label, line])).toEqual([
    ['22.2.0', 7],
    ['22.1.0', 16],
    ['21.0.0', 24],
  ])
  expect(versions.map(({ changes }) => changes.map(({ type, title }) => [type, title]))).toEqual([
    [['features', 'Added ``search`` to the API (see [the docs](https://example.com/search)).']],
    [['bugfixes', 'Fixed a crash. :issue:`12`']],
    [['changed', 'First']],
  ])
})

test('each style of underline is a level of its own', () => {
  const text = '###\nOne\n###\n\nTwo\n===\n\nThree\n-----\n\nTwo again\n=========\n\n Also one\n##########\n'
  const headings = markdownOf(text)
    .split('\n')
    .filter((line) => line.startsWith('#'))
  expect(headings).toEqual(['# One', '## Two', '### Three', '## Two again', '##########'])
})

test.each([
  ['a rule between paragraphs', 'a\n\n----\n\nb\n'],
  ['a table', '===  ===\na    b\n===  ===\n1    2\n===  ===\n'],
  ['an underline that is too short', 'A long title\n----\n'],
  ['code', 'For example::\n\n    x\n    ===\n'],
])('%s is no title', (_, text) => {
  expect(markdownOf(text)).toBe(text)
})

test('a file without such a name is reStructuredText if titles are underlined by what begins code in markdown', () => {
  const text = 'v1.1 (2021-08-09)\n---\n\nFixes\n~~~~~\n- x\n\nv1.0 (2021-08-08)\n---\n\nDocs\n~~~~\n- y\n'
  expect(isRestructuredText('changelog', text)).toBe(true)
  expect(isRestructuredText('CHANGELOG.md', text)).toBe(false)
  expect(isRestructuredText('changelog', '1.1\n\nabc\n~~~~~~\n- x\n~~~~~~\n')).toBe(false)
})
