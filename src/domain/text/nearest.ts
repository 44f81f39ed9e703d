/** The candidate most similar to a mistyped word, or null: at most three errors, in less than half of the word. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  let least = 4
  for (const candidate of candidates.slice(0, 10_000)) {
    const errors = distance(word, candidate)
    const isClose = errors * 2 < Math.max(word.length, candidate.length)
    if (isClose && errors < least) [best, least] = [candidate, errors]
  }
  return best
}

/** The number of insertions, deletions, replacements and swaps between two words. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (above[at - 1] as number) + (a[row - 1] === b[at - 1] ? 0 : 1)
      let errors = Math.min(replaced, (above[at] as number) + 1, (line[at - 1] as number) + 1)
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        errors = Math.min(errors, (before[at - 2] as number) + 1)
      line.push(errors)
    }
    before = above
    above = line
  }
  return above[b.length] as number
}
