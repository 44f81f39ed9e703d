import { onlyDate } from './dates.ts'

/**
 * Puts a date that stands alone in a heading (`## 1 May 2019`) behind the versions below it (`### 1.1.2`), line for line, and
 * into one (`## Release (2024-01-02)`) the version of the packages below it (`foo 1.1.2 (patch)`), if they have the same.
 */
export function withDatesBehind(whole: string): string {
  const text = whole.replace(RELEASE, (_, marks: string, date: string, below: string, packages: string) => {
    const numbers = new Set([...packages.matchAll(RELEASED)].map(([, number]) => number))
    const [number] = numbers.size === 1 ? numbers : []
    return `${marks}${number === undefined ? date : `${number} (${date})`}${below}${packages}`
  })
  if (!MAY_BE_GROUPED.test(text)) return text
  const lines = text.split('\n')
  let group = { depth: 0, date: '' }
  for (const [at, line] of lines.entries()) {
    const { marks = '', words = '' } = HEADING.exec(line)?.groups ?? {}
    if (marks === '') continue
    if (marks.length <= group.depth) group = { depth: 0, date: '' }
    if (group.date !== '') {
      if (IS_NUMBER.test(words)) lines[at] = `${line} (${group.date})`
    } else if (onlyDate(words) !== null && isAboveNumber(lines, at, marks.length)) {
      group = { depth: marks.length, date: words }
      lines[at] = ''
    }
  }
  return lines.join('\n')
}

const RELEASE =
  /^(#{1,3}[ \t]+)Release \((\d{4}-\d\d-\d\d)\)([ \t]*\n\n?)((?:(?:@[\w.-]{1,60}\/)?[\w.-]{1,60} \d+\.\d+\.\d+[\w.-]{0,40} \((?:major|minor|patch)\)[ \t]*(?:\n|$))+)/gm
const RELEASED = / (\d+\.\d+\.\d+[\w.-]*) \(/g
const MAY_BE_GROUPED = /^#{1,5}[ \t]+(?=[^\n]*\d)[^\n]{4,60}\n\s*#{2,6}[ \t]+\[?v?\d+\.\d/m
const HEADING = /^(?<marks>#{1,6})[ \t]+(?<words>\S.{0,500})$/
/** `1.1.2`, `[1.1.2](https://…)` and nothing else. */
const IS_NUMBER = /^(?:v?\d+(?:\.\d+)+[\w.-]*|\[v?\d+(?:\.\d+)+[\w.-]*\](?:\([^()\s]*\))?)[ \t]*$/i

function isAboveNumber(lines: readonly string[], at: number, depth: number): boolean {
  const below = lines.slice(at + 1, at + 5).find((line) => line.trim() !== '') ?? ''
  const { marks = '', words = '' } = HEADING.exec(below)?.groups ?? {}
  return marks.length > depth && IS_NUMBER.test(words)
}
