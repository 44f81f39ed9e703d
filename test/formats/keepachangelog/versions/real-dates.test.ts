import { describe, expect, test } from 'bun:test'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'
import { writeMarkdown } from '../../../../src/formats/keepachangelog/write.ts'

/** The only version of a text, with its date as a day. */
function only(text: string) {
  const { versions } = parseMarkdown(text)
  expect(versions).toHaveLength(1)
  const version = versions[0]
  if (version === undefined) throw new Error('no version')
  return { ...version, day: version.date === null ? null : new Date(version.date).toISOString() }
}

describe('the date of a version is the first line below its heading', () => {
  test('as Rush writes it', () => {
    const text = '## 5.179.0\nTue, 06 Oct 2026 00:04:37 GMT\n\n_Version update only_\n'
    expect(only(text)).toMatchObject({
      day: '2026-10-06T00:04:37.000Z',
      description: '_Version update only_',
      status: 'published',
    })
  })

  test('as beachball writes it, with a link in the next line', () => {
    const text =
      '## [9.74.11](https://example.com/tree)\n\nThu, 22 Oct 2026 08:00:37 GMT \n[Compare changes](https://example.com/compare)\n\n### Patches\n\n- chore: add `x` (me@example.com)\n'
    expect(only(text)).toMatchObject({
      day: '2026-10-22T08:00:37.000Z',
      description: '[Compare changes](https://example.com/compare)\n\n[9.74.11](https://example.com/tree)',
      changes: [{ type: 'patches', title: 'chore: add `x` (me@example.com)' }],
    })
  })

  test.each([
    ['as auto-changelog writes it', '#### v1.2.0\n\n> 10 June 2018\n\n- a\n', '2018-06-10'],
    ['in emphasis', '## 1.2.0\n\n*2018-06-10*\n\n- a\n', '2018-06-10'],
    ['behind a word', '## 1.2.0\n\nRelease date: 2018-06-10\n\n- a\n', '2018-06-10'],
    ['as a heading', '## 1.2.0\n\n#### June 10, 2018\n\n- a\n', '2018-06-10'],
  ])('%s', (_, text, day) => {
    const version = only(text)
    expect(version).toMatchObject({ day: `${day}T00:00:00.000Z`, description: null })
    expect(version.changes.map(({ title }) => title)).toEqual(['a'])
  })

  test.each([
    ['is in a sentence', '## [1.2.0]\n\nReplaced on 2018-06-10 by 1.2.1.\n'],
    ['is in a quote of several lines', '## 1.2.0\n\n> 2018-06-10\n> said somebody\n'],
    ['is below other text', '## 1.2.0\n\nGood.\n\n2018-06-10\n'],
  ])('but not if it %s, which stays a description', (_, text) => {
    const version = only(text)
    expect(version.day).toBeNull()
    expect(version.description).toContain('2018-06-10')
  })
})

test('a description that looks like the beginning of a version stays one when it is written and read again', () => {
  const description = 'Words.\n\n**1.2.0** <small>_May 2, 2020_</small> - [Diff](https://example.com)'
  const version = {
    ...{ label: '1.3.0', title: '1.3.0', status: 'published' as const, date: 0 },
    ...{ description, changes: [{ type: 'added', title: 'a', description: null }] },
  }
  expect(parseMarkdown(writeMarkdown(null, [version])).versions).toMatchObject([version])
})

test('a description that begins with a date keeps it when it is written and read again', () => {
  for (const description of ['> 10 June 2018', 'Tue, 06 Oct 2026 00:04:37 GMT\nand more', '2018-06-10']) {
    const version = {
      ...{ label: '1.2.0', title: '1.2.0', status: 'published' as const, date: null },
      ...{ description, changes: [] },
    }
    expect(parseMarkdown(writeMarkdown(null, [version])).versions).toMatchObject([version])
  }
})
