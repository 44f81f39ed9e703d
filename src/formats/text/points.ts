import { isBlank, width } from '../keepachangelog/markdown/lines.ts'
import { isDayOrAuthor } from './entries.ts'

const BULLET = /^(?<indent>[ \t]*)(?<bullet>[-*+•·□☆▪■●○◦‣]|\*{2,4}|\*\)|o(?=[ \t]))[ \t]+(?<text>\S.*)$/
const NUMBERED = /^(?<indent>[ \t]*)(?<bullet>\(?(?:\d{1,3}|[a-z])[.)])[ \t]+(?<text>\S.*)$/

/** A line that begins an item has a bullet, which may be empty. */
export type Point = Partial<Record<'indent' | 'bullet' | 'text', string>>

/** Finds the items of a text: lines with bullets, else numbered ones, else paragraphs and lines that are not wrapped. */
export function pointsIn(
  lines: readonly string[],
  isHeading: (at: number) => boolean,
  style: TextStyle | null,
): (at: number) => Point | undefined {
  for (const bullet of [BULLET, NUMBERED])
    if (lines.some((line, at) => bullet.test(line) && !isHeading(at)))
      return (at) => bullet.exec(lines[at] ?? '')?.groups
  if (style === null) return () => undefined
  /** Of the item that the line above is in. */
  let itemColumn = Number.POSITIVE_INFINITY
  return (at) => {
    const indent = /^[ \t]*/.exec(lines[at] ?? '')?.[0] ?? ''
    const [text, above] = [(lines[at] ?? '').trim(), (lines[at - 1] ?? '').trim()]
    const isApart = above === '' || isHeading(at - 1) || itemColumn === Number.POSITIVE_INFINITY
    if (width(indent) > itemColumn || (!isApart && continues(style, above, text)))
      return { indent: `${indent} `, text }
    const isDay = isDayOrAuthor(text)
    itemColumn = isDay ? Number.POSITIVE_INFINITY : width(indent)
    return isDay ? undefined : { indent, bullet: '', text }
  }
}

/** A line after which a sentence goes on. */
const IS_OPEN =
  /(?:[,(–—-]|[ \t](?:a|an|and|are|as|at|but|by|for|from|if|in|is|its?|of|on|or|so|that|the|this|to|was|when|which|with))$/i

/** How the texts of a file are wrapped and begin, which tells whether a line goes on with the sentence above. */
export interface TextStyle {
  /** Null if they are not wrapped. */
  width: number | null
  /** Whether paragraphs begin with a capital. */
  isCapital: boolean
}

export function styleOf(texts: readonly (readonly string[])[]): TextStyle {
  const lengths = texts
    .flatMap((lines) => lines.map((line) => line.trim().length).filter((length) => length > 0))
    .sort((one, other) => one - other)
  const firsts = texts.flatMap((lines) =>
    lines.filter((line, at) => !isBlank(line) && isBlank(lines[at - 1] ?? '')),
  )
  const capitals = firsts.filter((line) => !/^\s*\p{Ll}/u.test(line))
  // Nineteen lines in twenty are no longer, and enough of them about as long.
  const width = Math.max(lengths[Math.floor(lengths.length * 0.95)] ?? 0, LEAST_WIDTH)
  const edge = lengths.filter((length) => length >= width - EDGE && length <= width)
  const isWrapped = width < LONGEST && edge.length * 10 >= lengths.length
  return { width: isWrapped ? width : null, isCapital: capitals.length * 10 >= firsts.length * 9 }
}

function continues({ width, isCapital }: TextStyle, above: string, text: string): boolean {
  if (IS_OPEN.test(above)) return true
  const beginsSmall = /^\(?\p{Ll}[\p{L}'’]*(?:[\s.,;:)]|$)/u.test(text)
  if (beginsSmall && isCapital && (width !== null || above.length > LONG)) return true
  if (width === null) return false
  const room = width - above.length - 1 - (/^\S*/.exec(text)?.[0].length ?? 0)
  return room < RAGGED && (!isCapital || beginsSmall || /[.!?] +\p{Lu}/u.test(above))
}

/** Lines of texts that are wrapped are no longer. */
const LONGEST = 100
const LONG = 80
const LEAST_WIDTH = 50
/** Wrapped by hand, lines are that much shorter. */
const RAGGED = 8
const EDGE = 12
