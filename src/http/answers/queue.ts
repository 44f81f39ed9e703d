import { parsingCost } from '../../domain/text/cut.ts'
import { handOver } from '../../domain/turns.ts'
import type { Pace } from '../../notes/writing.ts'
import { Busy } from '../request/errors.ts'

/** Work that takes much memory or time: one place, however many requests wait for it. */
export interface Job {
  /** Called when its turn comes. Never rejects. */
  begin(): Promise<void>
}

const MOST_AT_ONCE = 2
const MOST_WAITING = 1_024
const MOST_OF_CLIENT = 64

/** For clients without a known address. Only the bound of all clients counts for them. */
export const ANYBODY = ''

export type Queue = ReturnType<typeof createQueue>

/** Runs two jobs at a time. Clients take turns, however many jobs one waits for. */
export function createQueue() {
  /** Waiting jobs of each client, in order of turns. */
  const rows = new Map<string, Set<Job>>()
  /** The clients of each waiting job, and how many times each waits for it. */
  const waiting = new Map<Job, Map<string, number>>()
  let running = 0

  const begin = (job: Job): void => {
    running++
    // In a turn of its own: other requests would wait for all short jobs of one turn.
    job.begin().then(handOver).then(beginNext)
  }

  const beginNext = (): void => {
    running--
    const [next] = rows
    if (!next) return
    const [client, jobs] = next
    const [job] = jobs as Set<Job>
    // The client's next turn comes after those of the others.
    rows.delete(client)
    rows.set(client, jobs)
    for (const client of waiting.get(job as Job)?.keys() ?? []) remove(job as Job, client)
    begin(job as Job)
  }

  /** Begins the job if there is a place; else the client waits for its turn. Throws `Busy`. */
  const join = (job: Job, client: string): void => {
    const clients = waiting.get(job)
    if (!clients && running < MOST_AT_ONCE && rows.size === 0) {
      begin(job)
      return
    }
    const jobs = rows.get(client) ?? new Set()
    if (!jobs.has(job)) {
      if (!clients && waiting.size === MOST_WAITING) throw new Busy('The server is overloaded.')
      if (client !== ANYBODY && jobs.size === MOST_OF_CLIENT)
        throw new Busy(`You are waiting for ${MOST_OF_CLIENT} other responses.`)
    }
    rows.set(client, jobs.add(job))
    waiting.set(job, (clients ?? new Map()).set(client, (clients?.get(client) ?? 0) + 1))
  }

  /** One request of the client no longer waits for the job. */
  const leave = (job: Job, client: string): void => {
    const clients = waiting.get(job)
    const others = (clients?.get(client) ?? 0) - 1
    if (others > 0) clients?.set(client, others)
    else remove(job, client)
  }

  const remove = (job: Job, client: string): void => {
    const jobs = rows.get(client)
    if (jobs?.delete(job) && jobs.size === 0) rows.delete(client)
    const clients = waiting.get(job)
    clients?.delete(client)
    if (clients?.size === 0) waiting.delete(job)
  }

  return { join, leave }
}

/** Markdown that is rendered in one turn of the event loop: a few milliseconds, whatever it is. */
const CHARACTERS_PER_TURN = 20_000

/** Counts what one response renders, and lets others in before it is much. A short one is never interrupted. */
export function createPace(): Pace {
  let rendered = 0
  return (text, length) => {
    const cost = parsingCost(text, length)
    rendered += cost
    if (rendered <= CHARACTERS_PER_TURN) return undefined
    rendered = cost
    return handOver()
  }
}
