import { Random } from '../../../../test/support/random.ts'
import { type Case, Tally } from '../../support/case.ts'
import { startLoad } from '../../support/load.ts'
import { Place } from '../../support/place.ts'
import { RawConnection } from '../../support/socket.ts'
import { startWriter, stateOf, WRITTEN } from '../../support/written.ts'

const LONGEST_MS = 250

export default {
  name: 'server-kill',
  how: 'The server is killed with SIGKILL at random moments while clients read and a program writes, every third time together with the writer, and started again.',
  async run({ of }) {
    const kills = of(40, 5)
    const random = new Random()
    const right = new Tally('No response is wrong, before a kill or after it')
    const whole = new Tally('The database is whole after a kill of the server')
    await using place = new Place()
    let writer = await startWriter(place, 2)
    let slowest = 0
    let responses = 0
    for (let kill = 0; kill < kills; kill++) {
      const began = performance.now()
      const server = await place.serve()
      using first = await RawConnection.open(server.port)
      const known = writer.committed
      const state = stateOf(await first.get(WRITTEN))
      slowest = Math.max(slowest, performance.now() - began)
      right.count(
        state !== null && state >= known,
        () => `after kill ${kill}: state ${state}, committed ${known}`,
      )
      const load = startLoad(
        server.port,
        WRITTEN,
        4,
        (response, before) => {
          const seen = response.status === 200 ? stateOf(response) : null
          right.count(
            seen !== null && seen >= before,
            () => `status ${response.status}, state ${seen} of ${before}`,
          )
        },
        { before: () => writer.committed },
      )
      await Bun.sleep(20 + random.below(LONGEST_MS))
      await Promise.all([server.stop('SIGKILL'), ...(kill % 3 === 2 ? [writer.kill()] : [])])
      await load.stop()
      responses += load.responses
      whole.count(place.isWhole(), () => `damaged after kill ${kill}`)
      if (kill % 3 === 2) writer = await startWriter(place, 2)
    }
    await writer.kill()
    return [
      right.row(`${responses} responses; from start to first response at most ${slowest.toFixed(0)} ms`),
      whole.row(`${kills} kills`),
    ]
  },
} satisfies Case
