import { findDate, onlyDate } from '../changelog/versions/dates.ts'

/** Lines of a ChangeLog that have a day and who changed something then: `2026-01-02  Jane Doe  <jane@example.com>`. */

/** True if a line begins with a day, followed by a name, an address or a colon. */
export function isDayOrAuthor(text: string): boolean {
  const date = text.length > LONGEST ? null : findDate(text)
  if (date?.start !== 0) return false
  const rest = text.slice(date.end)
  const words = rest.replace(/\([^()]*\)/g, '').match(/\p{L}[^\s,]*/gu) ?? []
  return /[@<]|:$/.test(rest) || words.length < 3 || (words.length < 6 && /^\p{Lu}/u.test(words.at(-1) ?? ''))
}

/** Puts such lines of a version's text, in markdown, below the first item of their entry: they are no changes. */
export function withItemsFirst(body: string[]): string[] {
  const top = body.findIndex((line) => line !== '')
  for (let start = 0; start < body.length; start++) {
    const text = body[start] ?? ''
    if (!/^[\w\\]/.test(text) || !isDayOrAuthor(text)) continue
    const item = [1, 2, 3].map((below) => start + below).find((line) => body[line] !== '') ?? start
    // A day alone at the top is that of the version.
    const isOfVersion = onlyDate(text) !== null && start === top
    if (isOfVersion || !body[item]?.startsWith('- ')) continue
    let end = item + 1
    while (end < body.length && !isEnd(body[end] ?? '')) end++
    const moved = [...body.slice(item, end - 1), `${body[end - 1]}\\`, `  ${text}`]
    body.splice(start, end - start, ...moved, ...body.slice(start + 1, item))
    start = end - 1
  }
  return body
}

const isEnd = (line: string): boolean => line === '' || /^(?: *- |#)/.test(line) || isDayOrAuthor(line)

const LONGEST = 200
