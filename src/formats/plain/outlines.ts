import { isBlank } from '../keepachangelog/markdown/lines.ts'
import type { TextLines } from '../text-lines.ts'
import type { VersionLine } from './shapes.ts'

/** `    Release 20200225:` with blank lines around it begins a version, if those at the margin have the same form. */
export function isIndentedVersion(lines: TextLines, at: number): boolean {
  const line = lines.at(at)
  const [next, column] = [lines.at(at + 1), /^\s*/.exec(line)?.[0].length ?? 0]
  const isAbove = isBlank(next) || /^\s/.test(next.slice(column))
  return INDENTED.test(line) && isBlank(lines.at(at - 1)) && isAbove
}

const INDENTED = /^(?: {2,8}|\t)(?:version|release) v?\d[\w./]{0,40}:?[ \t]*$/i

/** The items of a list that begin with a number and have a text behind it, `- 1.2.0 Add a flag`, if most of them do. */
export function itemsByNumber(lines: TextLines): VersionLine[] | null {
  const items = lines.slice(0, lines.length).flatMap((line, at) => {
    const text = /^ ?[-*+•][ \t]+(?<text>\S.*)$/.exec(line)?.groups?.text
    return text === undefined ? [] : { at, mark: line.trim().charAt(0), text }
  })
  const versions = items.filter(({ text }) =>
    /^(?:\d{4}-\d\d-\d\d[ \t]+)?[*_`[]{0,2}v?\d+(?:\.\d+){1,4}[\w.-]*[*_`\]]{0,2}(?:[ \t:,(]|$)/i.test(text),
  )
  return versions.length > 1 && versions.length * 5 >= items.length * 4 ? versions : null
}
