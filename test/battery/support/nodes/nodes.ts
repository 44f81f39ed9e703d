import { type Cluster, startCluster } from '../../../support/postgres/cluster.ts'
import { until } from '../../../support/until.ts'
import type { Place, Server } from '../place.ts'
import { getOnce } from '../socket.ts'
import { fillWritten } from '../written.ts'

export const NODES = 3

/** The database that every cluster has. */
export const DATABASE = 'postgres'

/** A PostgreSQL with the product that is written, and the token of a key for it. */
export async function startEngine(place: Place): Promise<{ engine: Cluster; token: string }> {
  const engine = await startCluster({ isDurable: true })
  const token = place.fill((seed) => seed.key(fillWritten(seed, 0).teamId).token)
  const file = place.at('everything.jsonl')
  await place.must('export', '--all', '--output', file)
  const env = { DATABASE_URL: engine.at(DATABASE) }
  const { status, stderr } = await place.run(['import', '--all', file], { env })
  if (status !== 0) throw new Error(stderr)
  return { engine, token }
}

/** Starts nodes on a database, one for each address, all of them ready. */
export function startNodes(place: Place, addresses: readonly string[]): Promise<Server[]> {
  return Promise.all(addresses.map((address) => place.serve({ DATABASE_URL: address })))
}

/** Resolves when the engine answers on every node, and gives how long that took, in milliseconds. */
export async function untilReady(nodes: readonly Server[]): Promise<number> {
  const began = performance.now()
  await until(async () => {
    const statuses = await Promise.all(nodes.map(({ port }) => getOnce(port, '/readyz')))
    return statuses.every((response) => response?.status === 200)
  })
  return performance.now() - began
}
