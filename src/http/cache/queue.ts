/** Work that takes much memory or time: so much of it at once, and clients take turns. */
export interface Queue {
  /**
   * Runs the work at once if there is a place and this turn of the event loop has not been long; otherwise when the client's
   * turn comes: one piece of work of each, however many it has. Throws `Busy` if too much waits.
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>
  /**
   * True if this turn of the event loop has been long. From then on, other work waits for the next one. A response that was made in it
   * should end its connection: Bun closes a connection, without a word, on which a request waits behind another.
   */
  isTurnLong(): boolean
}

/** Too many wait. */
export class Busy extends Error {}

const MOST_AT_ONCE = 2
const MOST_WAITING = 1_024
const LONG_MS = 4

export function createQueue(now: () => number = () => performance.now()): Queue {
  /** Work that waits, by client, in order of turns. */
  const rows = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0
  /** When this turn began, if work has begun in it. */
  let began: number | null = null
  let isLong = false

  const isFree = () => running < MOST_AT_ONCE && !isLong

  const beginTurn = () => {
    if (began !== null) return
    began = now()
    setImmediate(() => {
      began = null
      isLong = false
      beginNext()
    })
  }

  const beginNext = () => {
    const [first] = rows
    if (!first || !isFree()) return
    const [client, [begin, ...others]] = first
    rows.delete(client)
    if (others.length > 0) rows.set(client, others)
    begin?.()
  }

  const wait = async (client: string) => {
    if (waiting === MOST_WAITING) throw new Busy()
    waiting++
    await new Promise<void>((begin) => {
      rows.set(client, [...(rows.get(client) ?? []), begin])
    })
    waiting--
  }

  return {
    async run(client, work) {
      if (rows.size > 0 || !isFree()) await wait(client)
      running++
      beginTurn()
      try {
        return await work()
      } finally {
        running--
        setImmediate(beginNext)
      }
    },
    isTurnLong() {
      isLong ||= began !== null && now() - began > LONG_MS
      return isLong
    },
  }
}

/** Steps handed over, in their order. */
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

/** Markdown that is rendered in one turn of the event loop: a few milliseconds, whatever it is. */
const CHARACTERS_PER_TURN = 20_000

/** Counts the characters that one response renders, and lets others in before they are many. A short one is never interrupted. */
export function createPace(): (characters: number) => Promise<void> | undefined {
  let rendered = 0
  return (characters) => {
    rendered += characters
    if (rendered <= CHARACTERS_PER_TURN) return undefined
    rendered = characters
    return handOver()
  }
}
