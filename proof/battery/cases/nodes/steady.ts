import { Engine } from '../../../../test/support/postgres/engine.ts'
import { bearer, keyedPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Judge } from '../../support/nodes/judge.ts'
import { fillEngine, NODES, startNodes } from '../../support/nodes/nodes.ts'
import { startReaders } from '../../support/nodes/readers.ts'
import { Writer } from '../../support/nodes/writer.ts'
import { Place, type Server } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'

export default {
  name: 'steady',
  how: `${NODES} nodes serve one PostgreSQL for ten minutes, while a program commits a numbered state again and again and clients read from all nodes: cached, past the cache and with a key. How old a response is counts from the commit of the next state to the moment the request was sent. Then keys are disabled.`,
  async run(effort) {
    await using engine = await Engine.start()
    await using place = new Place()
    const address = engine.address()
    const token = await fillEngine(place, address)
    const nodes = await startNodes(place, Array(NODES).fill(address))
    const writer = new Writer(address)
    const judge = new Judge(writer)
    const readers = startReaders(nodes, token, judge.see)
    await Bun.sleep(effort.of(600_000, 8_000))
    await readers.stop()
    await writer.stop()
    const [right, ...rest] = judge.rows(false)
    if (right) right.figure += `; ${writer.committed} commits`
    return [...(right ? [right] : []), ...rest, await keys(place, nodes, address, effort)]
  },
} satisfies Case

async function keys(place: Place, nodes: readonly Server[], address: string, { of }: Effort): Promise<Row> {
  const tally = new Tally('A key that was disabled is refused by every node within a second')
  const env = { DATABASE_URL: address }
  const path = keyedPath('written', 'app')
  let slowest = 0
  for (let round = 0; round < of(30, 3); round++) {
    const created = await place.run(['key', 'create', 'written', '--json'], { env })
    const { id, token } = JSON.parse(created.stdout) as { id: string; token: string }
    const statuses = () =>
      Promise.all(nodes.map(async ({ port }) => (await getOnce(port, path, bearer(token)))?.status))
    const warm = await statuses()
    await place.run(['key', 'disable', id], { env })
    const began = performance.now()
    let seen = await statuses()
    while (seen.some((status) => status !== 401) && performance.now() - began < 5_000) seen = await statuses()
    const took = performance.now() - began
    slowest = Math.max(slowest, took)
    tally.count(
      took < 1_000 && warm.every((status) => status === 200),
      () => `${warm}, then ${seen} after ${took.toFixed(0)} ms`,
    )
  }
  return tally.row(`all nodes refused it at most ${slowest.toFixed(0)} ms after the command had ended`)
}
