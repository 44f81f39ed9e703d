import { Database } from 'bun:sqlite'
import { newId } from '../../../../src/domain/id.ts'
import { newToken } from '../../../../src/domain/token.ts'
import { Random } from '../../../../test/support/random.ts'
import type { seeder } from '../../../../test/support/seed.ts'
import { bearer, keyedPath, publicPath } from '../../../../test/support/servers/server.ts'
import { agentTwins } from '../../support/agent-twins.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { hiddenLists, listsWithHidden } from '../../support/list-twins.ts'
import { pictureTwins } from '../../support/picture-twins.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'
import { isTold, measureTwins, type Stage, type Twins, type TwinsFigure, timerOf } from '../../timing.ts'

/** How far from 0.5, which is guessing, the classifier may be. */
const BAND = 0.02

export default {
  name: 'twins',
  how: 'Requests for hidden and for missing things are sent in pairs, and for lists with and without hidden things in them. Status, headers (except Date and the rate limit’s count) and body must be equal, in every form of request. The times of interleaved requests are compared by the area under the curve of the best classifier by time: 0.5 is guessing, 1 is knowing. Each figure is the mean of several servers with other names, and is measured until its 99 % interval lies within the band or is narrower than half of it; a promise is broken when the whole interval is outside the band.',
  async run(effort) {
    return [
      await bytes(),
      await times('The time of a refusal does not tell hidden from missing', false, effort),
      await times('Nor does it for the first request after a commit', true, effort),
    ]
  },
} satisfies Case

const VARYING = ['date', 'ratelimit']

async function bytes(): Promise<Row> {
  await using place = new Place()
  const pairs = place.fill(fillPairs)
  const { port } = await place.serve()
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
  const plain = forms.filter((headers) => !('Accept-Encoding' in headers))
  using connection = await RawConnection.open(port)
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await connection.send(request(path, headers).replace('GET', method))
    // A home page links to itself, by the name that was asked for; its tag follows, and so would an encoding. That of a
    // version that is missing names it.
    const [, echo] = /^\/(?:\?after=|changelog\/acme\/app(?:\/|\?from=))(\w+)/.exec(path) ?? []
    const left = echo === undefined ? VARYING : [...VARYING, 'etag']
    const fields = [...response.headers].filter(([name]) => !left.includes(name)).sort()
    const written = JSON.stringify([response.status, fields, response.body])
    return echo === undefined ? written : written.replaceAll(echo, '')
  }
  for (const { name, hidden, missing } of pairs)
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      for (const query of queries)
        for (const headers of hidden.path.startsWith('/?') ? plain : forms) {
          const [first, second] = [
            await ask(method, hidden.path + query, { ...hidden.headers, ...headers }),
            await ask(method, missing.path + query, { ...missing.headers, ...headers }),
          ]
          tally.count(first === second, () => `${name}, ${method} ${query}: ${first} and ${second}`)
        }
  return tally.row(`${pairs.length} pairs`)
}

/** As they come, when the server has seen the addresses before, or with a commit before each request. */
async function times(promise: string, isChanged: boolean, { of }: Effort): Promise<Row> {
  const band = of(BAND, 3 * BAND)
  const tally = new Tally(`${promise}: within ${band} of 0.5`)
  const figures = await measureTwins(() => openStage(isChanged), {
    requests: of(2_000, 200),
    band,
    limitMs: of(isChanged ? 400_000 : 180_000, 0),
  })
  for (const { name, hidden, missing, ...figure } of figures)
    tally.count(
      !isTold(figure, band),
      () => `${name}: ${words(figure)}, medians ${hidden.toFixed(0)} and ${missing.toFixed(0)} µs`,
    )
  return tally.row(figures.map(({ name, ...figure }) => `${name} ${words(figure)}`).join(', '))
}

const words = ({ auc, error }: Pick<TwinsFigure, 'auc' | 'error'>) =>
  `${auc.toFixed(3)} ± ${error.toFixed(3)}`

async function openStage(isChanged: boolean): Promise<Stage> {
  const place = new Place()
  const pairs = place.fill((seed) => [
    ...fillPairs(seed),
    ...listsWithHidden(seed, word),
    ...agentTwins(seed, word),
  ])
  const { port } = await place.serve()
  const commits = openForCommits(place)
  const { time, close } = await timerOf(port, isChanged ? commits.commit : undefined)
  return {
    pairs,
    time,
    async [Symbol.asyncDispose]() {
      close()
      commits.close()
      await place[Symbol.asyncDispose]()
    },
  }
}

/** Commits that change nothing anyone asks for, fast enough to make one before every request. */
function openForCommits(place: Place) {
  const db = new Database(place.database)
  db.run('PRAGMA busy_timeout = 5000')
  db.run('PRAGMA synchronous = OFF')
  const update = db.query("UPDATE team SET created_at = created_at + 1 WHERE slug = 'bystander'")
  return { commit: () => void update.run(), close: () => db.close() }
}

/** A name that is another one in each round: what a name costs by itself must not look like a leak. */
const word = () => new Random(Bun.nanoseconds()).text(8, 'abcdefghijklmnopqrstuvwxyz')

function fillPairs(seed: ReturnType<typeof seeder>): Twins[] {
  const [secret, draft, locked, log] = [word(), word(), word(), word()]
  const [label, former, privateLabel] = [word(), word(), word()]
  seed.team('bystander')
  const acme = seed.team('acme')
  const app = seed.product(acme, 'app')
  const publishedId = seed.version(app.changelogId, '1')
  seed.product(acme, draft, { status: 'draft' })
  seed.product(acme, locked, { status: 'locked' })
  seed.product(acme, log, { changelog: 'draft' })
  const draftId = seed.version(app.changelogId, label, { status: 'draft' })
  seed.formerLabel(app.changelogId, '0', publishedId)
  seed.formerLabel(app.changelogId, former, draftId)
  const secretApp = seed.product(seed.team(secret, { visibility: 'private' }), 'app')
  const privateId = seed.version(secretApp.changelogId, privateLabel)
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
  const after = (label: string) => `${publicPath('acme', 'app')}?after=${label}`
  const markdown = (label: string) => `/changelog/acme/app/${label}.md`
  const upgrade = (from: string, team = 'acme') => `/changelog/${team}/app?from=${from}&to=1`
  return [
    pair('missing and missing', publicPath(word(), 'app'), publicPath(word(), 'app')),
    pair('private team', publicPath(secret, 'app'), publicPath(word(), 'app')),
    pair('draft product', publicPath('acme', draft), publicPath('acme', word())),
    pair('locked product', publicPath('acme', locked), publicPath('acme', word())),
    pair('draft changelog', publicPath('acme', log), publicPath('acme', word())),
    pair('draft version', version('acme', draftId), version('acme', newId('ver'))),
    pair('private version', version(secret, privateId), version(secret, newId('ver'))),
    pair('label of a draft version', version('acme', label), version('acme', word())),
    pair('label of a private version', version(secret, privateLabel), version(secret, word())),
    pair('latest of a draft product', latest(draft), latest(word())),
    pair('old label of a draft version', version('acme', former), version('acme', word())),
    pair('after a draft version', after(label), after(word())),
    pair('after the old label of a draft version', after(former), after(word())),
    pair('Markdown of a draft version', markdown(label), markdown(word())),
    pair('upgrade from a draft version', upgrade(label), upgrade(word())),
    pair('upgrade of a private team', upgrade(privateLabel, secret), upgrade(word(), word())),
    keyed('disabled and unknown key', own, own, [bearer(disabled), bearer(unknown)]),
    keyed('expired and unknown key', own, own, [bearer(expired), bearer(unknown)]),
    keyed('mistyped and unknown key', own, own, [bearer(mistyped), bearer(unknown)]),
    keyed('team of others', keyedPath(secret, 'app'), keyedPath(word(), 'app'), [full, full]),
    keyed('product not attached', keyedPath('acme', draft), keyedPath('acme', word()), [select, select]),
    ...hiddenLists(seed, word),
    ...pictureTwins(seed, word),
  ]
}
