/** A line in both texts, or only in one. */
export type Pair = readonly [mine: string | null, theirs: string | null]

/** More comparisons than this are not made: the lines between the same ends then count as changed. */
const MOST = 4_000_000

/** The lines of two texts side by side. Lines that differ at the same place are one pair. */
export function pairLines(mine: string, theirs: string): Pair[] {
  const [a, b] = [mine.split('\n'), theirs.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const same = (lines: readonly string[]): Pair[] => lines.map((line) => [line, line])
  return [
    ...same(a.slice(0, start)),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
}

function between(a: readonly string[], b: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  /** Up to lines that both have: what differs before them stands side by side. */
  const addUpTo = (x: number, y: number) => {
    for (; i < x || j < y; i++, j++) pairs.push([i < x ? (a[i] ?? '') : null, j < y ? (b[j] ?? '') : null])
    ;[i, j] = [x, y]
  }
  for (const [x, y] of a.length * b.length > MOST ? [] : common(a.map(asCompared), b.map(asCompared))) {
    addUpTo(x, y)
    addUpTo(x + 1, y + 1)
  }
  addUpTo(a.length, b.length)
  return pairs
}

/** A command that changes a release writes its headings one level lower. */
const asCompared = (line: string): string => line.replace(/^#{2,6}(?= )/, '##')

/** The places of the longest sequence of lines that both have. */
function common(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  const found: [number, number][] = []
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) found.push([i++, j++])
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++
    else j++
  }
  return found
}

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
