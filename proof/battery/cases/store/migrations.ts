import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashToken, newToken } from '../../../../src/domain/token.ts'
import { Random } from '../../../../test/support/random.ts'
import { bearer, keyedPath } from '../../../../test/support/servers/server.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'

const MIGRATIONS = join(import.meta.dir, '../../../../drizzle/sqlite')
const APPLICATION_ID = 0x636c6764
const token = newToken()

export default {
  name: 'migrations',
  how: 'A database of each older schema is built from the migrations of that time and filled with the same rows. `migrate` and `serve` upgrade it; the export and the responses must be those of a database that was filled with the current schema. `migrate` is also killed at random moments.',
  async run({ of }) {
    const same = new Tally('A database of an older schema is upgraded without losing or changing anything')
    const killed = new Tally('An upgrade that is killed has happened or has not')
    const steps = readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
    await using place = new Place()
    build(place.at('current.db'), steps)
    const expected = await place.export(place.at('current.db'))
    const response = await read(place, place.at('current.db'))
    for (let schema = 1; schema < steps.length; schema++) {
      const names = ['migrated', 'served'].map((name) => place.at(`${name}-${schema}.db`)) as [string, string]
      for (const name of names) build(name, steps.slice(0, schema))
      await place.must('migrate', '--db', names[0])
      same.count((await place.export(names[0])) === expected, () => `schema ${schema}: the export differs`)
      same.count((await read(place, names[1])) === response, () => `schema ${schema}: the response differs`)
      same.count(
        names.every((name) => place.isWhole(name)),
        () => `schema ${schema}: the database is damaged`,
      )
      const random = new Random()
      for (let n = 0; n < of(15, 3); n++) {
        const name = place.at(`killed-${schema}-${n}.db`)
        build(name, steps.slice(0, schema))
        await place.run(['migrate', '--db', name], { killAfter: random.below(200) })
        await place.must('migrate', '--db', name)
        killed.count(
          (await place.export(name)) === expected && place.isWhole(name),
          () => `schema ${schema}: the export differs after kill ${n}`,
        )
      }
    }
    return [same.row(`${steps.length - 1} older schema, now ${steps.length}`), killed.row('')]
  },
} satisfies Case

/** The response with everything in it. */
async function read(place: Place, database: string): Promise<string | undefined> {
  place.database = database
  const server = await place.serve()
  const path = keyedPath('acme', 'app', '?include=changes&limit=100')
  const body = (await getOnce(server.port, path, bearer(token)))?.body
  await server.stop()
  return body
}

/** A database of the schema after these steps, with something in every column that the first schema has. */
function build(path: string, steps: readonly string[]): void {
  const db = new Database(path)
  for (const sql of steps) db.run(sql)
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  db.run(`PRAGMA user_version = ${steps.length}`)
  db.run(`
    INSERT INTO team (id, slug, name, visibility, plan, created_at) VALUES
      ('team_1', 'acme', 'Acme', 'public', 'paid', 11), ('team_2', 'b', 'B', 'private', 'free', 12);
    INSERT INTO product (id, team_id, slug, name, status, created_at) VALUES
      ('prod_1', 'team_1', 'app', 'App', 'published', 13), ('prod_2', 'team_1', 'lib', 'Lib', 'locked', 14);
    INSERT INTO changelog (id, product_id, name, status, preamble) VALUES
      ('clog_1', 'prod_1', 'App log', 'published', 'Before it.'), ('clog_2', 'prod_2', 'Lib log', 'draft', NULL);
    INSERT INTO api_key (id, team_id, kind, status, label, created_at, expires_at) VALUES
      ('key_1', 'team_1', 'SELECT', 'active', 'ci', 31, 4102444800000), ('key_2', 'team_1', 'FULL', 'disabled', 'old', 31, 32);
    INSERT INTO api_key_token (hash, key_id, start, created_at, expires_at) VALUES
      ('${hashToken(token)}', 'key_1', 'clk_abcd', 33, NULL), ('hash', 'key_2', 'clk_efgh', 33, 34);
    INSERT INTO api_key_product (key_id, product_id, team_id) VALUES ('key_1', 'prod_1', 'team_1');`)
  const version = db.query(
    'INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const change = db.query(
    'INSERT INTO change (id, version_id, position, type, title, description) VALUES (?, ?, ?, ?, ?, ?)',
  )
  db.transaction(() => {
    for (let n = 0; n < 200; n++) {
      const draft = n % 7 === 0
      const description = n % 3 === 0 ? 'long '.repeat(n * 10) : null
      version.run(
        `ver_${n}`,
        n % 5 === 0 ? 'clog_2' : 'clog_1',
        `1.${n}`,
        `Title ${n}`,
        draft ? 'draft' : 'published',
        100 + n,
        n % 2,
        21,
        description,
      )
      for (let c = 0; c < n % 4; c++)
        change.run(`chg_${n}_${c}`, `ver_${n}`, c + 1, 'added', `Change ${c}`, c === 0 ? 'More.' : null)
    }
  })()
  db.close()
}
