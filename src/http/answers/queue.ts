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
  /** The clients of each waiting job. */
  const waiting = new Map<Job, Set<string>>()
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
    leave(job as Job)
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
    if (jobs.has(job)) return
    if (!clients && waiting.size === MOST_WAITING) throw new Busy('The server is overloaded.')
    if (client !== ANYBODY && jobs.size === MOST_OF_CLIENT)
      throw new Busy(`You are waiting for ${MOST_OF_CLIENT} other responses.`)
    rows.set(client, jobs.add(job))
    waiting.set(job, (clients ?? new Set()).add(client))
  }

  /** The client no longer waits for the job; by default, none does. */
  const leave = (job: Job, client?: string): void => {
    const clients = waiting.get(job)
    for (const each of client === undefined ? [...(clients ?? [])] : [client]) {
      const jobs = rows.get(each)
      if (jobs?.delete(job) && jobs.size === 0) rows.delete(each)
      clients?.delete(each)
    }
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
