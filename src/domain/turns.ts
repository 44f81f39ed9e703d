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

const steps: (() => void)[] = []

/** Lets other requests in, between two steps of long work. A turn of the event loop has one step, of whatever work. */
export const handOver = (): Promise<void> =>
  new Promise((resolve) => {
    if (steps.push(resolve) === 1) setImmediate(nextStep)
  })

function nextStep(): void {
  steps.shift()?.()
  if (steps.length > 0) setImmediate(nextStep)
}

/** So many small steps are a few milliseconds. More turns would hold a lock for long, as each waits for what others do in theirs. */
const STEPS_PER_TURN = 20

/** Does something with each of many, and lets other requests in between. */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<unknown>,
): Promise<void> {
  for (const [at, item] of items.entries()) {
    await work(item, at)
    if ((at + 1) % STEPS_PER_TURN === 0) await handOver()
  }
}
