import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidate } from '../candidates.ts'
import { type Ask, requestText } from '../client.ts'
import type { Dataset } from '../data.ts'
import { affordable, check, type Effort, type Expected, SETTLE_MS, withServer, wrk } from '../measure.ts'
import { type Cores, run, scratch } from '../processes.ts'
import { peakBytes, residentBytes } from '../usage.ts'

/** Latencies in milliseconds. */
export interface Latencies {
  rate: number
  p50: number
  p99: number
  p999: number
}

/** Latencies at a fixed rate of requests: see `load/pace.ts`. */
export const paced = (
  candidate: Candidate,
  cores: Cores,
  effort: Effort,
  rate: number,
  ask: Ask,
  expected: Expected,
): Promise<Latencies> =>
  withServer(candidate, cores, async (port) => {
    await check(candidate, port, ask, expected)
    const warm = await wrk(port, cores, effort.warmUp, ask)
    return pace(port, cores, affordable(effort.measure, rate, warm.requests), rate, ask, expected)
  })

/** Reads of products drawn at random, at a fixed rate. */
export interface Crowd {
  rate: number
  dataset: Dataset
  seed: number
}

/** Latencies at a fixed rate while a crowd reads, and the memory of the server before it and at most, in bytes. */
export const pacedBesideCrowd = (
  candidate: Candidate,
  cores: Cores,
  effort: Effort,
  rate: number,
  ask: Ask,
  expected: Expected,
  crowd: Crowd,
): Promise<Latencies & { idle: number; peak: number }> =>
  withServer(candidate, cores, async (port, { pid }) => {
    await check(candidate, port, ask, expected)
    await Bun.sleep(SETTLE_MS)
    const idle = residentBytes(pid)
    await pace(port, cores, effort.warmUp, rate, ask, expected, { ...crowd, seed: -crowd.seed })
    const latencies = await pace(port, cores, effort.measure, rate, ask, expected, crowd)
    await check(candidate, port, ask, expected)
    return { ...latencies, idle, peak: peakBytes(pid) }
  })

async function pace(
  port: number,
  cores: Cores,
  seconds: number,
  rate: number,
  ask: Ask,
  { body }: Expected,
  crowd?: Crowd,
): Promise<Latencies> {
  const request = join(scratch, `request-${port}`)
  writeFileSync(request, requestText(port, ask))
  const script = [process.execPath, join(import.meta.dir, 'pace.ts')]
  const measured = [port, Math.round(rate), seconds, request, Buffer.byteLength(body)]
  const beside = crowd ? [crowd.rate, crowd.dataset.teams, crowd.dataset.productsPerTeam, crowd.seed] : []
  const out = await run([...script, ...[...measured, ...beside].map(String)], { core: cores.load })
  return JSON.parse(out)
}
