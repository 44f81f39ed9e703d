import { type Case, Tally } from '../../support/case.ts'
import { startLoad } from '../../support/load.ts'
import { Place, type Server } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'
import { fillWritten, startWriter, stateOf, WRITTEN } from '../../support/written.ts'

export default {
  name: 'backups',
  how: 'Backups are made while a program writes and clients read. Each is restored into another directory, and the exports are compared. Then backups are restored over the database of a running server while clients read.',
  async run({ of }) {
    const calm = new Tally(
      'While others write, back up and restore, the server never takes its database for lost',
    )
    return [...(await backups(of(15, 2), calm)), await restores(of(15, 3), calm), calm.row('')]
  },
} satisfies Case

/** Ends a server, and counts whether it has reported anything. */
async function end(server: Server, calm: Tally): Promise<void> {
  await server.stop()
  calm.count(server.errors.length === 0, () => server.errors.join(' '))
}

async function backups(count: number, calm: Tally) {
  const same = new Tally('A backup restored elsewhere exports the same bytes as the backup itself')
  const state = new Tally('A backup is one state of the data, not older than the command')
  await using place = new Place()
  await using elsewhere = new Place()
  const writer = await startWriter(place, 3)
  const server = await place.serve()
  const load = startLoad(server.port, WRITTEN, 3, () => {}, { before: () => null })
  for (let n = 0; n < count; n++) {
    const file = place.at(`backup-${n}.db`)
    const before = writer.committed
    await place.must('backup', file)
    elsewhere.database = elsewhere.at(`restored-${n}.db`)
    await elsewhere.must('restore', file, '--yes')
    same.count((await place.export(file)) === (await elsewhere.export()), () => `backup ${n} differs`)
    const copy = await elsewhere.serve()
    const response = await getOnce(copy.port, WRITTEN)
    const seen = response?.status === 200 ? stateOf(response) : null
    state.count(seen !== null && seen >= before, () => `state ${seen}, committed ${before}`)
    await copy.stop()
  }
  await load.stop()
  await end(server, calm)
  await writer.kill()
  return [same.row(`${load.responses} reads and ${writer.committed} commits meanwhile`), state.row('')]
}

async function restores(count: number, calm: Tally) {
  const tally = new Tally(
    'While a backup is restored, clients see the old state or the restored one, and after it only that',
  )
  await using place = new Place()
  const files = [1, 2].map((state) => {
    const file = place.at(`state-${state}.db`)
    place.fill((seed) => fillWritten(seed, state), file)
    return file
  })
  await place.must('restore', files[0] as string, '--yes')
  const server = await place.serve()
  /** The states that may be seen at the moment. */
  let allowed = [1]
  const load = startLoad(
    server.port,
    WRITTEN,
    4,
    (response, before) => {
      const state = response.status === 200 ? stateOf(response) : null
      tally.count(
        state !== null && (before.includes(state) || allowed.includes(state)),
        () => `status ${response.status}, state ${state}, allowed ${before}`,
      )
    },
    { before: () => allowed, onLost: (error) => tally.count(false, () => error.message) },
  )
  for (let n = 0; n < count; n++) {
    const next = n % 2 === 0 ? 2 : 1
    allowed = [1, 2]
    await place.must('restore', files[next - 1] as string, '--yes')
    allowed = [next]
    await Bun.sleep(100)
  }
  await load.stop()
  await end(server, calm)
  return tally.row(`${count} restores under ${load.responses} reads`)
}
