import { describe, expect, test } from 'bun:test'
import { STATUSES, VERSION_STATUSES, VISIBILITIES } from '../../../../src/domain/records.ts'
import type { ChangelogEnvelope } from '../../../../src/http/api/openapi/response-schemas.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const STATES = VISIBILITIES.flatMap((team) =>
  STATUSES.flatMap((product) =>
    STATUSES.flatMap((changelog) =>
      VERSION_STATUSES.map((version) => ({ team, product, changelog, version })),
    ),
  ),
)

type State = (typeof STATES)[number]

/** The table of the contract, written as code: what is hidden hides everything in it. */
function oracle(state: State): 'changelog and version' | 'changelog' | 'nothing' {
  if (state.team === 'private') return 'nothing'
  if (state.product === 'draft' || state.product === 'locked') return 'nothing'
  if (state.changelog === 'draft' || state.changelog === 'locked') return 'nothing'
  return state.version === 'draft' ? 'changelog' : 'changelog and version'
}

describe('visibility', () => {
  const site = serverForAll(THE_BINARY, (seed) =>
    STATES.map((state, at) => {
      const slug = `team-${at}`
      const team = seed.team(slug, { visibility: state.team })
      const product = seed.product(team, 'app', { status: state.product, changelog: state.changelog })
      const id = seed.version(product.changelogId, '1.0.0', { status: state.version })
      const keys = [seed.key(team), seed.key(team, { kind: 'SELECT', products: [product.id] })]
      return { state, slug, id, keys: keys.map(({ token }) => bearer(token)) }
    }),
  )
  const missing = () => site.print(publicPath('no-such-team', 'app'))

  /** The ids and states of the versions of a changelog; what it is if it is none. */
  const listed = async (path: string, headers = {}) => {
    const response = await site.get(path, headers)
    if (response.status !== 200)
      return (await site.print(path, headers)) === (await missing()) ? 'missing' : 'odd'
    const { data } = (await response.json()) as ChangelogEnvelope
    return [data.changelog.status, ...data.versions.map(({ id, status }) => `${id} ${status}`)].join()
  }
  const found = async (path: string, headers = {}) => {
    const status = await site.status(path, headers)
    if (status === 200) return 'found'
    return (await site.print(path, headers)) === (await missing()) ? 'missing' : 'odd'
  }

  test('in each of the 36 states, a key reads everything, and the public what is published and the rest as missing', async () => {
    expect(STATES).toHaveLength(36)
    const wrong: unknown[] = []
    for (const { state, slug, id, keys } of site.filled) {
      for (const key of keys)
        expect([
          await listed(keyedPath(slug, 'app'), key),
          await found(keyedPath(slug, 'app', `/versions/${id}`), key),
        ]).toEqual([`${state.changelog},${id} ${state.version}`, 'found'])
      const seen = [
        await listed(publicPath(slug, 'app')),
        await found(publicPath(slug, 'app', `/versions/${id}`)),
      ]
      const expected = {
        'changelog and version': [`published,${id} published`, 'found'],
        changelog: ['published', 'missing'],
        nothing: ['missing', 'missing'],
      }[oracle(state)]
      if (!Bun.deepEquals(seen, expected)) wrong.push({ state, seen, expected })
    }
    expect(wrong).toEqual([])
  })

  test('hidden, missing and impossible content gets the same response, headers included', async () => {
    const [open, closed] = ['changelog and version', 'nothing'].map((shown) =>
      site.filled.find(({ state }) => oracle(state) === shown),
    ) as [(typeof site.filled)[0], (typeof site.filled)[0]]
    const expected = await missing()
    for (const path of [
      publicPath(open.slug, 'no-such-product'),
      publicPath('a'.repeat(500), 'app'),
      publicPath('%zz', 'app'),
      publicPath('%00', 'app'),
      publicPath(open.slug, "'%20or%201=1--"),
      publicPath(open.slug, 'app', '/versions/%zz'),
      publicPath(open.slug, 'app', '/versions/ver_00000000000000000000000000'),
      publicPath(open.slug, 'app', `/versions/${closed.id}`),
      publicPath(closed.slug, 'app', '?limit=5&include=changes'),
    ])
      expect({ path, is: await site.print(path, { 'if-none-match': '*' }) }).toEqual({ path, is: expected })
  })

  test('the public ETag does not change when something hidden does', async () => {
    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('quiet'), 'app')
    const id = seed.version(changelogId, '1.0.0')
    const etag = async () => (await site.get(publicPath('quiet', 'app'))).headers.get('etag')
    const addTo = (version: string) =>
      seed.db.run(
        "INSERT INTO change (id, version_id, position, type, title) VALUES (?, ?, 0, 'added', 'x')",
        [`chg_${version}`, version],
      )
    const before = await etag()
    addTo(seed.version(changelogId, '2.0.0', { status: 'draft' }))
    expect(await etag()).toBe(before)
    addTo(id)
    expect(await etag()).not.toBe(before)
  })
})
