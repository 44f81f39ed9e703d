import { type Row, Tally } from '../case.ts'
import type { Seen } from './readers.ts'
import type { Writer } from './writer.ts'

/** What is promised: how old a response may be, and how soon everything is as before after an outage. */
const STALE_MS = 1_000
export const BACK_MS = 5_000

/** The deadline of a query is two seconds; on a busy machine a response may take somewhat longer. */
const ANSWERED_MS = 3_000

/** The upper ends of the histogram's classes, in milliseconds. */
const CLASSES = [1, 10, 50, 100, 250, 500, STALE_MS]

interface Outage {
  from: number
  /** When it surely is away: to kill many processes takes a while. */
  awayAt: number
  /** When it begins to come back, and when it surely is. */
  returningAt: number
  to: number
  /** Whether nothing was written before, so that every node had the latest state cached. */
  isQuiet: boolean
}

/** Judges every response that readers saw, knowing what was committed when, and when the engine was away. */
export class Judge {
  private readonly right = new Tally(
    'No response is wrong: each is one whole committed state, or a 503 that says when to try again',
  )
  private readonly answered = new Tally('Every request is answered, within three seconds')
  private readonly fresh = new Tally(
    'No response is more than a second old; cached public ones during an outage are as of its beginning',
  )
  private readonly steady = new Tally('No response is a 5xx while the engine answers')
  private readonly outages = new Tally('During an outage cached public responses are served, to every reader')
  private readonly keyed = new Tally(
    'A keyed response is never more than a second old, and a 503 once the engine has been away for longer',
  )
  private readonly ages = new Array<number>(CLASSES.length + 1).fill(0)
  private readonly counts = new Map<string, number>()
  private outage: Outage | null = null
  private slowest = 0
  private oldest = 0

  constructor(private readonly writer: Writer) {}

  /** The engine is about to go away. */
  begin(isQuiet: boolean): void {
    const later = Number.POSITIVE_INFINITY
    this.outage = { from: performance.now(), awayAt: later, returningAt: later, to: later, isQuiet }
  }

  /** It is away now. */
  confirm(): void {
    if (this.outage) this.outage.awayAt = performance.now()
  }

  /** It begins to come back. */
  return(): void {
    if (this.outage) this.outage.returningAt = performance.now()
  }

  /** It is back now. */
  end(): void {
    if (this.outage) this.outage.to = performance.now()
  }

  readonly see = (seen: Seen): void => {
    const { kind, sentAt, tookMs, status, state, response } = seen
    const { outage, writer } = this
    const isOut = outage !== null && sentAt + tookMs > outage.from && sentAt < outage.to + BACK_MS
    const what = () =>
      `${kind}, node ${seen.node}: status ${status}, state ${state} of ${writer.committed}, ${tookMs.toFixed(0)} ms`
    this.slowest = Math.max(this.slowest, tookMs)
    const name = `${kind} ${status}`
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    this.answered.count(status !== 0 && tookMs < ANSWERED_MS, what)
    if (status === 0) return
    const isState = status === 200 && state !== null && state <= writer.attempted
    this.right.count(isState || (status === 503 && response?.headers.has('retry-after') === true), what)
    if (!isOut) this.steady.count(status < 500, what)
    if (isOut && outage.isQuiet && kind === 'cached') this.outages.count(status === 200, what)
    if (state === null) return
    const age = writer.staleness(state, isOut && kind === 'cached' ? outage.from : sentAt)
    this.fresh.count(age < STALE_MS, () => `${what()}, ${age.toFixed(0)} ms old`)
    if (kind === 'keyed')
      this.keyed.count(
        !isOut || sentAt - outage.awayAt < STALE_MS || sentAt + tookMs > outage.returningAt,
        what,
      )
    if (isOut) return
    this.oldest = Math.max(this.oldest, age)
    const at = CLASSES.findIndex((end) => age < end)
    this.ages[at < 0 ? CLASSES.length : at] = (this.ages[at < 0 ? CLASSES.length : at] ?? 0) + 1
  }

  /** The rows of a case without outages, or of one with them. */
  rows(hadOutages: boolean): Row[] {
    const total = this.ages.reduce((sum, count) => sum + count, 0)
    const share = (count: number) => `${((100 * count) / total).toFixed(count / total > 0.999 ? 3 : 2)} %`
    const classes = CLASSES.map((end, at) => `< ${end} ms: ${share(this.ages[at] ?? 0)}`)
    const kinds = [...this.counts].sort().map(([name, count]) => `${name}: ${count}`)
    const figures = hadOutages ? [this.outages.row(''), this.keyed.row('')] : []
    return [
      this.right.row(kinds.join(', ')),
      this.steady.row(''),
      this.answered.row(`slowest ${this.slowest.toFixed(0)} ms`),
      this.fresh.row(`${classes.join(', ')}; oldest ${this.oldest.toFixed(0)} ms`),
      ...figures,
    ]
  }
}
