import { writeCursor } from '../../../src/http/reading/addresses.ts'
import { bare, type Candidate, changelogd } from '../candidates.ts'
import { type Ask, Connection } from '../client.ts'
import { publicPath, versionOf } from '../data.ts'
import { atMost, compare, figure, median } from '../figures.ts'
import { askOnce, roundTrips, withServer } from '../measure.ts'
import { run } from '../processes.ts'
import { interleave } from '../turns.ts'
import type { Bench, Row } from './row.ts'

const ALL: Ask = { path: publicPath() }

/** Pages of the product by a number, another one for each: nearly all of it, or a hundred versions. */
const PAGES: Record<string, (number: number) => string> = {
  since: (number) => `since=${new Date(versionOf(number).publishedAt).toISOString()}`,
  after: (number) => `after=${versionOf(number).label}`,
  'limit=100': (number) => `limit=100&cursor=${writeCursor(versionOf(5_000 + number))}`,
}

/** How much of the time for a cold read they may take. */
const SHARES = { since: 0.2, after: 0.2, 'limit=100': 0.05 }

/** A product with many versions: all of it for the first time, and then pages that nobody has asked for before. */
export const LARGE: Row[] = [
  { name: 'cold', title: 'cold read of 10,000 versions', measure: coldReads },
  { name: 'large', title: 'new pages of 10,000 versions', measure: newPages },
]

/** Without the cache, on one connection; and the same for the query alone and for sending the bytes alone. */
async function coldReads(bench: Bench) {
  const { cores, effort } = bench
  const data = bench.data('large')
  const server = changelogd(data, { CACHE_MAX_BYTES: '0' })
  const answer = await askOnce(server, cores, ALL)
  const [warmUps, repeats] = [effort.coldReads, effort.coldReads]
  const reference = async () => {
    const script = [process.execPath, `${import.meta.dir}/../references/cold.ts`, data.path]
    const out = await run([...script, String(warmUps), String(repeats)], { core: cores.server })
    const { times, hash } = JSON.parse(out) as { times: number[]; hash: string }
    if (hash !== Bun.hash(answer.body).toString(36)) throw new Error('The reference reads something else.')
    return median(times)
  }
  const trip = (candidate: Candidate) => async () =>
    median(await roundTrips(candidate, cores, ALL, answer, warmUps, repeats))
  const samples = await interleave(bench, [
    { name: 'changelogd', measure: trip(server) },
    { name: 'bun:sqlite + JSON.stringify', measure: reference },
    { name: 'bare sending the bytes', measure: trip(bare(answer)) },
  ])
  const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
  const [, building = 0, sending = 0] = figures.map(({ median }) => median)
  figures.push(figure('building and sending', 'ms', [building + sending]))
  return {
    figures,
    comparisons: [compare(figures, 'changelogd', 'building and sending', atMost(1.3))],
    note: `From the request to the last byte of ${answer.body.length} over HTTP; the reference for building sends nothing.`,
  }
}

/** Each page once, by a server that has read all versions before. */
async function newPages(bench: Bench) {
  const { cores, effort } = bench
  const data = bench.data('large')
  const server = changelogd(data)
  const uncached = changelogd(data, { CACHE_MAX_BYTES: '0' })
  const answer = await askOnce(server, cores, ALL)
  for (const page of Object.values(PAGES)) await compareAnswers(bench, [server, uncached], page(1))

  const [warmUps, repeats] = [effort.coldReads, effort.coldReads]
  const trip = (candidate: Candidate) => async () =>
    median(await roundTrips(candidate, cores, ALL, answer, warmUps, repeats))
  const samples = await interleave(bench, [
    { name: 'cold', measure: trip(uncached) },
    ...Object.entries(PAGES).map(([name, page]) => ({
      name,
      measure: async () => median(await pageTimes(bench, server, page)),
    })),
    { name: 'bare sending all of it', measure: trip(bare(answer)) },
  ])
  const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
  return {
    figures,
    comparisons: Object.entries(SHARES).map(([name, share]) => compare(figures, name, 'cold', atMost(share))),
    note: 'One request at a time, each for a page that is not cached, after one for all versions. since and after: nearly all of them.',
  }
}

/** The milliseconds that each of many different pages takes, once all versions have been asked for. */
const pageTimes = ({ cores, effort }: Bench, candidate: Candidate, page: (number: number) => string) =>
  withServer(candidate, cores, async (port) => {
    const connection = await Connection.open(port)
    await connection.exchange(ALL)
    const times: number[] = []
    for (let number = 1; number <= 2 * effort.coldReads; number++) {
      const began = performance.now()
      await connection.exchange({ path: `${ALL.path}?${page(number)}` })
      if (number > effort.coldReads) times.push(performance.now() - began)
    }
    connection.close()
    return times
  })

/** Throws unless servers answer alike, each after a request for everything. */
async function compareAnswers({ cores }: Bench, candidates: Candidate[], query: string): Promise<void> {
  const bodies = candidates.map((candidate) =>
    withServer(candidate, cores, async (port) => {
      const connection = await Connection.open(port)
      await connection.exchange(ALL)
      const { status, body } = await connection.get({ path: `${ALL.path}?${query}` })
      connection.close()
      if (status !== 200) throw new Error(`${query} is answered with ${status}.`)
      return body
    }),
  )
  if (new Set(await Promise.all(bodies)).size > 1)
    throw new Error(`${query} is answered with another body when it is cut from the cached list.`)
}
