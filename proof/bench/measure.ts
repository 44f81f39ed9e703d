import { join } from 'node:path'
import { type Candidate, REQUESTS_ALLOWED } from './candidates.ts'
import { type Answer, type Ask, Connection } from './client.ts'
import type { Dataset } from './data.ts'
import { type Child, type Cores, freePort, run, start, stop } from './processes.ts'
import { processorSeconds } from './usage.ts'

/**
 * The ways to measure a candidate. Each measurement has a server process of its own, started for it and ended
 * after it: so nothing but the server under load runs on its core, its limiter's bucket is full, and the luck
 * of one process (where its memory lies, what its compiler chose) does not follow a candidate through the run.
 */

const CONNECTIONS = 32
const READY_WITHIN_MS = 20_000

/** How long a server is left alone before its memory counts as that of an idle one. */
export const SETTLE_MS = 1_000

/** How long things take, in seconds; how often, by count. */
export interface Effort {
  rounds: number
  warmUp: number
  measure: number
  starts: number
  coldReads: number
  soakMinutes: number
}

export interface Throughput {
  /** Requests a second. */
  rate: number
  /** Processor time of the server for one request, in microseconds: less troubled by other programs. */
  processor: number
}

/** What a server must answer with before and after it is measured. */
export interface Expected {
  status: number
  body: string
}

/** Starts a candidate, waits until it answers, gives it to `work`, and ends it. */
export async function withServer<T>(
  candidate: Candidate,
  cores: Cores,
  work: (port: number, child: Child) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const child = start(candidate.command(port), { core: cores.server, env: candidate.env?.(port) ?? {} })
  try {
    await untilReady(port, candidate, child)
    return await work(port, child)
  } finally {
    await stop(child)
  }
}

/** One answer of a candidate, to see what it says. */
export const askOnce = (candidate: Candidate, cores: Cores, ask: Ask): Promise<Answer> =>
  withServer(candidate, cores, (port) => get(port, ask))

/** How many answers a second a candidate gives to 32 clients who each ask again at once. */
export const throughput = (
  candidate: Candidate,
  cores: Cores,
  effort: Effort,
  ask: Ask,
  expected: Expected,
): Promise<Throughput> =>
  withServer(candidate, cores, async (port, child) => {
    await check(candidate, port, ask, expected)
    const warm = await wrk(port, cores, effort.warmUp, ask)
    const seconds = affordable(effort.measure, warm.requests / warm.seconds, warm.requests)
    const before = processorSeconds(child.pid)
    const report = await wrk(port, cores, seconds, ask)
    const used = processorSeconds(child.pid) - before
    checkReport(candidate, report, expected.status)
    const bytesEach = report.bytes / report.requests
    if (bytesEach < expected.body.length || bytesEach > expected.body.length + 2_000)
      throw new Error(
        `${candidate.name} answered with ${bytesEach} bytes on average: not what was asked for.`,
      )
    await check(candidate, port, ask, expected)
    return { rate: report.requests / report.seconds, processor: (used / report.requests) * 1e6 }
  })

/** The same for reads of products drawn at random. */
export const randomReads = (
  candidate: Candidate,
  cores: Cores,
  effort: Effort,
  dataset: Pick<Dataset, 'teams' | 'productsPerTeam'>,
  seed: number,
  status = 200,
): Promise<Throughput> =>
  withServer(candidate, cores, async (port, child) => {
    await wrk(port, cores, effort.warmUp, { path: '/' }, randomly(dataset, -seed))
    const before = processorSeconds(child.pid)
    const report = await wrk(port, cores, effort.measure, { path: '/' }, randomly(dataset, seed))
    const used = processorSeconds(child.pid) - before
    checkReport(candidate, report, status)
    return { rate: report.requests / report.seconds, processor: (used / report.requests) * 1e6 }
  })

/** Milliseconds from a request to the last byte of its answer, on one connection, one after the other. */
export const roundTrips = (
  candidate: Candidate,
  cores: Cores,
  ask: Ask,
  expected: Expected,
  warmUps: number,
  repeats: number,
): Promise<number[]> =>
  withServer(candidate, cores, async (port) => {
    await check(candidate, port, ask, expected)
    const connection = await Connection.open(port)
    const times: number[] = []
    for (let turn = 0; turn < warmUps + repeats; turn++) {
      const began = performance.now()
      await connection.exchange(ask)
      if (turn >= warmUps) times.push(performance.now() - began)
    }
    connection.close()
    return times
  })

/** Milliseconds from the start of the program to its first 200, asked for without pause. */
export async function startingTime(candidate: Candidate, cores: Cores, ask: Ask): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = start(candidate.command(port), { core: cores.server, env: candidate.env?.(port) ?? {} })
  try {
    const answer = await firstAnswer(port, ask)
    const took = performance.now() - began
    if (answer.status !== 200) throw new Error(`${candidate.name} answered with ${answer.status} at first.`)
    return took
  } finally {
    await stop(child)
  }
}

/** Random reads for some seconds, each from a client of its own; gives how many there were. */
export async function crowd(
  candidate: Candidate,
  port: number,
  cores: Cores,
  seconds: number,
  dataset: Dataset,
  firstClient: number,
): Promise<number> {
  const crowd = { ...randomly(dataset, firstClient + 1), FIRST_CLIENT: String(firstClient) }
  const report = await wrk(port, cores, seconds, { path: '/' }, crowd)
  checkReport(candidate, report)
  return report.requests
}

const randomly = ({ teams, productsPerTeam }: Pick<Dataset, 'teams' | 'productsPerTeam'>, seed: number) => ({
  TEAMS: String(teams),
  PRODUCTS_PER_TEAM: String(productsPerTeam),
  SEED: String(seed),
})

/** So many whole seconds, as wrk wants them, or fewer, so that the limiter does not begin to refuse. */
export const affordable = (wanted: number, rate: number, spent: number): number =>
  Math.max(1, Math.min(wanted, Math.floor((0.9 * REQUESTS_ALLOWED - spent) / rate)))

interface WrkReport {
  requests: number
  seconds: number
  bytes: number
  socketErrors: number
  statusErrors: number
}

export async function wrk(
  port: number,
  cores: Cores,
  seconds: number,
  { path, headers = {}, body }: Ask,
  env: Record<string, string> = {},
): Promise<WrkReport> {
  const out = await run(
    [
      ...['wrk', '--threads', '1', '--connections', String(CONNECTIONS), '--duration', `${seconds}s`],
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      ...['--script', join(import.meta.dir, 'load/load.lua'), `http://127.0.0.1:${port}${path}`],
    ],
    { core: cores.load, env: body === undefined ? env : { ...env, BODY: body } },
  )
  return JSON.parse(out.trim().split('\n').at(-1) ?? '')
}

/** wrk counts every status above 399 as an error, also where it is the right one. */
function checkReport(
  { name }: Candidate,
  { requests, socketErrors, statusErrors }: WrkReport,
  status = 200,
): void {
  const wrong = status < 400 ? statusErrors : requests - statusErrors
  if (requests === 0) throw new Error(`${name} answered nothing.`)
  if (socketErrors > 0) throw new Error(`${name} broke ${socketErrors} connections.`)
  if (wrong > 0)
    throw new Error(
      `${name} answered ${wrong} of ${requests} requests with another status than ${status}: not a fair figure.`,
    )
}

export async function check({ name }: Candidate, port: number, ask: Ask, expected: Expected): Promise<void> {
  const answer = await get(port, ask)
  if (answer.status !== expected.status)
    throw new Error(`${name} answers ${answer.status}, not ${expected.status}: ${answer.body.slice(0, 200)}`)
  if (answer.body !== expected.body) throw new Error(`${name} answers with another body than the others.`)
}

async function get(port: number, ask: Ask): Promise<Answer> {
  const connection = await Connection.open(port)
  try {
    return await connection.get(ask)
  } finally {
    connection.close()
  }
}

/** Tries to connect without pause until somebody listens, then asks. */
async function firstAnswer(port: number, ask: Ask): Promise<Answer> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    try {
      return await get(port, ask)
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

async function untilReady(port: number, { name }: Candidate, child: Child): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    try {
      ;(await Connection.open(port)).close()
      return
    } catch {
      if (child.exitCode !== null || performance.now() > deadline) {
        child.kill('SIGKILL')
        throw new Error(`${name} did not start:\n${await new Response(child.stderr).text()}`)
      }
      await Bun.sleep(10)
    }
  }
}
