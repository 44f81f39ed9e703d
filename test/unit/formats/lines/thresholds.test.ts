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
