import { isBlank, normalise } from '../keepachangelog/markdown/lines.ts'
import { findDate } from '../keepachangelog/versions/dates.ts'
import { TextLines } from '../text-lines.ts'
import { textsBeside } from './beside.ts'
import { dedented, escapePlain, isRule, markdownLines } from './body.ts'
import { authoredEntries, withItemsFirst, withoutLabel } from './by-date.ts'
import { changeLogOfGit, isGitLog } from './git-log.ts'
import { TextStyle } from './points.ts'
import { headingOf } from './sections.ts'
import { plainVersions } from './text.ts'

/**
 * A text whose versions are plain lines, as in the NEWS of GNU, as markdown, line for line: lines become headings, and all
 * kinds of bullets those of markdown. Null if its versions are headings of markdown, or if there are none.
 * `isMarkdown` tells whether the rest is markdown, as in a file of that name: then it stays. `inMarkdown` counts the versions
 * that it has if it is read as such.
 */
export function markdownOfPlain(text: string, isMarkdown: boolean, inMarkdown: () => number): string | null {
  const normalised = normalise(text)
  const lines = new TextLines(isGitLog(text) ? changeLogOfGit(normalised) : normalised)
  const { versions, entries } = plainVersions(lines, inMarkdown)
  if (versions === null) return null
  const starts = new Map(versions.map((version) => [version.at, version]))
  const authored = isMarkdown ? [] : authoredEntries(entries)
  const style = new TextStyle()
  if (!isMarkdown)
    for (const [index, { at }] of versions.entries())
      style.add(lines.slice(at + 1, versions[index + 1]?.at ?? lines.length))
  const besides = isMarkdown ? null : textsBeside(lines, versions)
  const written: string[] = []
  const flush = (from: number, to: number) => {
    const own = starts.get(from - 1)
    const beside = besides?.get(from - 1)
    const rest = withoutLabel(lines.slice(from, to), own?.label)
    const part = beside === undefined ? rest : [beside.line, ...rest]
    const body = isMarkdown
      ? own?.mark.length === 1
        ? dedented(part)
        : part
      : [...markdownLines(part, { headingOf, style: from === 0 ? null : style })]
    withItemsFirst(body, authored, beside === undefined ? from : from - 1)
    if (beside !== undefined) body.splice(body.lastIndexOf(''), 1)
    for (const line of body) written.push(line)
  }
  const days = new Map(
    authored.map((entry, index) => [entry.at, { ...entry, next: authored[index + 1]?.at }]),
  )
  let from = 0
  for (const [index, { at, text }] of versions.entries()) {
    const isOverlined = at > from && isRule(lines.at(at - 1))
    flush(from, isOverlined ? at - 1 : at)
    if (isOverlined) written.push('')
    from = isRule(lines.at(at + 1)) ? at + 2 : at + 1
    // The day and the author of a version may be below it, if no others are.
    const below = isBlank(lines.at(from)) ? from + 1 : from
    const end = versions[index + 1]?.at ?? lines.length
    const day = below < end && findDate(text) === null ? days.get(below) : undefined
    const isOwn = day !== undefined && (day.next ?? end) >= end && !besides?.has(at)
    if (isOwn) from = below + 1
    const heading = isOwn ? `${text} - ${day.text}` : (besides?.get(at)?.heading ?? text)
    written.push(`## ${isMarkdown ? heading : escapePlain(heading)}`, ...Array(from - at - 1).fill(''))
  }
  flush(from, lines.length)
  return written.join('\n')
}
