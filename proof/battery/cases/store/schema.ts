import { Database } from 'bun:sqlite'
import { Random } from '../../../../test/support/random.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { copyDatabase, Place } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'

const PATH = publicPath('acme', 'app')
const PATHS = [PATH, `${PATH}?include=changes&limit=100`, `${PATH}?from=1.3&to=1.20`]

const FOREIGN = [
  'CREATE TABLE stranger (id TEXT)',
  'CREATE INDEX stranger ON version (title)',
  'CREATE TRIGGER stranger AFTER UPDATE ON team BEGIN DELETE FROM team; END',
  'CREATE VIEW stranger AS SELECT * FROM version',
]

export default {
  name: 'schema',
  how: 'Some of the indexes and triggers of a database are dropped, and versions are written without them, beside a running server. `doctor` must name what is missing, and its remedy must bring back all of it, and the responses and counts that follow from it. Copies with a table, an index, a trigger or a view of others are restored and verified.',
  async run({ of }) {
    const random = new Random()
    const named = new Tally('`doctor` finds an index or a trigger missing, whichever it is')
    const mended = new Tally('The remedy that `doctor` names mends the schema under a running server')
    const right = new Tally('After the remedy, responses are those of a database that lost nothing')
    const refused = new Tally(
      'A copy with a part that is not changelogd’s is refused, by the name of the part',
    )
    await using place = new Place()
    const original = place.at('original.db')
    place.fill((seed) => {
      const { changelogId } = seed.product(seed.team('acme'), 'app')
      for (let n = 0; n < 60; n++)
        seed.version(changelogId, `1.${n}`, {
          publishedAt: 1_600_000_000_000 + n,
          changes: [{ type: 'added', title: `Change ${n}` }],
        })
    }, original)
    const parts = partsOf(original)
    const losses = [
      parts,
      ...parts.map((part) => [part]),
      ...Array.from({ length: of(20, 2) }, () => parts.filter(() => random.below(2) === 0)),
    ]
    for (const [n, lost] of losses.slice(0, of(losses.length, 6)).entries()) {
      const responses: string[][] = []
      for (const drops of [[], lost]) {
        place.database = place.at(`${n}-${drops.length}.db`)
        copyDatabase(original, place.database)
        const server = await place.serve()
        write(place.database, ...drops.map(([type, name]) => `DROP ${type} ${name}`), ...WRITES)
        if (drops.length > 0) {
          const { status, stdout } = await place.run(['doctor'])
          const isNamed = status === 1 && drops.some(([type, name]) => stdout.includes(`no ${type} ${name}`))
          named.count(isNamed, () => `${drops}: ${status} ${stdout}`)
        }
        const repair = await place.run(['migrate', '--repair'])
        const after = await place.run(['doctor'])
        mended.count(
          repair.status === 0 && after.status === 0,
          () => `${lost}: ${repair.stderr}${after.stdout}`,
        )
        const read = await Promise.all(PATHS.map((path) => getOnce(server.port, path)))
        responses.push(read.map((response) => `${response?.status} ${response?.body}`))
        await server.stop()
      }
      const [expected, found] = responses
      right.count(
        Bun.deepEquals(expected, found) && expected?.every((one) => one.startsWith('200')) === true,
        () => `${lost}: ${found}`,
      )
    }
    for (const [n, statement] of FOREIGN.entries()) {
      const copy = place.at(`foreign-${n}.db`)
      copyDatabase(original, copy)
      write(copy, statement)
      for (const args of [
        ['restore', copy, '--yes'],
        ['backup', 'verify', copy],
      ]) {
        const { status, stderr } = await place.run([...args, '--db', place.at(`new-${n}.db`)])
        refused.count(
          status === 1 && stderr.includes(' stranger '),
          () => `${statement}: ${status} ${stderr}`,
        )
      }
    }
    return [
      named.row(`${parts.length} indexes and triggers`),
      mended.row(''),
      right.row(`${PATHS.length} responses each time`),
      refused.row(''),
    ]
  },
} satisfies Case

/** What triggers would have counted, derived and listed. */
const WRITES = [
  "INSERT INTO change (id, version_id, position, type, title) SELECT 'chg_x', id, 9, 'removed', 'X' FROM version WHERE label = '1.5'",
  "UPDATE version SET status = 'draft' WHERE label = '1.7'",
  "UPDATE version SET label = '1.100' WHERE label = '1.9'",
]

/** Type and name of every index and trigger. */
function partsOf(database: string): string[][] {
  using db = new Database(database)
  const sql = "SELECT type, name FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL"
  return db.query(sql).values() as string[][]
}

function write(database: string, ...statements: string[]): void {
  using db = new Database(database)
  for (const statement of statements) db.run(statement)
}
