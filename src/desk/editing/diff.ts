import { diffArrays } from 'diff'

/** A line in both texts, or only in one. */
export type Pair = readonly [mine: string | null, theirs: string | null]

/** With more differing lines, the time grows with their square: then all lines count as changed. */
const MOST_DIFFERING = 500

/** The lines of two texts side by side. Lines that differ at the same place are one pair. */
export function pairLines(mine: string, theirs: string): Pair[] {
  const [a, b] = [mine.split('\n'), theirs.split('\n')]
  const parts = diffArrays(a.map(asCompared), b.map(asCompared), { maxEditLength: MOST_DIFFERING }) ?? []
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  const addUpTo = (x: number, y: number) => {
    for (; i < x || j < y; i++, j++) pairs.push([i < x ? (a[i] ?? '') : null, j < y ? (b[j] ?? '') : null])
    ;[i, j] = [x, y]
  }
  let [mineAt, theirsAt] = [0, 0]
  for (const { count, added, removed } of parts) {
    if (!added && !removed) addUpTo(mineAt, theirsAt)
    if (!added) mineAt += count
    if (!removed) theirsAt += count
    if (!added && !removed) addUpTo(mineAt, theirsAt)
  }
  addUpTo(a.length, b.length)
  return pairs
}

/** A command that changes a release writes its headings one level lower. */
const asCompared = (line: string): string => line.replace(/^#{2,6}(?= )/, '##')

/** Both texts in one: of lines that differ, theirs and then mine. Headings that differ only in their level are one. */
export const bothTexts = (mine: string, theirs: string): string =>
  pairLines(mine, theirs)
    .flatMap(([one, other]) =>
      one !== null && other !== null && asCompared(one) === asCompared(other) ? [other] : [other, one],
    )
    .filter((line) => line !== null)
    .join('\n')

/** A line in three parts, of which the middle one differs from the other line: by words. */
export function differingPart(line: string, other: string): [string, string, string] {
  const [own, others] = [wordsOf(line), wordsOf(other)]
  let start = 0
  while (start < own.length && own[start] === others[start]) start++
  let end = 0
  const most = Math.min(own.length, others.length) - start
  while (end < most && own.at(-1 - end) === others.at(-1 - end)) end++
  const part = (from: number, to?: number) => own.slice(from, to).join('')
  return [part(0, start), part(start, own.length - end), part(own.length - end)]
}

const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{M}\p{N}]+|\s+|./gu) ?? []
