import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const hot = publicPath('acme', 'hot')
const large = publicPath('acme', 'large')
/** How long another client may wait at most, on a machine that is busy with the slow ones as well. */
const LONGEST_MS = 500

export default {
  name: 'slow-clients',
  how: 'Hundreds of clients send their request a byte at a time, or do not read the large response they asked for, while another client reads on.',
  async run({ of }) {
    await using place = new Place()
    place.fill((seed) => {
      const team = seed.team('acme')
      seed.product(team, 'hot')
      const { changelogId } = seed.product(team, 'large')
      for (let n = 0; n < 3_000; n++) seed.version(changelogId, `1.${n}`)
    })
    const { port } = await place.serve()
    const clients = of(300, 50)
    const seconds = of(10, 2)
    return [
      await beside(port, 'send a byte at a time', clients, seconds, dribble),
      await beside(port, 'do not read their response', clients, seconds, ignore),
    ]
  },
} satisfies Case

type Slow = (connection: RawConnection) => () => void

/** Reads while slow clients are connected. */
async function beside(
  port: number,
  what: string,
  clients: number,
  seconds: number,
  slow: Slow,
): Promise<Row> {
  const tally = new Tally(
    `Clients that ${what} do not hold up others: every response within ${LONGEST_MS} ms`,
  )
  const connections = await Promise.all(Array.from({ length: clients }, () => RawConnection.open(port)))
  const stops = connections.map(slow)
  // The first moment is spent on the large responses themselves.
  await Bun.sleep(1_000)
  const reader = await startHotReader(port, hot)
  await Bun.sleep(seconds * 1000)
  const { times } = await reader.stop()
  for (const time of times) tally.count(time <= LONGEST_MS, () => `a response after ${time.toFixed(0)} ms`)
  for (const stop of stops) stop()
  for (const connection of connections) connection.close()
  return tally.row(`${clients} slow clients; slowest response ${Math.max(...times).toFixed(1)} ms`)
}

const dribble: Slow = (connection) => {
  const text = request(hot)
  let at = 0
  const timer = setInterval(() => connection.write(text[at++ % text.length] as string), 50)
  return () => clearInterval(timer)
}

const ignore: Slow = (connection) => {
  connection.socket.pause()
  connection.write(request(large).repeat(5))
  return () => {}
}
