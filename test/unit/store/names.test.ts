import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { StoredVersionStatus } from '../../../src/domain/records.ts'
import { readStatements } from '../../../src/store/queries/dialects.ts'
import type { Read } from '../../../src/store/queries/read.ts'
import { READS } from '../../../src/store/queries/reads.ts'
import type { Audience } from '../../../src/store/store.ts'
import type { Seeder } from '../../support/seed.ts'
import { openStore, openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

const NOW = 2_000
const LATER = 3_000

/** Versions of each product, oldest first: `-` hides one, `+` becomes public later. */
const PRODUCTS = {
  app: 'v1 V2 3.0.0 v4.0.0 -5.0.0 -v6.0.0 summer',
  // From before labels that differ by their `v` were refused.
  old: '1.0.0 v1.0.0 2.0.0 -v2.0.0 -3.0.0 v3.0.0',
  mono: 'core@1.2.0 @acme/ui@1.2.0 ui@v1.3.0 -core@1.3.0 ui@2.0.0 +core@2.0.0 +ui@3.0.0 ui@1.3',
}

function fill(seed: Seeder): string {
  const team = seed.team('acme')
  for (const [product, labels] of Object.entries(PRODUCTS)) {
    const { changelogId } = seed.product(team, product)
    for (const [at, text] of labels.split(' ').entries()) {
      const label = text.replace(/^[-+]/, '')
      const status: StoredVersionStatus =
        text[0] === '-' ? 'draft' : text[0] === '+' ? 'scheduled' : 'published'
      const id = seed.version(changelogId, label, { status, publishedAt: text[0] === '+' ? LATER : at })
      if (label === '3.0.0' && product === 'app') seed.formerLabel(changelogId, 'v2.9.0', id)
      if (label === 'v6.0.0') seed.formerLabel(changelogId, '5.9.0', id)
    }
  }
  return team
}

describe.each(ENGINES)('on %s, the name of a version', (engine) => {
  let opened: Awaited<ReturnType<typeof openStoreOn>>
  let team: string
  let now = NOW

  beforeAll(async () => {
    opened = await openStoreOn(engine, () => now)
    team = fill(opened.seed)
  })
  afterAll(() => opened[Symbol.dispose]())

  /** Checks names with where they lead if that is elsewhere, or `?` for nowhere: by their address and as `after`. */
  const check = async (product: string, expected: string, audience: Audience = 'public') => {
    const found: string[] = []
    for (const name of expected.split(' ').map((each) => each.replace(/[→?].*/, ''))) {
      const { value } = await opened.store.readVersion(audience, 'acme', product, name)
      const page = { limit: 1, after: null, since: null, withChanges: false, newerThan: name }
      const after = (await opened.store.readChangelog(audience, 'acme', product, page)).value
      expect(after?.missingLabel).toBe(value ? undefined : name)
      found.push(name + (value ? (value.isMoved ? `→${value.version.label}` : '') : '?'))
    }
    expect(found.join(' ')).toBe(expected)
  }

  test('may be written with or without its v, unless there are both', async () => {
    await check('app', 'v4.0.0 4.0.0→v4.0.0 V4.0.0→v4.0.0 v3.0.0→3.0.0 1→v1 v2→V2')
    // A former label, as written and in another spelling.
    await check('app', 'v2.9.0→3.0.0 2.9.0→3.0.0')
    await check('app', 'vsummer? 5.0.0? v5.0.0? 6.0.0? v5.9.0? 7.0.0?')
    await check('old', '1.0.0 v1.0.0 V1.0.0→1.0.0 v2.0.0→2.0.0 3.0.0→v3.0.0')
  })

  test('may leave out its package where one version alone has the number, of those that the reader may see', async () => {
    const rights = { kind: 'FULL', products: new Set<string>(), expiresAt: null } as const
    const key: Audience = { keyId: '', teamId: team, teamSlug: 'acme', ...rights }
    await check('mono', '1.2.0? 1.3.0→ui@v1.3.0 v1.3→ui@1.3 v2.0.0→ui@2.0.0 3.0.0? core@v1.2.0? 2.0?')
    await check('mono', '1.2.0? 1.3.0? v1.3→ui@1.3 v2.0.0? 3.0.0→ui@3.0.0 core@v1.2.0? 2.0?', key)
    now = LATER
    await check('mono', '2.0.0? 3.0.0→ui@3.0.0')
    now = NOW
  })
})

test('a hidden label takes the same steps as a missing one, in each spelling, and finds the same', () => {
  using opened = openStore()
  fill(opened.seed)
  const context = { statements: readStatements('sqlite'), now: NOW }
  /** The statements of a read, and what it finds. */
  const stepsOf = (read: Read<unknown>) => {
    const steps: string[] = []
    for (let step = read.next(); ; ) {
      if (step.done) return { steps, value: step.value }
      const { statement, values } = step.value
      steps.push(statement.sql)
      step = read.next(opened.seed.db.query(statement.sql).values(...values) as unknown[][])
    }
  }
  const page = { limit: 5, after: null, since: null, withChanges: false }
  const read = (product: string, name: string) => [
    stepsOf(READS.readVersion(context, 'public', 'acme', product, name)),
    ...[{ newerThan: name }, { between: { from: 'summer', to: name } }, { between: { to: name } }].map(
      (given) => {
        const { steps, value } = stepsOf(
          READS.readChangelog(context, 'public', 'acme', product, { ...page, ...given }),
        )
        return { steps, value: JSON.stringify(value).replaceAll(name, 'NAME') }
      },
    ),
    stepsOf(READS.readNear(context, 'public', 'acme', product, name)),
  ]
  for (const [product, hidden, missing] of [
    ...['5.0.0', 'v5.0.0', '6.0.0', 'v6.0.0', '5.9.0', 'v5.9.0'].map((name) => [
      'app',
      name,
      name.replace(/0$/, '1'),
    ]),
    ['mono', 'core@1.3.0', 'cure@1.3.0'],
    ['mono', '3.0.0', '3.0.1'],
  ] as [string, string, string][])
    expect([hidden, read(product, hidden)]).toEqual([hidden, read(product, missing)])
})
