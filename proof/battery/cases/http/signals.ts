import { Random } from '../../../../test/support/random.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const CONNECTIONS = 12
const path = publicPath('acme', 'app')

export default {
  name: 'signals',
  how: `The server gets SIGTERM or SIGINT at random moments while ${CONNECTIONS} clients read large responses, each one after another. Every request must be answered, until a response tells its client to leave, and the server must end with status 0.`,
  run: async ({ of }) => [await signalled('SIGTERM', of(12, 2)), await signalled('SIGINT', of(12, 2))],
} satisfies Case

async function signalled(signal: NodeJS.Signals, rounds: number): Promise<Row> {
  const tally = new Tally(
    `On ${signal} every request on a busy connection is answered, and the server ends with status 0`,
  )
  const random = new Random()
  await using place = new Place()
  place.fill((seed) => {
    const { changelogId } = seed.product(seed.team('acme'), 'app')
    for (let n = 0; n < 1_000; n++) seed.version(changelogId, `1.${n}`)
  })
  let complete = 0
  for (let round = 0; round < rounds; round++) {
    const server = await place.serve()
    const read = async () => {
      using connection = await RawConnection.open(server.port)
      for (;;)
        try {
          const { headers } = await connection.send(request(path))
          complete++
          if (headers.get('connection') === 'close') return
        } catch {
          tally.count(false, () => `closed after ${connection.rest.length} bytes of a response`)
          return
        }
    }
    const reading = Promise.all(Array.from({ length: CONNECTIONS }, read))
    await Bun.sleep(100 + random.below(150))
    const status = await server.stop(signal)
    await reading
    tally.count(status === 0, () => `the server ended with status ${status}`)
  }
  return tally.row(`${rounds} stops; ${complete} responses complete`)
}
