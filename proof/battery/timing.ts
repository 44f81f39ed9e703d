import { type Ask, Connection } from '../bench/client.ts'

/** Two requests whose responses must not differ in time: what one of them names is hidden, what the other names is not there. */
export interface Twins {
  name: string
  hidden: Ask
  missing: Ask
}

/** A server with a database and names of its own, for one round of measurements. */
export interface Stage extends AsyncDisposable {
  pairs: readonly Twins[]
  /** How many nanoseconds a request takes. */
  time(ask: Ask): Promise<number>
}

export interface TwinsFigure {
  name: string
  /** How well the time tells the two apart: 0.5 is not at all, 1 or 0 is always. */
  auc: number
  /** The true value is at most this far from `auc`, in 99 of 100 cases. */
  error: number
  /** Medians in microseconds. */
  hidden: number
  missing: number
}

export interface TimingOptions {
  /** Requests of a pair in each round, both counted. */
  requests: number
  /** A pair is measured until its interval lies within this distance of 0.5, or has no more than half its width. */
  band: number
  /** After so many milliseconds no pair is measured beyond three rounds, however wide its interval is. */
  limitMs: number
}

/** Requests of a pair that are not counted: until then the server still compiles. */
const WARM_UP = 300
/** Fewer say little about how much rounds differ. */
const LEAST_ROUNDS = 5
/** When the time is over, so few must do: their interval is wide. */
const LEAST_LATE = 3

/**
 * Sends both requests of each pair in turns, in random order, and compares their times by rank. Each round has a stage of its
 * own: with one server, what its memory or its names happen to look like makes two equal requests differ by a little for as long
 * as it runs, and no number of requests would show that it is chance. Between rounds it is another little, and the interval,
 * which is made of the rounds' results, contains it.
 */
export async function measureTwins(
  open: () => Promise<Stage>,
  { requests, band, limitMs }: TimingOptions,
): Promise<TwinsFigure[]> {
  const began = performance.now()
  const measured = new Map<string, Round[]>()
  const isDone = (rounds: readonly Round[]) =>
    performance.now() - began > limitMs
      ? rounds.length >= LEAST_LATE
      : rounds.length >= LEAST_ROUNDS && isDecided(interval(rounds), band)
  for (let isOpen = true; isOpen; isOpen = ![...measured.values()].every(isDone)) {
    await using stage = await open()
    // A text that was put together of parts takes longer to send than one that was not, so all are copied.
    for (const pair of structuredClone(stage.pairs)) {
      const rounds = measured.get(pair.name) ?? []
      if (isDone(rounds)) continue
      measured.set(pair.name, [...rounds, await measureRound(stage, pair, requests)])
    }
  }
  return [...measured].map(([name, rounds]) => ({
    name,
    ...interval(rounds),
    hidden: median(rounds.map(({ hidden }) => hidden)) / 1_000,
    missing: median(rounds.map(({ missing }) => missing)) / 1_000,
  }))
}

/** Whether all of the interval is within this distance of 0.5, or it is narrow enough to judge by. */
const isDecided = ({ auc, error }: Pick<TwinsFigure, 'auc' | 'error'>, band: number): boolean =>
  Math.abs(auc - 0.5) + error <= band || 2 * error <= band

/** Whether the figure lies outside this distance of 0.5 with all of its interval. */
export const isTold = ({ auc, error }: Pick<TwinsFigure, 'auc' | 'error'>, band: number): boolean =>
  Math.abs(auc - 0.5) - error > band

/** Times requests over one keep-alive connection, a new one where the server ends it. `before` runs before each, outside the measured time. */
export async function timerOf(port: number, before: () => void = () => {}) {
  let connection = await Connection.open(port)
  return {
    async time(ask: Ask): Promise<number> {
      if (connection.isOver) connection = await Connection.open(port)
      before()
      const start = Bun.nanoseconds()
      await connection.exchange(ask)
      return Bun.nanoseconds() - start
    },
    close: () => connection.close(),
  }
}

interface Round {
  auc: number
  /** The standard error that so many requests have if nothing but chance makes them differ. */
  chance: number
  hidden: number
  missing: number
}

async function measureRound(stage: Stage, { hidden, missing }: Twins, requests: number): Promise<Round> {
  const times = { hidden: [] as number[], missing: [] as number[] }
  for (let at = -WARM_UP / 2; at < requests / 2; at++) {
    const both = [
      ['hidden', hidden],
      ['missing', missing],
    ] as const
    for (const [which, ask] of Math.random() < 0.5 ? both : both.toReversed()) {
      const time = await stage.time(ask)
      if (at >= 0) times[which].push(time)
    }
  }
  const count = times.hidden.length
  return {
    auc: areaUnderCurve(times.hidden, times.missing),
    chance: Math.sqrt((2 * count + 1) / (12 * count * count)),
    hidden: median(times.hidden),
    missing: median(times.missing),
  }
}

/** The mean of the rounds, and how far from it the true value may be: Student's interval of 99 %. */
function interval(rounds: readonly Round[]): Pick<TwinsFigure, 'auc' | 'error'> {
  const count = rounds.length
  const auc = rounds.reduce((sum, round) => sum + round.auc, 0) / count
  if (count < 2) return { auc, error: 0.5 }
  const spread = Math.sqrt(rounds.reduce((sum, round) => sum + (round.auc - auc) ** 2, 0) / (count - 1))
  // A few rounds may be alike by chance, but are never more exact than their requests allow.
  const deviation = Math.max(spread, ...rounds.map(({ chance }) => chance))
  return { auc, error: (student(count - 1) * deviation) / Math.sqrt(count) }
}

/** The 99.5th percentile of Student's distribution, by its expansion around the normal one: exact to 2 % from 4 degrees on. */
function student(degrees: number): number {
  const z = 2.576
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  )
}

/** The probability that one of the first is greater than one of the second, equal ones counted half. */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value)
  let ranks = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    // Equal values share the middle of their ranks, which count from 1.
    const rank = (start + end + 1) / 2
    for (const { isFirst } of all.slice(start, end)) if (isFirst) ranks += rank
    start = end
  }
  return (ranks - (first.length * (first.length + 1)) / 2) / (first.length * second.length)
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
