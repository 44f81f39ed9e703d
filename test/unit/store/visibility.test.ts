import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { STATUSES, VERSION_STATUSES, VISIBILITIES } from '../../../src/domain/records.ts'
import { hashToken } from '../../../src/domain/token.ts'
import type { Audience, Grant } from '../../../src/store/store.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

const STATES = VISIBILITIES.flatMap((team) =>
  STATUSES.flatMap((product) =>
    STATUSES.flatMap((changelog) =>
      VERSION_STATUSES.map((version) => ({ team, product, changelog, version })),
    ),
  ),
)

describe.each(ENGINES)('on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof openStoreOn>>

  /** The versions in a changelog, and whether that one can be read by itself; null for a changelog that is not found. */
  async function seen(audience: Audience, team: string, product: string, id: string) {
    const page = { limit: null, after: null, since: null, withChanges: true }
    const { value: changelog } = await opened.store.readChangelog(audience, team, product, page)
    const { value: version } = await opened.store.readVersion(audience, team, product, id)
    const ids = changelog?.versions.map((each) => each.id) ?? null
    return { changelog: ids, version: version !== null }
  }

  const NOTHING = { changelog: null, version: false }

  beforeAll(async () => {
    opened = await openStoreOn(engine)
  })
  afterAll(() => opened[Symbol.dispose]())

  async function grantOf(token: string): Promise<Grant> {
    const { value: grant } = await opened.store.findGrant(hashToken(token), 0)
    if (!grant) throw new Error('the key has no grant')
    return grant
  }

  test('in each of the 36 states, the public sees what is published all the way, and a key sees all', async () => {
    const { seed } = opened
    const wrong: unknown[] = []
    for (const [at, state] of STATES.entries()) {
      const slug = `team-${at}`
      const team = seed.team(slug, { visibility: state.team })
      const product = seed.product(team, 'app', { status: state.product, changelog: state.changelog })
      const id = seed.version(product.changelogId, '1.0.0', { status: state.version })
      const keys = [seed.key(team), seed.key(team, { kind: 'SELECT', products: [product.id] })]
      const isOpen =
        state.team === 'public' && state.product === 'published' && state.changelog === 'published'
      const isPublished = state.version === 'published'
      const all = { changelog: [id], version: true }
      const expected = [
        isOpen ? { changelog: isPublished ? [id] : [], version: isPublished } : NOTHING,
        ...keys.map(() => all),
      ]
      const found = [await seen('public', slug, 'app', id)]
      for (const { token } of keys) found.push(await seen(await grantOf(token), slug, 'app', id))
      if (!Bun.deepEquals(found, expected)) wrong.push({ ...state, found, expected })
    }
    expect(STATES).toHaveLength(36)
    expect(wrong).toEqual([])
  })

  describe('a key', () => {
    let versions: { app: string; tool: string; rival: string }
    let grants: { full: Grant; app: Grant; tool: Grant; rival: Grant; rivalSelect: Grant }

    beforeAll(async () => {
      const { seed } = opened
      const [acme, rival] = [seed.team('acme'), seed.team('rival')]
      const [app, tool, other] = [
        seed.product(acme, 'app'),
        seed.product(acme, 'tool'),
        seed.product(rival, 'app'),
      ]
      versions = {
        app: seed.version(app.changelogId, '1.0.0'),
        tool: seed.version(tool.changelogId, '1.0.0'),
        rival: seed.version(other.changelogId, '1.0.0'),
      }
      const select = (team: string, product: string) =>
        seed.key(team, { kind: 'SELECT', products: [product] })
      grants = {
        full: await grantOf(seed.key(acme).token),
        app: await grantOf(select(acme, app.id).token),
        tool: await grantOf(select(acme, tool.id).token),
        rival: await grantOf(seed.key(rival).token),
        rivalSelect: await grantOf(select(rival, other.id).token),
      }
    })

    const sees = (grant: Grant) =>
      Promise.all([
        seen(grant, 'acme', 'app', versions.app),
        seen(grant, 'acme', 'tool', versions.tool),
        seen(grant, 'rival', 'app', versions.rival),
      ])
    const shown = (id: string) => ({ changelog: [id], version: true })

    test('of kind FULL reads every product of its own team, and of no other', async () => {
      expect(await sees(grants.full)).toEqual([shown(versions.app), shown(versions.tool), NOTHING])
      expect(await sees(grants.rival)).toEqual([NOTHING, NOTHING, shown(versions.rival)])
    })

    test('of kind SELECT reads the products attached to that key, and no others', async () => {
      expect(await sees(grants.app)).toEqual([shown(versions.app), NOTHING, NOTHING])
      expect(await sees(grants.tool)).toEqual([NOTHING, shown(versions.tool), NOTHING])
      expect(await sees(grants.rivalSelect)).toEqual([NOTHING, NOTHING, shown(versions.rival)])
    })

    test('needs its team and its products to agree: neither alone opens a product', async () => {
      expect(await sees({ ...grants.app, teamId: grants.rival.teamId })).toEqual([NOTHING, NOTHING, NOTHING])
      expect(await sees({ ...grants.full, kind: 'SELECT' })).toEqual([NOTHING, NOTHING, NOTHING])
    })

    test('reads a version only as a part of its own product', async () => {
      expect(await seen(grants.full, 'acme', 'app', versions.tool)).toEqual({
        changelog: [versions.app],
        version: false,
      })
    })
  })
})
