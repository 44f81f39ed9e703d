import { Engine } from '../../../../test/support/postgres/engine.ts'
import { proxyTo } from '../../../../test/support/postgres/proxy.ts'
import { Random } from '../../../../test/support/random.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, Tally } from '../../support/case.ts'
import { BACK_MS, Judge } from '../../support/nodes/judge.ts'
import { fillEngine, NODES, startNodes, untilReady } from '../../support/nodes/nodes.ts'
import { startReaders } from '../../support/nodes/readers.ts'
import { Writer } from '../../support/nodes/writer.ts'
import { Place, type Server } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'
import { stateOf, WRITTEN } from '../../support/written.ts'

/** A second, and what the replay takes. */
const REPLAYED_MS = 1_100

export const cut = {
  name: 'cut',
  how: 'The nodes reach PostgreSQL through an address whose connections are all cut at random moments, several times a second, while clients read and a program writes.',
  async run({ of }) {
    await using engine = await Engine.start()
    await using place = new Place()
    using proxy = await proxyTo(engine.address())
    const token = await fillEngine(place, engine.address())
    const nodes = await startNodes(place, Array(NODES).fill(proxy.address))
    const writer = new Writer(engine.address())
    const judge = new Judge(writer)
    const readers = startReaders(nodes, token, judge.see)
    const random = new Random()
    const cuts = of(200, 15)
    judge.begin(false)
    for (let time = 0; time < cuts; time++) {
      await Bun.sleep(random.below(600))
      await proxy.cut()
      await proxy.resume()
    }
    judge.return()
    judge.end()
    const took = await untilReady(nodes)
    await Bun.sleep(BACK_MS + 500)
    await readers.stop()
    await writer.stop()
    const back = new Tally('All nodes work again within five seconds of the last cut, without a restart')
    back.count(took < BACK_MS, () => `${took.toFixed(0)} ms`)
    return [...judge.rows(false), back.row(`${cuts} cuts; ${took.toFixed(0)} ms`)]
  },
} satisfies Case

export const promotion = {
  name: 'promotion',
  how: 'Two nodes reach the primary through an address that moves, one reads from its hot standby. The primary is killed while a program writes, the standby is promoted, and the address moves to it. A standby is made from a copy of the files of the primary.',
  async run({ of }) {
    const rounds = of(5, 1)
    const tallies: Tallies = {
      fresh: new Tally('A node on a hot standby shows a commit within a second of its replay'),
      right: new Tally('While the standby is promoted, every request gets a whole state or a 503'),
      back: new Tally(
        'Within five seconds of the promotion every node shows what is written to the new primary, without a restart',
      ),
    }
    let slowest = 0
    for (let round = 0; round < rounds; round++)
      slowest = Math.max(slowest, await promoteOnce(tallies, of(20, 3)))
    return [
      tallies.fresh.row('the standby replays on the same machine, within milliseconds'),
      tallies.right.row(''),
      tallies.back.row(`${rounds} promotions; at most ${slowest.toFixed(0)} ms`),
    ]
  },
} satisfies Case

interface Tallies {
  fresh: Tally
  right: Tally
  back: Tally
}

/** Gives how long it took until every node showed what is written to the new primary, in milliseconds. */
async function promoteOnce({ fresh, right, back }: Tallies, reads: number): Promise<number> {
  await using primary = await Engine.start()
  await using place = new Place()
  const token = await fillEngine(place, primary.address())
  await using standby = await primary.standby()
  using proxy = await proxyTo(primary.address())
  const nodes = await startNodes(place, [proxy.address, proxy.address, standby.address()])
  const writer = new Writer(proxy.address)
  const readers = startReaders(nodes, token, ({ kind, node, status, state }) => {
    const isKept = status === 503 || (status === 200 && state !== null)
    right.count(isKept, () => `${kind}, node ${node}: status ${status}, state ${state}`)
  })
  await until(() => writer.committed > 0)
  for (let read = 0; read < reads; read++) {
    const known = writer.committed
    await Bun.sleep(REPLAYED_MS)
    const state = await stateAt(nodes[2] as Server)
    fresh.count(state !== null && state >= known, () => `state ${state} of ${known}`)
  }
  const losses = writer.losses
  await primary.kill()
  await standby.promote()
  await until(() => writer.losses > losses)
  proxy.lead(standby.port)
  const began = performance.now()
  // The standby may not have had the last commits, so the numbers may begin again at a lower one.
  const connections = writer.connections
  await until(() => writer.connections > connections)
  const known = writer.committed
  await until(() => writer.committed > known)
  const target = writer.committed
  const isShown = (state: number | null) => state !== null && state >= target
  await until(async () => (await Promise.all(nodes.map(stateAt))).every(isShown))
  const took = performance.now() - began
  back.count(took < BACK_MS, () => `${took.toFixed(0)} ms`)
  await readers.stop()
  await writer.stop()
  return took
}

async function stateAt({ port }: Server): Promise<number | null> {
  const response = await getOnce(port, WRITTEN)
  return response?.status === 200 ? stateOf(response) : null
}
