import { isBlank, width } from '../keepachangelog/markdown/lines.ts'
import { onlyDate } from '../keepachangelog/versions/dates.ts'
import { asNote, dateBesideLabel } from '../keepachangelog/versions/heading-title.ts'
import { plainLabel } from '../keepachangelog/versions/label.ts'
import type { TextLines } from '../text-lines.ts'
import type { VersionLine } from './shapes.ts'

/** A version whose first change is on its own line, with others below it in the same column. */
export interface Beside {
  heading: string
  /** The change, indented as those below. */
  line: string
}

/**
 * `1.2  - Faster`, by their lines, if at least half of the versions with a text beside the number are such. Those without a
 * blank line below are left out: it makes room for the further line, so that all others keep their numbers.
 */
export function textsBeside(lines: TextLines, versions: VersionLine[]): Map<number, Beside> {
  const found = versions.flatMap((version) => textBeside(lines, version) ?? [])
  const hanging = found.filter(({ isHanging }) => isHanging)
  if (hanging.length < 2 || hanging.length * 2 < found.length) return new Map()
  const ends = new Map(versions.map(({ at }, index) => [at, versions[index + 1]?.at ?? lines.length]))
  const hasRoom = ({ at }: { at: number }) => lines.slice(at + 1, ends.get(at) ?? at).some(isBlank)
  return new Map(found.filter(hasRoom).map((one) => [one.at, one]))
}

function textBeside(
  lines: TextLines,
  { at, mark, text }: VersionLine,
): (Beside & { at: number; isHanging: boolean }) | null {
  const label = mark === '' ? plainLabel(text) : null
  if (label === null) return null
  const date = label.date ?? dateBesideLabel(text, label.end)
  const isAtEnd = date !== null && /\p{L}{2}/u.test(text.slice(label.end, date.start))
  const heading = isAtEnd
    ? `${text.slice(0, label.end)} ${text.slice(date.start, date.end)}`
    : text.slice(0, Math.max(label.end, date?.end ?? 0))
  const rest = isAtEnd ? text.slice(label.end, date.start) + text.slice(date.end) : text.slice(heading.length)
  const beside = rest.replace(/^[\s:]+/, '').trimEnd()
  if (!/\p{L}{2}/u.test(beside) || asNote(beside) !== null) return null
  const raw = lines.at(at)
  const column = columns(raw.slice(0, raw.indexOf(beside.slice(0, 8))))
  const next = lines.slice(at + 1, at + 3).find((line) => !isBlank(line)) ?? ''
  const indent = /^\s*/.exec(next)?.[0] ?? ''
  const isItem = BULLET.test(beside)
  const isSame = columns(indent) === column && BULLET.test(next.slice(indent.length)) === isItem
  const isInside = isItem && columns(indent) === column + 2
  const isHanging = isSame || isInside
  if ((!isItem && !isHanging) || onlyDate(next.trim()) !== null) return null
  const front = isInside ? indent.slice(0, -2) : isSame ? indent : ' '.repeat(column)
  return { at, heading, line: front + beside, isHanging }
}

const BULLET = /^[-*+•o][ \t]/

/** With tabs as terminals show them. */
const columns = (text: string): number => width(text, 8)
