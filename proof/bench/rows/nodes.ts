import { join } from 'node:path'
import { Engine } from '../../../test/support/postgres/engine.ts'
import { startRedis } from '../../../test/support/redis.ts'
import { type Candidate, changelogd, transaction } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { type Dataset, publicPath } from '../data.ts'
import { atLeast, atMost, compare, figure, median } from '../figures.ts'
import { askOnce, roundTrips, throughput } from '../measure.ts'
import { PROGRAM, run, scratch } from '../processes.ts'
import { interleave, rateFigures, rates } from '../turns.ts'
import type { Bench, Row } from './row.ts'

const PUBLIC: Ask = { path: publicPath() }

/** What several nodes cost: PostgreSQL instead of SQLite, and Redis for the limit. Both are on the core of the load. */
export const NODES: Row[] = [
  { name: 'postgres', title: 'public changelog, cached, 20 versions, on PostgreSQL', measure: hotRead },
  { name: 'postgres-cold', title: 'the same without the cache, on one connection', measure: coldRead },
  { name: 'redis', title: 'public changelog, cached, the limit in Redis', measure: withRedis },
]

async function hotRead(bench: Bench) {
  const data = bench.data('small')
  await using engine = await filledEngine(bench, data)
  const answer = await askOnce(changelogd(data), bench.cores, PUBLIC)
  const figures = await rates(bench, PUBLIC, answer, [
    named('SQLite', changelogd(data)),
    named('PostgreSQL', changelogd(data, { DATABASE_URL: engine.address() })),
  ])
  return { figures, comparisons: [compare(figures, 'PostgreSQL', 'SQLite', atLeast(0.95))] }
}

async function coldRead(bench: Bench) {
  const { cores, effort } = bench
  const data = bench.data('small')
  await using engine = await filledEngine(bench, data)
  const server = changelogd(data, { DATABASE_URL: engine.address(), CACHE_MAX_BYTES: '0' })
  const answer = await askOnce(server, cores, PUBLIC)
  // Before some thousand requests the compiler of the engine has not seen the code often enough.
  const [warmUps, repeats] = [100 * effort.coldReads, 50 * effort.coldReads]
  const address = engine.address()
  const candidates = [server, transaction(address, 'plain'), transaction(address, 'pipelined')]
  const samples = await interleave(
    bench,
    candidates.map((candidate) => ({
      name: candidate.name,
      measure: async () => median(await roundTrips(candidate, cores, PUBLIC, answer, warmUps, repeats)),
    })),
  )
  const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
  return {
    figures,
    comparisons: [
      compare(figures, 'changelogd', 'plain', atMost(1.3)),
      compare(figures, 'changelogd', 'pipelined', null),
    ],
    note: 'From the request to the last byte. The references are bare fetch handlers that run the same transaction by the bare client and serialize its rows: plain by sql.begin, pipelined in as few round trips as changelogd.',
  }
}

async function withRedis(bench: Bench) {
  const { cores, effort } = bench
  const data = bench.data('small')
  await using redis = await startRedis()
  const alone = named('own buckets', changelogd(data))
  const shared = named('buckets in Redis', changelogd(data, { RATE_LIMIT_URL: redis.url }))
  const answer = await askOnce(alone, cores, PUBLIC)
  const samples = await interleave(
    bench,
    [alone, shared].map((candidate) => ({
      name: candidate.name,
      measure: async () => {
        // Otherwise the bucket of the last round would still be empty.
        await redis.send('FLUSHALL')
        return throughput(candidate, cores, effort, PUBLIC, answer)
      },
    })),
  )
  const figures = rateFigures(samples)
  return { figures, comparisons: [compare(figures, 'buckets in Redis', 'own buckets', null)] }
}

const named = (name: string, candidate: Candidate): Candidate => ({ ...candidate, name })

/** A PostgreSQL with the same content as a database of SQLite. */
async function filledEngine({ cores }: Bench, { path }: Dataset): Promise<Engine> {
  const engine = await Engine.start()
  const program = PROGRAM
  const file = join(scratch, 'everything.jsonl')
  await run([program, 'export', '--all', '--output', file, '--db', path], { core: cores.load })
  const env = { DATABASE_URL: engine.address() }
  await run([program, 'import', '--all', file], { core: cores.load, env })
  return engine
}
