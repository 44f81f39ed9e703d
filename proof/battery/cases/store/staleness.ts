import { bearer, keyedPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { startLoad } from '../../support/load.ts'
import { Place } from '../../support/place.ts'
import { getOnce, RawConnection } from '../../support/socket.ts'
import { startWriter, stateOf, WRITTEN } from '../../support/written.ts'

export default {
  name: 'staleness',
  how: 'A program commits a numbered state again and again while clients read over connections that stay open and over new ones. A request that is sent after a commit must show it. API keys are disabled and used at once.',
  run: async (effort) => [...(await reads(effort)), await keys(effort)],
} satisfies Case

async function reads({ of }: Effort): Promise<Row[]> {
  await using place = new Place()
  const writer = await startWriter(place, 1)
  const server = await place.serve()
  const paths = ['', '?limit=50', '?include=changes&limit=50']
  const kinds = [
    { renew: false, tally: new Tally('No response over an open connection is older than the last commit') },
    { renew: true, tally: new Tally('No response over a new connection is older than the last commit') },
  ]
  const from = writer.committed
  const loads = kinds.flatMap(({ renew, tally }) =>
    paths.map((query) =>
      startLoad(
        server.port,
        WRITTEN + query,
        2,
        (response, before) => {
          const state = response.status === 200 ? stateOf(response) : null
          tally.count(
            state !== null && state >= before,
            () => `status ${response.status}: state ${state}, committed ${before}`,
          )
        },
        { before: () => writer.committed, renew, onLost: (error) => tally.count(false, () => error.message) },
      ),
    ),
  )
  await Bun.sleep(of(30_000, 3_000))
  await Promise.all(loads.map((load) => load.stop()))
  const commits = writer.committed - from
  return kinds.map(({ tally }) => tally.row(`${commits} commits meanwhile`))
}

async function keys({ of }: Effort): Promise<Row> {
  const tally = new Tally(
    'A key is refused by the first request after it was disabled, and accepted after it was enabled',
  )
  await using place = new Place()
  const { id, token } = place.fill((seed) => {
    const team = seed.team('acme')
    seed.product(team, 'app')
    return seed.key(team)
  })
  const server = await place.serve()
  const path = keyedPath('acme', 'app')
  using open = await RawConnection.open(server.port)
  for (let round = 0; round < of(25, 3); round++)
    for (const [verb, expected] of [
      ['enable', 200],
      ['disable', 401],
    ] as const) {
      await place.must('key', verb, id)
      const old = (await open.get(path, bearer(token))).status
      const fresh = (await getOnce(server.port, path, bearer(token)))?.status
      tally.count(old === expected && fresh === expected, () => `${verb}: ${old} and ${fresh}`)
    }
  return tally.row('over an open connection and a new one')
}
