export type Turns = ReturnType<typeof createTurns>

/** Runs one piece of work at a time. All whose work waits take turns, however much of it one of them has. */
export function createTurns() {
  /** What waits, by whose it is, in the order of their turns. */
  const rows = new Map<unknown, (() => void)[]>()
  let isBusy = false

  const beginNext = (last: unknown): void => {
    const own = rows.get(last)
    if (own && rows.delete(last)) rows.set(last, own)
    const [first] = rows
    isBusy = first !== undefined
    if (!first) return
    const [whose, row] = first
    row.shift()?.()
    if (row.length === 0) rows.delete(whose)
  }

  return async <T>(whose: unknown, work: () => Promise<T>): Promise<T> => {
    if (isBusy) await new Promise<void>((begin) => rows.set(whose, [...(rows.get(whose) ?? []), begin]))
    isBusy = true
    try {
      return await work()
    } finally {
      beginNext(whose)
    }
  }
}
