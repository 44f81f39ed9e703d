import { expect, test } from 'bun:test'
import { readText } from '../../../../src/formats/lines/read.ts'

/** Each number that decides by counting: one line more or less, and the other side of it is taken. */

const labelsOf = (text: string, name = 'NEWS'): string[] =>
  readText(text, name).versions.map(({ label }) => label)
const countOf = (text: string, name?: string): number => labelsOf(text, name).length
const times = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('')
const day = (at: number): string =>
  new Date(Date.UTC(2026, 0, 1) - at * 86_400_000).toISOString().slice(0, 10)

test('a single version below two thirds of the text is none, if more than 20 lines are above it', () => {
  const text = (above: number, below: number) =>
    `${times(above, () => 'words\n')}\n## 1.2.0 - 2026-01-02\n${times(below, () => '- x\n')}`
  // Two lines more: the empty one, and the heading.
  expect(countOf(text(39, 18), 'CHANGELOG.md')).toBe(1)
  expect(countOf(text(39, 17), 'CHANGELOG.md')).toBe(0)
  expect(countOf(text(19, 0), 'CHANGELOG.md')).toBe(1)
  expect(countOf(text(20, 0), 'CHANGELOG.md')).toBe(0)
})

test('most items are plans if they are more than half', () => {
  const text = (done: number) =>
    `## 1.1.0\n${times(3, () => '- [ ] x\n')}${times(done, () => '- y\n')}\n## 1.0.0\n`
  expect(countOf(text(3), 'CHANGELOG.md')).toBe(2)
  expect(countOf(text(2), 'CHANGELOG.md')).toBe(0)
})

test('a log by day is one of releases if one is named for 150 days', () => {
  const text = (days: number) =>
    times(
      days,
      (at) => `${day(at)}  Jane Doe\n\n\t* ${at % 150 === 0 ? `Version ${9 - at / 150}.0` : 'x'}\n\n`,
    )
  expect(labelsOf(text(300))).toEqual(['9.0', '8.0'])
  expect(labelsOf(text(150) + times(151, (at) => `${day(150 + at)}  Jane Doe\n\n\t* x\n\n`))).toHaveLength(
    301,
  )
})

test('items that are versions are four in five', () => {
  const text = (others: number) =>
    times(8, (at) => `- 1.${9 - at}.0 Add a door\n`) + times(others, () => '- Thanks to all\n')
  expect(countOf(text(2))).toBe(8)
  expect(countOf(text(3))).toBe(0)
})

test('chapters have no date, but for one in ten', () => {
  const text = (dated: number) =>
    times(10, (at) => `## 1.${at + 1}${at < dated ? ` - ${day(10 - at)}` : ''}\n\nwords\n\n`)
  expect(countOf(text(1), 'CHANGELOG.md')).toBe(0)
  expect(countOf(text(2), 'CHANGELOG.md')).toBe(10)
})

test('texts beside numbers are changes if three in four versions have nothing else, and at least three', () => {
  const changesOf = (lines: number, others: number) =>
    readText(
      times(lines, (at) => `## 2.${20 - at}.0 - Mend the old door\n\n`) +
        times(others, (at) => `## 1.${20 - at}.0\n\n- x\n\n`),
      'CHANGELOG.md',
    ).versions[0]?.changes.length
  expect(changesOf(9, 3)).toBe(1)
  expect(changesOf(9, 4)).toBe(0)
  expect(changesOf(3, 0)).toBe(1)
  expect(changesOf(2, 0)).toBe(0)
})

test('a text is not English if one letter in 200 has a mark', () => {
  const dateOf = (length: number) => {
    const body = `\n\n- é${'x'.repeat(length - 6)}\n`
    return readText(`## 1.2.0 - 02/03/2026${body}`, 'CHANGELOG.md').versions[0]?.date
  }
  expect(dateOf(199)).toBe(Date.UTC(2026, 2, 2))
  expect(dateOf(200)).toBe(Date.UTC(2026, 1, 3))
})

test('lines of another shape are versions if at most one in five is out of order', () => {
  const other = (at: number) => `Spring ${60 - at}.0.1: Mend the door\n\n- x\n\n`
  const text = (others: number) =>
    times(12, (at) => `${90 - at}.0.0 - ${day(at)}\n\n- x\n\n${at < 2 ? other(at) : ''}`) +
    times(others - 2, (at) => other(at + 2))
  expect(countOf(text(10))).toBe(12 + 10)
  expect(countOf(text(9))).toBe(12 + 7)
})

test('lines of one shape are versions if nine in ten steps have one direction', () => {
  const text = (count: number) =>
    times(count, (at) => `Spring ${at === 0 ? 1 : 90 - at}.0: Mend the door\n\n- x\n\n`)
  expect(countOf(text(11))).toBe(11)
  expect(countOf(text(10))).toBe(0)
})

test('days win over numbers if there are five for each of two, and thirty for each of more', () => {
  const text = (versions: number, days: number) =>
    times(versions, (at) => `1.${9 - at}.0\n\n- x\n\n`) +
    times(days, (at) => `${day(at)}  Jane Doe  <jane@example.com>\n\n\t* x\n\n`)
  expect(countOf(text(2, 9))).toBe(2)
  expect(countOf(text(2, 10))).toBe(10)
  expect(countOf(text(3, 89))).toBe(3)
  expect(countOf(text(3, 90))).toBe(90)
})

test('lines win over headings if there are more than two for each', () => {
  const text = (lines: number) =>
    times(2, (at) => `## 3.${9 - at}\n\n- x\n\n`) + times(lines, (at) => `2.${30 - at}\n\n- x\n\n`)
  expect(countOf(text(4))).toBe(2)
  expect(countOf(text(5))).toBe(7)
})

test('lines of one shape have as many steps as equal numbers, but for one', () => {
  const text = (equal: number) =>
    times(3, (at) => `Spring ${90 - at}.0: Mend\n\n- x\n\n`) +
    times(equal, () => 'Spring 1.0: Mend\n\n- x\n\n')
  expect(countOf(text(4))).toBe(7)
  expect(countOf(text(5))).toBe(0)
})

test('most headings, half of the lines or most names of something else refuse a text', () => {
  const readme = (others: number) =>
    times(3, (at) => `## 1.${9 - at}.0\n\n- x\n\n`) +
    times(others, (at) => `## Part ${'abcd'[at]}\n\nwords\n\n`)
  expect(countOf(readme(3), 'README.md')).toBe(3)
  expect(countOf(readme(4), 'README.md')).toBe(0)
  const weather = (measured: number, others: number) =>
    times(2, (at) => `${day(at)}\n\n`) + times(measured, () => '- 12.5 C\n') + times(others, () => '- mild\n')
  expect(countOf(weather(4, 3))).toBe(2)
  expect(countOf(weather(4, 2))).toBe(0)
  const named = (same: number) =>
    times(
      4,
      (at) => `${['Spring', 'Summer', 'Autumn', 'Winter'][at < same ? 0 : at]} 1.${9 - at}.0\n\nwords\n\n`,
    )
  expect(countOf(named(3))).toBe(4)
  expect(countOf(named(2))).toBe(0)
})

test('texts beside numbers are names if fewer than half of them are sentences', () => {
  const changesOf = (sentences: number, names: number) =>
    readText(
      times(sentences, (at) => `## 2.${20 - at}.0 - Mend the old door\n\n`) +
        times(names, (at) => `## 1.${20 - at}.0 - Spring\n\n`),
      'CHANGELOG.md',
    ).versions[0]?.changes.length
  expect(changesOf(2, 2)).toBe(1)
  expect(changesOf(2, 3)).toBe(0)
})

test('a title is centred over two or three lines, twelve columns from the margin', () => {
  const title = (lines: number, indent: number) =>
    times(lines, (at) => `${' '.repeat(indent)}${at === lines - 1 ? 'Foo 1.2.0' : 'Chronicle'}\n`)
  const text = (lines: number, indent: number) => `${title(lines, indent)}\n  * x\n  * y\n`
  expect([1, 2, 3, 4].map((lines) => countOf(text(lines, 12)))).toEqual([0, 1, 1, 0])
  expect(countOf(text(3, 11))).toBe(0)
})
