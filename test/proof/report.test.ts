import { expect, test } from 'bun:test'
import { page, type Report, updatedPage } from '../../proof/battery/report.ts'

const report = (name: string, ...failed: number[]): Report => ({
  case: { name, how: `How ${name} is tried.`, run: async () => [] },
  rows: failed.map((count, at) => ({
    promise: `${name} ${at}`,
    tried: 1_000,
    failed: count,
    figure: 'a | b',
    failures: [],
  })),
  seconds: 60,
})
const DAY = new Date('2026-11-16T12:00:00Z')

test('a case that is measured again replaces its rows on the page, which tells it and what is kept now', () => {
  const first = page([report('kills', 0, 0), report('floods', 0, 1_234), report('clocks', 0)], DAY)
  expect(first).toContain('**1 of 5 promises were broken.**\n')
  const second = updatedPage(first, [report('floods', 0, 0)], DAY)
  expect(second).toMatch(/^Every promise was kept\. Measured again on 2026-11-16 .*: `floods`\.$/m)
  const rows = (text: string) => text.match(/^\| (?!case).*$/gm)
  expect(rows(second)).toEqual(rows(first.replace('**1,234**', '0')))
  const third = updatedPage(second, [report('clocks', 2)], DAY)
  expect(third).toMatch(
    /^\*\*1 of 5 promises were broken\.\*\* Measured .*: `floods`\. Measured .*: `clocks`\.$/m,
  )
})
