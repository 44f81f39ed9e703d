import { width } from '../markdown/lines.ts'
import { isDayOrAuthor } from './entries.ts'

const BULLET = /^(?<indent>[ \t]*)(?<bullet>[-*+•·□☆▪■●○◦‣]|\*{2,4}|\*\)|o(?=[ \t]))[ \t]+(?<text>\S.*)$/
const NUMBERED = /^(?<indent>[ \t]*)(?<bullet>\(?(?:\d{1,3}|[a-z])[.)])[ \t]+(?<text>\S.*)$/

/** A line that begins an item has a bullet, which may be empty. */
export type Point = Partial<Record<'indent' | 'bullet' | 'text', string>>

/** Finds the items of a text: lines with bullets, else numbered ones, else, if they may be items, lines that are not wrapped. */
export function pointsIn(
  lines: readonly string[],
  isHeading: (at: number) => boolean,
  mayBeLines: boolean,
): (at: number) => Point | undefined {
  for (const bullet of [BULLET, NUMBERED])
    if (lines.some((line, at) => bullet.test(line) && !isHeading(at)))
      return (at) => bullet.exec(lines[at] ?? '')?.groups
  if (!mayBeLines) return () => undefined
  /** The one that the line above is in. */
  let item: { column: number; isCapital: boolean } | null = null
  return (at) => {
    const indent = /^[ \t]*/.exec(lines[at] ?? '')?.[0] ?? ''
    const [text, above] = [(lines[at] ?? '').trim(), (lines[at - 1] ?? '').trim()]
    const isApart = above === '' || isHeading(at - 1)
    if (item && (width(indent) > item.column || (!isApart && continues(above, text, item.isCapital))))
      return { indent: `${indent} `, text }
    const isDay = isDayOrAuthor(text)
    item = isDay ? null : { column: width(indent), isCapital: !/^\p{Ll}/u.test(text) }
    return isDay ? undefined : { indent, bullet: '', text }
  }
}

/** A line after which a sentence goes on. */
const IS_OPEN =
  /(?:[,(–—-]|[ \t](?:a|an|and|are|as|at|but|by|for|from|if|in|is|its?|of|on|or|so|that|the|this|to|was|when|which|with))$/i

/** True if a line goes on with the sentence above. `isCapital` tells how its item begins. */
function continues(above: string, text: string, isCapital: boolean): boolean {
  if (IS_OPEN.test(above)) return true
  const beginsSmall = /^\(?\p{Ll}[\p{L}'’]*(?:[\s.,;:)]|$)/u.test(text)
  return isCapital ? beginsSmall && above.length > WRAPPED / 2 : above.length > WRAPPED
}

/** Longer lines are wrapped ones. */
const WRAPPED = 60
