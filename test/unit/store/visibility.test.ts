import { expect, test } from 'bun:test'
import { hashToken } from '../../../src/domain/token.ts'
import type { Grant } from '../../../src/store/store.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

/** The states that hide from the public are in `test/contract/http/content/visibility.test.ts`. */
test.each(ENGINES)(
  'on %s, a key reads its team, or its products if they are of its team, and a version in its own product',
  async (engine) => {
    using opened = await openStoreOn(engine)
    const { seed, store } = opened
    const [acme, rival] = [seed.team('acme', { visibility: 'private' }), seed.team('rival')]
    const made = (team: string, slug: string) => {
      const { id, changelogId } = seed.product(team, slug, { status: 'draft', changelog: 'locked' })
      return { id, version: seed.version(changelogId, '1.0.0', { status: 'draft' }) }
    }
    const [app, tool, other] = [made(acme, 'app'), made(acme, 'tool'), made(rival, 'app')]
    const grantOf = async (team: string, ...products: string[]): Promise<Grant> => {
      const { token } = seed.key(team, products.length > 0 ? { kind: 'SELECT', products } : {})
      return (await store.findGrant(hashToken(token), 0)).value as Grant
    }
    /** The versions in a changelog, and whether one can be read by itself; null for a changelog that is not found. */
    const seen = async (grant: Grant, team: string, product: string, id: string) => {
      const page = { limit: null, after: null, since: null, withChanges: true }
      const { value: changelog } = await store.readChangelog(grant, team, product, page)
      const { value: version } = await store.readVersion(grant, team, product, id)
      return [changelog?.versions.map((each) => each.id) ?? null, version !== null]
    }

    const [full, select, others] = [await grantOf(acme), await grantOf(acme, app.id), await grantOf(rival)]
    for (const [grant, ...expected] of [
      [full, true, true, false],
      [select, true, false, false],
      [await grantOf(acme, tool.id), false, true, false],
      [others, false, false, true],
      [await grantOf(rival, other.id), false, false, true],
      [{ ...select, teamId: others.teamId }, false, false, false],
      [{ ...full, kind: 'SELECT' }, false, false, false],
    ] as const) {
      const found = [
        await seen(grant, 'acme', 'app', app.version),
        await seen(grant, 'acme', 'tool', tool.version),
        await seen(grant, 'rival', 'app', other.version),
      ]
      const whole = [app, tool, other].map(({ version }, at) =>
        expected[at] ? [[version], true] : [null, false],
      )
      expect(found).toEqual(whole)
    }
    expect(await seen(full, 'acme', 'app', tool.version)).toEqual([[app.version], false])
  },
)
