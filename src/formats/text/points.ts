import { typeFromHeading } from '../../domain/slug.ts'
import { namesKind } from '../../domain/versions/kinds.ts'
import { isBlank, width } from '../keepachangelog/markdown/lines.ts'
import { onlyDate } from '../keepachangelog/versions/dates.ts'
import { isDayOrAuthor } from './entries.ts'

const BULLET = /^(?<indent>[ \t]*)(?<bullet>[-*+•·□☆▪■●○◦‣]|\*{2,4}|\*\)|o(?=[ \t]))[ \t]+(?<text>\S.*)$/
/** `-Add a flag`, where no bullet has a blank behind it. */
const UNSPACED = /^(?<indent>[ \t]*)(?<bullet>-)(?<text>\p{L}{3}.*)$/u
const POINT =
  /^(?<indent>[ \t]*)(?<bullet>\(?(?:(?<number>\d{1,3})|(?<letter>[a-z]))[.)])[ \t]+(?<text>\S.*)$/

/** A line that begins an item has a bullet, which may be empty, and one that names a section a label. */
export type Point = Partial<Record<'indent' | 'bullet' | 'text' | 'label', string>>

/** Finds the items of a text: lines with bullets, else numbered ones, else paragraphs and lines that are not wrapped. */
export function pointsIn(
  lines: readonly string[],
  isHeading: (at: number) => boolean,
  style: TextStyle | null,
): (at: number) => Point | undefined {
  for (const bullet of [BULLET, UNSPACED])
    if (lines.some((line, at) => bullet.test(line) && !isHeading(at)))
      return (at) =>
        bullet.exec(lines[at] ?? '')?.groups ?? labelAbove(lines[at] ?? '', lines[at + 1] ?? '', bullet)
  const numbered = new NumberedPoints()
  if (style === null || lines.some((line) => POINT.test(line))) return (at) => numbered.next(lines[at] ?? '')
  const unmarked = new UnmarkedPoints(
    style,
    lines.some((line, at) => hangs(line, lines[at - 1] ?? '')),
  )
  return (at) => {
    const isApart = at === 0 || isBlank(lines[at - 1] ?? '') || isHeading(at - 1)
    return unmarked.next(lines[at] ?? '', isApart)
  }
}

/** `1.`, `1)` or `a.`, and each that follows. */
class NumberedPoints {
  #last = 0

  next(line: string): Point | undefined {
    const groups = POINT.exec(line)?.groups
    const number = groups?.letter ? groups.letter.charCodeAt(0) - 96 : Number(groups?.number)
    if (!(number <= 1 || number === this.#last + 1)) return undefined
    this.#last = number
    return groups
  }
}

/** Lines that begin an item although no bullet says so. */
class UnmarkedPoints {
  readonly #style: TextStyle
  readonly #isHanging: boolean
  #above = ''
  /** Of the item that the line above is in. */
  #column = Number.POSITIVE_INFINITY

  constructor(style: TextStyle, isHanging: boolean) {
    this.#style = style
    this.#isHanging = isHanging
  }

  next(line: string, isApart: boolean): Point | undefined {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
    const text = line.trim()
    const above = this.#above
    this.#above = text
    const column = width(indent)
    const isFirst = this.#column === Number.POSITIVE_INFINITY
    if (
      column > this.#column ||
      (!isFirst && TRAILER.test(text)) ||
      (!isApart && !isFirst && this.#style.continues(above, text, this.#isHanging))
    )
      return { indent: `${indent} `, text }
    const label = labelIn(text)
    if (label !== undefined) {
      this.#column = Number.POSITIVE_INFINITY
      return { label }
    }
    if ((text.length <= LONG || ADDRESS.test(text)) && isDayOrAuthor(text)) {
      if (indent !== '' && !isFirst) return { indent: `${indent} `, text }
      this.#column = Number.POSITIVE_INFINITY
      return undefined
    }
    if (isFirst && (text.endsWith(':') || onlyDate(text.replace(/^[*_]{1,3}|[*_]{1,3}$/g, '')) !== null))
      return undefined
    this.#column = column
    return { indent, bullet: '', text }
  }
}

/** Of an author, before the hash of a commit. */
const ADDRESS = /^.{1,80}<[^<>\s]{3,60}>/
/** Below the message of a commit. */
const TRAILER = /^(?:Change-Id|Closes|Reviewed-on|[A-Z][a-z]+-(?:[a-z]+-)?by): /

/** `Bug fixes:`, and in small letters if it is a kind of changes. */
function labelIn(text: string): string | undefined {
  const label = /^(?<label>\p{L}[^.:]{0,38}?)[ \t]*:$/u.exec(text)?.groups?.label
  if (label === undefined || label.split(/\s+/).length > 4) return undefined
  return /^\p{Lu}/u.test(label) || namesKind(typeFromHeading(label) ?? '') ? label : undefined
}

/** A label right above an item that is indented further: else it might continue the item above it. */
function labelAbove(line: string, next: string, bullet: RegExp): Point | undefined {
  const label = bullet.test(next) && columnOf(next) > columnOf(line) ? labelIn(line.trim()) : undefined
  return label === undefined ? undefined : { label }
}

/** A line after which a sentence goes on. */
const IS_OPEN =
  /(?:[,(–—-]|[ \t](?:a|an|and|are|as|at|but|by|for|from|if|in|is|its?|of|on|or|so|that|the|this|to|was|when|which|with))$/i
const ENDS_SENTENCE = /[.!?:;]["')]?$/
const TELLS_CHANGE =
  /^(?:\p{L}{2,12}ed|adds?|change|fix(?:es)?|improve|made|new|no|now|remove|support|update|use)\b/iu

/** How the texts of a file are wrapped and begin, which tells whether a line goes on with the sentence above. */
export class TextStyle {
  /** How many lines have a length. */
  readonly #lengths = new Uint32Array(LONGEST + 2)
  #lines = 0
  #paragraphs = 0
  #capitals = 0
  #width: number | null | undefined

  add(lines: readonly string[]): void {
    for (const [at, line] of lines.entries()) {
      const text = line.trim()
      if (text === '') continue
      const above = lines[at - 1] ?? ''
      this.#lines++
      const length = Math.min(text.length, LONGEST + 1)
      this.#lengths[length] = (this.#lengths[length] ?? 0) + 1
      if (!isBlank(above)) continue
      this.#paragraphs++
      if (!/^\p{Ll}/u.test(text)) this.#capitals++
    }
  }

  /** `isHanging` tells that lines which go on are indented further. */
  continues(above: string, text: string, isHanging: boolean): boolean {
    if (IS_OPEN.test(above)) return true
    if (/^\p{Lu}/u.test(text) && TELLS_CHANGE.test(text)) return false
    this.#width ??= this.#wrapped()
    const beginsSmall = /^\(?\p{Ll}[\p{L}'’]*(?:[\s.,;:)]|$)/u.test(text)
    const isCapital = this.#capitals * 10 >= this.#paragraphs * 9
    if (beginsSmall && isCapital && (this.#width !== null || above.length > LONG)) return true
    if (this.#width === null || isHanging || (beginsSmall && ENDS_SENTENCE.test(above))) return false
    const room = this.#width - above.length - 1 - (/^\S*/.exec(text)?.[0].length ?? 0)
    if (room >= (TELLS_CHANGE.test(text) ? 0 : RAGGED)) return false
    return !isCapital || beginsSmall || /[.!?] +\p{Lu}/u.test(above)
  }

  /** The width of nineteen lines in twenty; null if too few of them are about as wide, as those of wrapped texts are. */
  #wrapped(): number | null {
    let longer = this.#lines / 20
    let length = LONGEST + 1
    while (length > LEAST_WIDTH && longer > 0) longer -= this.#lengths[length--] ?? 0
    const edge = this.#lengths.slice(length - EDGE, length + 1).reduce((sum, count) => sum + count, 0)
    return length < LONGEST && edge * 10 >= this.#lines ? length + 1 : null
  }
}

/** Whether a line goes on with the one above it, indented further. */
const hangs = (line: string, above: string): boolean =>
  !isBlank(above) && columnOf(line) > columnOf(above) && /^\s+\p{Ll}/u.test(line)

const columnOf = (line: string): number => width(/^[ \t]*/.exec(line)?.[0] ?? '')

/** Lines of texts that are wrapped are no longer. */
const LONGEST = 100
const LONG = 80
const LEAST_WIDTH = 50
/** Wrapped by hand, lines are that much shorter. */
const RAGGED = 8
const EDGE = 12
