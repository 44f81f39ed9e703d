import { type Redis, startRedis } from '../../../../test/support/redis.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place, type Server } from '../../support/place.ts'
import { RawConnection } from '../../support/socket.ts'

const BURST = 60
const NODES = 3
const CONNECTIONS = 8
const path = publicPath('acme', 'app')
/** A response that takes longer counts as hanging. */
const SLOWEST_MS = 1_000

export default {
  name: 'shared-limit',
  how: `${NODES} nodes share their limit in Redis. One client sends far more than it allows to all of them at once; then Redis is killed, and stopped, while clients read.`,
  async run(effort) {
    await using redis = await startRedis()
    await using place = new Place()
    place.fill((seed) => seed.product(seed.team('acme'), 'app'))
    const nodes: Server[] = []
    while (nodes.length < NODES)
      nodes.push(
        await place.serve({
          RATE_LIMIT_URL: redis.url,
          RATE_LIMIT_BURST: String(BURST),
          RATE_LIMIT_PER_MINUTE: '1',
          TRUSTED_PROXIES: '127.0.0.1',
        }),
      )
    return [
      await exact(nodes, effort.of(50, 3)),
      ...(await losses(nodes, redis, 'killed', effort)),
      ...(await losses(nodes, redis, 'stopped', effort)),
    ]
  },
} satisfies Case

let clients = 0
const newClient = (): string => `10.${(++clients >>> 16) & 255}.${(clients >>> 8) & 255}.${clients & 255}`

/**
 * How many of many requests at once the nodes allow one client, or null if Redis was late for one of them: then that node
 * counted by itself.
 */
async function allowed(nodes: readonly Server[]): Promise<number | null> {
  await until(() => isShared(nodes))
  const before = lossesOf(nodes)
  const client = newClient()
  const statuses = await Promise.all(
    Array.from({ length: BURST * NODES }, (_, n) =>
      statusOf(nodes[n % NODES], path, { 'X-Forwarded-For': client }),
    ),
  )
  // What a node has logged before its last response has arrived once it has answered another request.
  await Promise.all(nodes.map((node) => statusOf(node, '/livez')))
  return lossesOf(nodes) > before ? null : statuses.filter((status) => status !== 429).length
}

async function statusOf(node: Server | undefined, target: string, headers: Record<string, string> = {}) {
  using connection = await RawConnection.open(node?.port ?? 0)
  return (await connection.get(target, headers)).status
}

const lossesOf = (nodes: readonly Server[]): number =>
  nodes.flatMap(({ errors }) => errors).filter((line) => line.includes('each server has its own rate limit'))
    .length

async function exact(nodes: readonly Server[], rounds: number): Promise<Row> {
  const tally = new Tally(`${NODES} nodes allow one client exactly its burst while Redis answers`)
  let late = 0
  while (tally.tried < rounds) {
    const count = await allowed(nodes)
    if (count === null) late++
    else tally.count(count === BURST, () => `${count} of ${BURST}`)
  }
  const note = late === 0 ? '' : `; Redis was late in ${late} more rounds, which do not count`
  return tally.row(`${BURST * NODES} requests at once to ${NODES} nodes, ${BURST} allowed${note}`)
}

/** Whether every node has Redis back. */
const isShared = (nodes: readonly Server[]): boolean =>
  nodes.every(
    ({ errors }) => errors.length === 0 || errors.at(-1)?.includes('All servers share the rate limit'),
  )

async function losses(
  nodes: readonly Server[],
  redis: Redis,
  how: 'killed' | 'stopped',
  { of }: Effort,
): Promise<Row[]> {
  const times = of(20, 2)
  const served = new Tally(
    `While Redis is ${how} and comes back, every request is answered as by one node, at once`,
  )
  const back = new Tally(`After Redis was ${how}, the limit over all nodes is exact again`)
  const waits: number[] = []
  let slowestReturn = 0
  let isEnding = false
  const load = nodes.flatMap(({ port }) =>
    Array.from({ length: CONNECTIONS }, async () => {
      using connection = await RawConnection.open(port)
      while (!isEnding) {
        const began = performance.now()
        const { status } = await connection.get(path, { 'X-Forwarded-For': newClient() })
        const took = performance.now() - began
        waits.push(took)
        served.count(
          status === 200 && took < SLOWEST_MS,
          () => `status ${status} after ${took.toFixed(0)} ms`,
        )
      }
    }),
  )
  for (let time = 0; time < times; time++) {
    await Bun.sleep(of(500, 200))
    if (how === 'killed') await redis.kill()
    else redis.stop()
    await until(() =>
      nodes.every(({ errors }) => errors.at(-1)?.includes('each server has its own rate limit')),
    )
    await Bun.sleep(of(1_000, 200))
    if (how === 'killed') await redis.start()
    else redis.resume()
    const began = performance.now()
    await until(() => isShared(nodes))
    slowestReturn = Math.max(slowestReturn, performance.now() - began)
  }
  isEnding = true
  await Promise.all(load)
  const count = await allowed(nodes)
  back.count(count === BURST || count === null, () => `${count} of ${BURST}`)
  waits.sort((a, b) => a - b)
  const slowest = waits.at(-1) ?? 0
  const p999 = waits[Math.floor(waits.length * 0.999)] ?? 0
  return [
    served.row(`${times} times; 99.9 % within ${p999.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`),
    back.row(`all nodes had it back after ${slowestReturn.toFixed(0)} ms at most`),
  ]
}
