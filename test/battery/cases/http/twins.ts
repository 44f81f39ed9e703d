import { Database } from 'bun:sqlite'
import { newId } from '../../../../src/domain/id.ts'
import { newToken } from '../../../../src/domain/token.ts'
import type { seeder } from '../../../support/seed.ts'
import { bearer, keyedPath, publicPath } from '../../../support/servers/server.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'
import { measureTwins, type Twins } from '../../timing.ts'

/** How far from 0.5, which is guessing, the classifier may be. */
const BAND = 0.02

export default {
  name: 'twins',
  how: 'Requests for hidden and for missing things are sent in pairs. Status, headers (except Date and the rate limit’s count) and body must be equal, in every form of request. The times of interleaved requests are compared by the area under the curve of the best classifier by time: 0.5 is guessing, 1 is knowing.',
  async run(effort) {
    await using place = new Place()
    const pairs = place.fill(fillPairs)
    const server = await place.serve()
    return [await bytes(server.port, pairs), ...(await times(place, server.port, pairs, effort))]
  },
} satisfies Case

const VARYING = ['date', 'ratelimit']

async function bytes(port: number, pairs: readonly Twins[]): Promise<Row> {
  const tally = new Tally(
    'Hidden and missing content get the same bytes, and so do all API keys that are not valid',
  )
  const queries = ['', '?limit=1', '?limit=0', '?include=changes', '?since=2020-01-01', '?cursor=x', '?x']
  const forms: Record<string, string>[] = [
    {},
    { 'If-None-Match': '*' },
    { 'If-None-Match': '"x"', 'Accept-Encoding': 'gzip' },
    { 'Accept-Encoding': 'zstd, br' },
    { Origin: 'https://example.com' },
    { Range: 'bytes=0-9' },
    { Accept: 'text/html' },
  ]
  using connection = await RawConnection.open(port)
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await connection.send(request(path, headers).replace('GET', method))
    const fields = [...response.headers].filter(([name]) => !VARYING.includes(name)).sort()
    return JSON.stringify([response.status, fields, response.body])
  }
  for (const { name, hidden, missing } of pairs)
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      for (const query of queries)
        for (const headers of forms) {
          const [first, second] = [
            await ask(method, hidden.path + query, { ...hidden.headers, ...headers }),
            await ask(method, missing.path + query, { ...missing.headers, ...headers }),
          ]
          tally.count(first === second, () => `${name}, ${method} ${query}: ${first} and ${second}`)
        }
  return tally.row(`${pairs.length} pairs`)
}

/** Once as they come, when the server has seen the addresses before, and once with a commit before each request. */
async function times(place: Place, port: number, pairs: readonly Twins[], { of }: Effort): Promise<Row[]> {
  const band = of(BAND, 3 * BAND)
  const url = `http://127.0.0.1:${port}`
  const [repeated, changed] = [
    new Tally(`The time of a refusal does not tell hidden from missing: within ${band} of 0.5`),
    new Tally(`Nor does it for the first request after a commit: within ${band} of 0.5`),
  ]
  const judge = (tally: Tally, figures: Awaited<ReturnType<typeof measureTwins>>): string => {
    for (const { name, auc, hidden, missing } of figures)
      tally.count(
        Math.abs(auc - 0.5) <= band,
        () => `${name}: ${auc.toFixed(3)}, medians ${hidden.toFixed(0)} and ${missing.toFixed(0)} µs`,
      )
    return figures.map(({ name, auc }) => `${name} ${auc.toFixed(3)}`).join(', ')
  }
  const first = judge(repeated, await measureTwins(url, pairs, { requests: of(20_000, 2_000) }))
  const commits = openForCommits(place)
  const second = judge(
    changed,
    await measureTwins(url, pairs, { requests: of(20_000, 2_000), before: commits.commit }),
  )
  commits.close()
  return [repeated.row(first), changed.row(second)]
}

/** Commits that change nothing anyone asks for, fast enough to make one before every request. */
function openForCommits(place: Place) {
  const db = new Database(place.database)
  db.run('PRAGMA busy_timeout = 5000')
  db.run('PRAGMA synchronous = OFF')
  const update = db.query("UPDATE team SET created_at = created_at + 1 WHERE slug = 'bystander'")
  return { commit: () => void update.run(), close: () => db.close() }
}

function fillPairs(seed: ReturnType<typeof seeder>): Twins[] {
  seed.team('bystander')
  const acme = seed.team('acme')
  const app = seed.product(acme, 'app')
  seed.version(app.changelogId, '1')
  for (const status of ['draft', 'locked'] as const) {
    seed.product(acme, status, { status })
    seed.product(acme, `${status}-log`, { changelog: status })
  }
  const draft = seed.version(app.changelogId, '2', { status: 'draft' })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  const hidden = seed.version(secret.changelogId, '1')
  const full = bearer(seed.key(acme).token)
  const select = bearer(seed.key(acme, { kind: 'SELECT', products: [app.id] }).token)
  const disabled = seed.key(acme, { status: 'disabled' }).token
  const expired = seed.key(acme, { expiresAt: 1 }).token
  const unknown = newToken()
  // A letter of the checksum is wrong.
  const mistyped = unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0')

  const pair = (name: string, one: string, other: string): Twins => ({
    name,
    hidden: { path: one },
    missing: { path: other },
  })
  const keyed = (
    name: string,
    one: string,
    other: string,
    headers: [Record<string, string>, Record<string, string>],
  ) => ({
    name,
    hidden: { path: one, headers: headers[0] },
    missing: { path: other, headers: headers[1] },
  })
  const version = (team: string, id: string) => publicPath(team, 'app', `/versions/${id}`)
  const latest = (product: string) => publicPath('acme', product, '/versions/latest')
  const own = keyedPath('acme', 'app')
  return [
    pair('missing and missing', publicPath('nobody', 'app'), publicPath('ghosts', 'app')),
    pair('private team', publicPath('secret', 'app'), publicPath('ghosts', 'app')),
    pair('draft product', publicPath('acme', 'draft'), publicPath('acme', 'ghost')),
    pair('locked product', publicPath('acme', 'locked'), publicPath('acme', 'ghosts')),
    pair('draft changelog', publicPath('acme', 'draft-log'), publicPath('acme', 'ghost-log')),
    pair('draft version', version('acme', draft), version('acme', newId('ver'))),
    pair('private version', version('secret', hidden), version('secret', newId('ver'))),
    pair('label of a draft version', version('acme', '2'), version('acme', '9')),
    pair('label of a private version', version('secret', '1'), version('secret', '9')),
    pair('latest of a draft product', latest('draft'), latest('ghost')),
    pair(
      'after a draft version',
      `${publicPath('acme', 'app')}?after=2`,
      `${publicPath('acme', 'app')}?after=9`,
    ),
    keyed('disabled and unknown key', own, own, [bearer(disabled), bearer(unknown)]),
    keyed('expired and unknown key', own, own, [bearer(expired), bearer(unknown)]),
    keyed('mistyped and unknown key', own, own, [bearer(mistyped), bearer(unknown)]),
    keyed('team of others', keyedPath('secret', 'app'), keyedPath('ghosts', 'app'), [full, full]),
    keyed('product not attached', keyedPath('acme', 'draft'), keyedPath('acme', 'ghost'), [select, select]),
  ]
}
