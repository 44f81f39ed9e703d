import { Database } from 'bun:sqlite'
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { Random } from '../../../../test/support/random.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { copyDatabase, Place } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'

const PAGE = 4_096
const PRODUCTS = 6

export default {
  name: 'corruption',
  how: 'Random pages of the database are overwritten with random bytes or zeros, or the end of the file is cut off. Then a server is started and everything is read, and `doctor` is run. Changed letters within a text are not tried: SQLite has no checksums and cannot notice them.',
  async run({ of }) {
    const corruptions = of(50, 8)
    const random = new Random()
    const right = new Tally(
      'A damaged database gives the right response, an error, or a server that does not start: never altered content',
    )
    const found = new Tally('`doctor` reports the damage, or every byte of the export is as before')
    await using place = new Place()
    const original = place.at('original.db')
    place.fill((seed) => {
      const team = seed.team('acme')
      for (let p = 0; p < PRODUCTS; p++) {
        const { changelogId } = seed.product(team, `app-${p}`)
        for (let n = 0; n < 60; n++)
          seed.version(changelogId, `1.${n}`, {
            publishedAt: 1_600_000_000_000 + n,
            changes: [{ type: 'added', title: `Change of ${p}.${n}` }],
          })
      }
    }, original)
    const db = new Database(original)
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const paths = Array.from({ length: PRODUCTS }, (_, p) => publicPath('acme', `app-${p}`)).flatMap(
      (path) => [path, `${path}?include=changes&limit=100`],
    )
    place.database = original
    const expected = await bodies(place, paths)
    const exported = await place.export()

    let unnoticed = 0
    let refused = 0
    for (let n = 0; n < corruptions; n++) {
      place.database = place.at(`damaged-${n}.db`)
      copyDatabase(original, place.database)
      const what = damage(place.database, random)
      const responses = await bodies(place, paths).catch(() => null)
      if (responses === null) refused++
      for (const [index, response] of (responses ?? []).entries())
        right.count(
          response === expected[index] || response === 503,
          () =>
            `${what}: ${paths[index]}: ${typeof response === 'number' ? response : `altered: ${response}`}`,
        )
      const doctor = await place.run(['doctor'], { killAfter: 20_000 })
      const after = await place.run(['export', '--all'])
      const same = after.status === 0 && after.stdout === exported
      if (same && doctor.status === 0) unnoticed++
      found.count(
        doctor.status === 1 || (same && doctor.status === 0),
        () => `${what}: doctor ${doctor.status}: ${doctor.stdout}`,
      )
    }
    return [
      right.row(`${corruptions} corruptions; ${refused} times the server did not start`),
      found.row(`${unnoticed} hit a part of the file that is not in use`),
    ]
  },
} satisfies Case

/** What a server over the database answers: the body of a 200, else the status (0 without a response). */
async function bodies(place: Place, paths: readonly string[]): Promise<(string | number)[]> {
  const server = await place.serve()
  const responses: (string | number)[] = []
  for (const path of paths) {
    const response = await getOnce(server.port, path)
    responses.push(response?.status === 200 ? response.body : (response?.status ?? 0))
  }
  await server.stop('SIGKILL')
  return responses
}

/** Damages the file, and says how. */
function damage(database: string, random: Random): string {
  const pages = statSync(database).size / PAGE
  if (random.below(5) === 0) {
    const left = 1 + random.below(pages - 1)
    truncateSync(database, left * PAGE)
    return `cut after page ${left} of ${pages}`
  }
  const page = random.below(pages)
  const zeros = random.below(2) === 0
  const file = openSync(database, 'r+')
  writeSync(file, zeros ? new Uint8Array(PAGE) : random.bytes(PAGE), 0, PAGE, page * PAGE)
  closeSync(file)
  return `${zeros ? 'zeros' : 'random bytes'} in page ${page + 1} of ${pages}`
}
