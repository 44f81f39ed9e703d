import { Engine } from '../../../../test/support/postgres/engine.ts'
import { Random } from '../../../../test/support/random.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { BACK_MS, Judge } from '../../support/nodes/judge.ts'
import { fillEngine, NODES, startNodes, untilReady } from '../../support/nodes/nodes.ts'
import { startReaders } from '../../support/nodes/readers.ts'
import { Writer } from '../../support/nodes/writer.ts'
import { Place } from '../../support/place.ts'

interface Outages {
  times: number
  takeAway(engine: Engine): Promise<void> | void
  giveBack(engine: Engine): Promise<void> | void
  /** How long it is away, in milliseconds. */
  time(random: Random): number
}

/** Every other time the writer pauses first, so that each node has the latest state cached; otherwise it writes on. */
async function outages({ times, takeAway, giveBack, time }: Outages): Promise<Row[]> {
  const random = new Random()
  const back = new Tally(
    'All nodes work again within five seconds of the return of the engine, without a restart',
  )
  await using engine = await Engine.start()
  await using place = new Place()
  const address = engine.address()
  const token = await fillEngine(place, address)
  const nodes = await startNodes(place, Array(NODES).fill(address))
  const writer = new Writer(address)
  const judge = new Judge(writer)
  /** What each node last showed from its cache. */
  const shown: (number | null)[] = []
  const readers = startReaders(nodes, token, (seen) => {
    if (seen.kind === 'cached') shown[seen.node] = seen.state
    judge.see(seen)
  })
  let slowest = 0
  for (let round = 0; round < times; round++) {
    await until(() => writer.committed > 0 && shown.length === NODES)
    await Bun.sleep(200 + random.below(300))
    const isQuiet = round % 2 === 0
    if (isQuiet) {
      writer.pause()
      await Bun.sleep(100)
      await until(() => shown.every((state) => state === writer.committed))
      await Bun.sleep(100)
    }
    judge.begin(isQuiet)
    await takeAway(engine)
    judge.confirm()
    await Bun.sleep(time(random))
    judge.return()
    await giveBack(engine)
    judge.end()
    writer.resume()
    const took = await untilReady(nodes)
    slowest = Math.max(slowest, took)
    back.count(took < BACK_MS, () => `${took.toFixed(0)} ms`)
    await Bun.sleep(BACK_MS - Math.min(took, BACK_MS) + 500)
  }
  await readers.stop()
  await writer.stop()
  return [...judge.rows(true), back.row(`${times} times; at most ${slowest.toFixed(0)} ms`)]
}

export const engineKill = {
  name: 'engine-kill',
  how: 'All processes of PostgreSQL are killed with SIGKILL while clients read and a program writes, and it is started again after up to two seconds. Every other time the program pauses before.',
  run: ({ of }) =>
    outages({
      times: of(50, 4),
      takeAway: (engine) => engine.kill(),
      giveBack: (engine) => engine.start(),
      time: (random) => random.below(2_000),
    }),
} satisfies Case

export const engineStop = {
  name: 'engine-stop',
  how: 'All processes of PostgreSQL are stopped with SIGSTOP for 20 seconds, as on a machine that hangs: connections stay open, and nothing answers.',
  run: ({ of }) =>
    outages({
      times: of(10, 2),
      takeAway: (engine) => engine.freeze(),
      giveBack: (engine) => engine.thaw(),
      time: () => of(20_000, 4_000),
    }),
} satisfies Case
