import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChangelogEnvelope } from '../../../src/http/openapi/response-schemas.ts'
import {
  bearer,
  fingerprint,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
  THE_SOURCE,
} from '../../support/servers/server.ts'

const VISIBILITIES = ['public', 'private'] as const
const STATUSES = ['draft', 'published', 'locked'] as const
const VERSION_STATUSES = ['draft', 'published'] as const

const STATES = VISIBILITIES.flatMap((team) =>
  STATUSES.flatMap((product) =>
    STATUSES.flatMap((changelog) =>
      VERSION_STATUSES.map((version) => ({ team, product, changelog, version })),
    ),
  ),
)

/** The table of the contract, written as code: what is hidden hides everything in it. */
function oracle(state: (typeof STATES)[number]): 'changelog and version' | 'changelog' | 'nothing' {
  if (state.team === 'private') return 'nothing'
  if (state.product === 'draft' || state.product === 'locked') return 'nothing'
  if (state.changelog === 'draft' || state.changelog === 'locked') return 'nothing'
  return state.version === 'draft' ? 'changelog' : 'changelog and version'
}

describe.each([THE_SOURCE, ...SUBJECTS])('visibility in $name', (subject) => {
  let server: TestServer
  const seeded: { slug: string; versionId: string; token: string; selectToken: string }[] = []
  let missing: string

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    for (const [at, state] of STATES.entries()) {
      const slug = `team-${at}`
      const team = seed.team(slug, { visibility: state.team })
      const product = seed.product(team, 'app', { status: state.product, changelog: state.changelog })
      const versionId = seed.version(product.changelogId, '1.0.0', { status: state.version })
      const { token } = seed.key(team)
      const { token: selectToken } = seed.key(team, { kind: 'SELECT', products: [product.id] })
      seeded.push({ slug, versionId, token, selectToken })
    }
    missing = await fingerprint(await server.get(publicPath('no-such-team', 'app')))
  })
  afterAll(async () => {
    await server.stop()
  })

  test('there are 36 states', () => {
    expect(STATES).toHaveLength(36)
  })

  test.each(STATES.map((state, at) => ({ at, ...state, shown: oracle(state) })))(
    'team $team, product $product, changelog $changelog, version $version: the public sees $shown',
    async ({ at, shown }) => {
      const { slug, versionId } = seeded[at] as (typeof seeded)[number]
      const changelog = await server.get(publicPath(slug, 'app'))
      const version = await server.get(publicPath(slug, 'app', `/versions/${versionId}`))
      if (shown === 'nothing') expect(await fingerprint(changelog)).toBe(missing)
      else {
        expect(changelog.status).toBe(200)
        const { data } = (await changelog.json()) as ChangelogEnvelope
        expect(data.versions.map(({ id }) => id)).toEqual(shown === 'changelog' ? [] : [versionId])
      }
      if (shown === 'changelog and version') expect(version.status).toBe(200)
      else expect(await fingerprint(version)).toBe(missing)
    },
  )

  test.each(STATES.map((state, at) => ({ at, ...state })))(
    'team $team, product $product, changelog $changelog, version $version: a key reads it all, with every status',
    async ({ at, ...state }) => {
      const { slug, versionId, token, selectToken } = seeded[at] as (typeof seeded)[number]
      for (const key of [token, selectToken]) {
        const response = await server.get(keyedPath(slug, 'app'), bearer(key))
        expect(response.status).toBe(200)
        const { data } = (await response.json()) as ChangelogEnvelope
        expect(data.changelog.status).toBe(state.changelog)
        expect(data.versions.map(({ id, status }) => ({ id, status }))).toEqual([
          { id: versionId, status: state.version },
        ])
        const version = await server.get(keyedPath(slug, 'app', `/versions/${versionId}`), bearer(key))
        expect(version.status).toBe(200)
      }
    },
  )

  test('hidden, missing and impossible content gets the same response, headers included', async () => {
    const visible = STATES.findIndex((state) => oracle(state) === 'changelog and version')
    const { slug } = seeded[visible] as (typeof seeded)[number]
    const hidden = seeded[STATES.findIndex((state) => state.team === 'private')] as (typeof seeded)[number]
    for (const path of [
      publicPath(slug, 'no-such-product'),
      publicPath('UPPER', 'app'),
      publicPath('a'.repeat(500), 'app'),
      publicPath('%zz', 'app'),
      publicPath('%00', 'app'),
      publicPath('%F0%9F%98%80', 'app'),
      publicPath(slug, "'%20or%201=1--"),
      publicPath(slug, 'app', '/versions/nonsense'),
      publicPath(slug, 'app', '/versions/%zz'),
      publicPath(slug, 'app', '/versions/ver_00000000000000000000000000'),
      publicPath(slug, 'app', `/versions/${hidden.versionId}`),
      publicPath(hidden.slug, 'app', `/versions/${hidden.versionId}`),
      publicPath(hidden.slug, 'app', '?limit=5&include=changes'),
    ]) {
      const response = await server.get(path, { 'if-none-match': '*' })
      expect({ path, fingerprint: await fingerprint(response) }).toEqual({ path, fingerprint: missing })
    }
  })

  test('the public ETag does not change when something hidden does', async () => {
    const { seed } = server
    const team = seed.team('quiet')
    const { changelogId } = seed.product(team, 'app')
    const id = seed.version(changelogId, '1.0.0')
    const before = (await server.get(publicPath('quiet', 'app'))).headers.get('etag')
    const draft = seed.version(changelogId, '2.0.0', { status: 'draft' })
    seed.db.run(
      "INSERT INTO change (id, version_id, position, type, title) VALUES ('chg_x', ?, 0, 'added', 'x')",
      [draft],
    )
    expect((await server.get(publicPath('quiet', 'app'))).headers.get('etag')).toBe(before)
    seed.db.run(
      "INSERT INTO change (id, version_id, position, type, title) VALUES ('chg_y', ?, 0, 'added', 'x')",
      [id],
    )
    expect((await server.get(publicPath('quiet', 'app'))).headers.get('etag')).not.toBe(before)
  })
})
