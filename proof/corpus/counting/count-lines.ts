import type { Expected, ExpectedVersion } from './count.ts'
import { dayOrderOf, findDay, isCalendarLabel, onlyDay } from './days.ts'

/**
 * Counts a changelog that is no markdown, line by line:
 * - A version is a line at the margin (a bullet, `#`, `=` and the like in front are ignored) that is a number such as 1.2 or
 *   1.2.3-rc1 with at most five words in front (`Changes in`, `Overview of changes in GLib`, `CHANGES FROM 1.1 TO`), and
 *   behind it the end, a date, a bracket, or a separator.
 * - Its day is in that line, or in the next one that is not blank, if that says nothing else.
 * - An item is a bullet with the least indentation of all bullets of its version, below it.
 */
export function countLines(text: string): Expected {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.normalize('NFKC'))
  const order = dayOrderOf(lines)
  const versions: ExpectedVersion[] = []
  const starts: number[] = []
  const headingLines = new Set<number>()
  for (const [line, whole] of lines.entries()) {
    const number = numberIn(whole, order)
    if (number === null) continue
    const below = lines.slice(line + 1).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
    const day = (isCalendarLabel(whole) ? null : findDay(whole, order)?.day) ?? onlyDay(below, order)
    versions.push({ line, text: whole.trim(), number, day, headings: [] })
    starts.push(line)
    headingLines.add(line)
  }
  const items = starts.flatMap((start, at) => itemsIn(lines.slice(start + 1, starts[at + 1])))
  return { versions, items, headingLines }
}

const IN_FRONT = /^[\s#=*_~[(-]*/
const NUMBER = /(?<![\w.])v?\.?(\d+(?:\.(?:\d+|x\b))+(?:[-+._]?[0-9A-Za-z]+)*)/i
const ABOUT =
  /^(?:since|beyond|before|after|until|with|for|requires?|needs?|upgrad\w*|updat\w*|bump\w*|migrat\w*|fix\w*|add\w*|support\w*|use\w*)$/i

function numberIn(line: string, order: Parameters<typeof findDay>[1]): string | null {
  if (line.length > 160 || /^(?: {4}|\t)/.test(line) || /^\s*[-+•]\s.*\p{Ll}{3}.*\p{Ll}{3}/u.test(line))
    return null
  if (/^\s*\[[^\]]+\]:|^\s*[-*] \[[^\]]+\]\(#/.test(line)) return null
  const own = line.replace(IN_FRONT, '').replace(/[\s#=*_~-]+$/, '')
  const rest = isCalendarLabel(own) ? own : (findDay(own, order)?.rest ?? own)
  const last = [...rest.matchAll(new RegExp(NUMBER, 'gi'))]
  const isRange = /\b(?:from|between)\b/i.test(rest) && last.length > 1
  const match = isRange ? last.at(-1) : last[0]
  if (match === undefined) return null
  const front = rest
    .slice(0, match.index)
    .split(/[\s:,()[\]–—-]+/)
    .filter((word) => word !== '')
  const behind = rest.slice(match.index + match[0].length)
  if (
    front.length > 5 ||
    (!isRange && front.some((word) => ABOUT.test(word)) && !/^changes with/i.test(rest))
  )
    return null
  return /^[\s)\].,:;|–—-]*$|^[)\]]?\s*[[(–—:|/-]|^[)\]]?,? +(?:released?|beta|alpha|rc|stable|dev)\b/i.test(
    behind,
  )
    ? (match[1] ?? null)
    : null
}

const BULLET = /^([ \t]*)(?:[-*+•·]|\*\*|o(?=[ \t])|\d{1,3}[.)])[ \t]+(\S.*)$/

function itemsIn(lines: string[]): string[] {
  const found = lines.flatMap((line) => {
    const [, indent = '', text = ''] = BULLET.exec(line) ?? []
    return text === '' || !/[\p{L}\p{N}]/u.test(text)
      ? []
      : [{ width: indent.replaceAll('\t', '        ').length, text }]
  })
  const least = Math.min(...found.map(({ width }) => width))
  return found.filter(({ width }) => width === least).map(({ text }) => text)
}
