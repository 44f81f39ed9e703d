import { until } from '../../../../test/support/until.ts'
import type { Place, Server } from '../place.ts'
import { getOnce } from '../socket.ts'
import { fillWritten } from '../written.ts'

export const NODES = 3

/** Fills a database with the product that is written, and gives the token of a key for it. */
export async function fillEngine(place: Place, address: string): Promise<string> {
  const token = place.fill((seed) => seed.key(fillWritten(seed, 0).teamId).token)
  const file = place.at('everything.jsonl')
  await place.must('export', '--all', '--output', file)
  const { status, stderr } = await place.run(['import', '--all', file], { env: { DATABASE_URL: address } })
  if (status !== 0) throw new Error(stderr)
  return token
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
