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
    if (width(indent) > itemColumn || (!isApart && style.continues(above, text)))
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
      this.#lines++
      const length = Math.min(text.length, LONGEST + 1)
      this.#lengths[length] = (this.#lengths[length] ?? 0) + 1
      if (!isBlank(lines[at - 1] ?? '')) continue
      this.#paragraphs++
      if (!/^\p{Ll}/u.test(text)) this.#capitals++
    }
  }

  continues(above: string, text: string): boolean {
    if (IS_OPEN.test(above)) return true
    this.#width ??= this.#wrapped()
    const beginsSmall = /^\(?\p{Ll}[\p{L}'’]*(?:[\s.,;:)]|$)/u.test(text)
    const isCapital = this.#capitals * 10 >= this.#paragraphs * 9
    if (beginsSmall && isCapital && (this.#width !== null || above.length > LONG)) return true
    if (this.#width === null) return false
    const room = this.#width - above.length - 1 - (/^\S*/.exec(text)?.[0].length ?? 0)
    return room < RAGGED && (!isCapital || beginsSmall || /[.!?] +\p{Lu}/u.test(above))
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

/** Lines of texts that are wrapped are no longer. */
const LONGEST = 100
const LONG = 80
const LEAST_WIDTH = 50
/** Wrapped by hand, lines are that much shorter. */
const RAGGED = 8
const EDGE = 12
