import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { pictureAddress, pictureId } from '../../../src/domain/pictures.ts'
import { hashToken } from '../../../src/domain/token.ts'
import { readStatements } from '../../../src/store/queries/dialects.ts'
import type { StoreReads } from '../../../src/store/queries/reads.ts'
import type { Audience, DatedVersion, Grant, Page } from '../../../src/store/store.ts'
import { statementsIn } from '../../support/database/statements.ts'
import { type Seeder, seederOn } from '../../support/seed.ts'
import { openStoreOn } from '../../support/servers/handler.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000
const PICTURES = ['seen', 'due', 'hidden', 'unknown'].map((text) =>
  pictureId(new TextEncoder().encode(text), { width: 2, height: 1 }),
)

const FILTERS = [{}, { prereleases: 'no' }] as const
const BETWEEN = [
  {},
  { from: '0.6.0' },
  { from: '0.6.0', to: '2' },
  { from: '2.2.0', to: '0.9.0' },
  { to: 'night 75' },
  { from: 'night 5', to: 'night 75' },
  { from: 'none', to: 'night 75' },
]

const PAGE: Page = { limit: 50, after: null, since: null, withChanges: false }
const FORMS = [{}, { withDates: true }, { withChanges: true }, { withChanges: true, maxChanges: 2 }] as const
const LABELS = ['latest', '9.0.0', '8.0.0', '0.1.0', '0', '2.x', 'none', 'night 5', '0.5.9']
type Product = [audience: Audience, team: string, product: string]

/** What the promises of the server are tried on: the contract tests read it over HTTP from SQLite alone. */
function fill(seed: Seeder, addPicture: (changelog: string, id: string) => void) {
  const acme = seed.team('acme', { name: 'Acme' })
  const closed = seed.team('closed', { visibility: 'private' })
  const app = seed.product(acme, 'app', { repository: 'https://github.com/acme/app' })
  const undated = seed.product(acme, 'undated')
  for (const [team, slug, fields] of [
    [acme, 'drafted', { status: 'draft' }],
    [acme, 'locked', { changelog: 'locked' }],
    [closed, 'closed', {}],
  ] as const)
    seed.version(seed.product(team, slug, fields).changelogId, '1.0.0')
  const states = ['published', 'published', 'scheduled', 'draft', 'published'] as const
  const types = ['added', 'fixed', 'security', 'bug-fixes', 'changed']
  for (let at = 0; at < 120; at++) {
    const label =
      at % 7 === 5 ? `night ${at}` : `${at % 3}.${Math.floor(at / 3)}.0${at % 11 === 4 ? '-rc.1' : ''}`
    seed.version(app.changelogId, at % 13 === 3 ? `app@${label}` : label, {
      // Some at the same moment, and some that are not due.
      publishedAt: NOW + (Math.floor(at / 2) - 55) * DAY,
      status: states[at % 5] ?? 'draft',
      ...(at % 9 === 2 && { yanked: at % 2 ? 'Loses settings' : '' }),
      ...(at % 10 === 6 && { prerelease: true }),
      ...(at % 4 === 1 && { description: `About **${at}**`, closing: 'Thanks', source: `# ${at}` }),
      changes: types.slice(0, at % 6).map((type) => ({ type, title: `${type} in ${label}` })),
    })
  }
  for (let at = 0; at < 5; at++)
    seed.version(undated.changelogId, `4.${at}.0${at > 3 ? '-rc.1' : ''}`, {
      publishedAt: at,
      dateKnown: false,
    })
  const { changelogId: early } = seed.product(acme, 'early')
  for (let at = 0; at < 3; at++) seed.version(early, `1.0.0-rc.${at}`, { publishedAt: at })
  const { changelogId: long } = seed.product(acme, 'long')
  for (let at = 0; at < 1_100; at++) seed.version(long, `1.${at}.0`, { publishedAt: at })
  const named = seed.version(app.changelogId, 'v9.0.0', { publishedAt: NOW - DAY })
  seed.formerLabel(app.changelogId, '8.0.0', named)
  for (const [at, status] of (['published', 'scheduled', 'draft'] as const).entries()) {
    const picture = PICTURES[at] ?? ''
    const description = `![x](${pictureAddress(picture)})`
    seed.version(app.changelogId, `shown ${'abc'[at]}`, { status, publishedAt: 1, description })
    addPicture(app.changelogId, picture)
  }
  for (const slug of ['', 'old'])
    seed.db.run('INSERT INTO former_address VALUES (?, ?, ?)', ['former', slug, app.id])
  return [
    seed.key(acme).token,
    seed.key(acme, { kind: 'SELECT', products: [app.id, undated.id] }).token,
    seed.key(closed).token,
    seed.key(acme, { status: 'disabled' }).token,
    'unknown',
  ]
}

describe('every read of a server', () => {
  let [here, there]: Awaited<ReturnType<typeof openStoreOn>>[] = []
  let tokens: string[]
  beforeAll(async () => {
    const engines = [await openStoreOn('SQLite', () => NOW), await openStoreOn('PostgreSQL', () => NOW)]
    ;[here, there] = engines
    const databases = engines.map(({ seed }) => seed.db)
    const transaction = (work: () => void) => databases.reduce((inner, db) => db.transaction(inner), work)
    const run = (text: string, ...values: Parameters<Seeder['db']['run']>[1][]) => {
      for (const db of databases) db.run(text, ...values)
    }
    const addPicture = (...values: string[]) => {
      const columns = '(changelog_id, id, kind, created_at, bytes)'
      for (const [at, bytes] of ["x'01ff'", "'\\x01ff'"].entries())
        databases[at]?.run(`INSERT INTO picture ${columns} VALUES (?, ?, 'png', 1, ${bytes})`, values)
      // Nothing is shorter than this picture.
      const derived = '(changelog_id, picture_id, ground, card)'
      for (const [at, row] of ["1, x'02'", "true, '\\x02'"].entries())
        databases[at]?.run(`INSERT INTO derived_picture ${derived} VALUES (?, ?, ${row})`, values)
    }
    const both = seederOn({ run, transaction, close: () => {} })
    transaction(() => {
      tokens = fill(both, addPicture)
    })()
  })
  afterAll(() => {
    here?.[Symbol.dispose]()
    there?.[Symbol.dispose]()
  })

  /** What a read gives, which is the same from both. */
  async function same<T>(read: (reads: StoreReads) => Promise<{ value: T }> | { value: T }): Promise<T> {
    const [one, other] = [await read(here?.store as StoreReads), await read(there?.store as StoreReads)]
    expect(other.value).toEqual(one.value)
    return one.value
  }

  test('gives the same from PostgreSQL as from SQLite, for the public and for keys', async () => {
    using prepared = spyOn(Database.prototype, 'prepare')
    const grants: Grant[] = []
    for (const token of tokens) {
      const grant = await same((reads) => reads.findGrant(hashToken(token), NOW))
      if (grant) grants.push(grant)
    }
    expect(grants).toHaveLength(3)
    await same((reads) => reads.ping())
    await same((reads) => reads.readWork())
    for (const filter of FILTERS) await readLists(filter)
    for (const names of [
      ['former', ''],
      ['former', 'old'],
      ['former', 'new'],
      ['acme', ''],
    ] as const)
      await same((reads) => reads.readFormer({ team: names[0], product: names[1] }))
    for (const grant of grants)
      for (const product of ['', 'app']) await same((reads) => reads.readProductsOfKey(grant, product, 2))
    for (const audience of ['public', ...grants] as const)
      for (const product of ['undated', 'early', 'drafted', 'locked', 'closed', 'none'])
        await readBriefly(audience, product === 'closed' ? 'closed' : 'acme', product)
    const [full] = grants as [Grant]
    for (const audience of ['public', full] as const) {
      await readChangelog(audience, 'acme', 'app')
      for (const filter of FILTERS) {
        const page = { ...PAGE, ...filter, limit: 5, between: { from: '0.0.0', to: '3.0.0' } }
        await same((reads) => reads.readChangelog(audience, 'acme', 'long', page))
      }
    }
    const asked = new Set(prepared.mock.calls.map(([sql]) => sql))
    const left = statementsIn(readStatements('sqlite')).filter(([, { sql }]) => !asked.has(sql))
    // A stamp has a number of its own on each engine. No read uses the others.
    const unused = ['stamp', 'filtered prereleases newer', 'filtered prereleases count']
    const names = unused.map((name) => expect.stringContaining(name))
    expect(left.map(([name]) => name)).toEqual([...names, ...names])
  })

  async function readLists(filter: (typeof FILTERS)[number]): Promise<void> {
    for (const product of ['', 'app'])
      for (const limit of [1, 100])
        for (const team of ['', 'acme']) {
          const range = { team, product, lastTeam: team || '~' }
          await same((reads) => reads.readDirectory(range, limit))
          await same((reads) => reads.readUndated(range, limit, filter))
        }
    for (const team of [null, 'acme', 'closed']) {
      const { entries, next } = await same((reads) => reads.readTimeline(team, null, 9, filter))
      await same((reads) => reads.readContents(entries))
      if (!next) continue
      await same((reads) => reads.readTimeline(team, next, 100, filter))
      await same((reads) => reads.readNewerInTimeline(team, next, 5, filter))
    }
  }

  async function readBriefly(...of: Product): Promise<void> {
    await same((reads) => reads.readChangelog(...of, PAGE))
    await same((reads) => reads.readOverview(...of))
    await same((reads) => reads.readVersion(...of, 'latest'))
  }

  async function readChangelog(...of: Product): Promise<void> {
    const all = await same((reads) => reads.readChangelog(...of, { ...PAGE, withDates: true }))
    const versions = (all?.versions ?? []) as DatedVersion[]
    const parts = [
      { after: versions[9] ?? null },
      { since: NOW - 40 * DAY },
      { newerThan: '0.6.0' },
      { newerThan: 'none' },
      ...BETWEEN.map((between) => ({ limit: 5, between })),
      { limit: null, between: { from: '0.6.0', to: '1.9.0' } },
    ]
    for (const form of FORMS)
      for (const filter of FILTERS)
        for (const part of parts)
          await same((reads) => reads.readChangelog(...of, { ...PAGE, ...form, ...filter, ...part }))
    for (const filter of FILTERS) await same((reads) => reads.readOverview(...of, filter))
    for (const limit of [3, 500]) await same((reads) => reads.readStretch(...of, null, limit))
    for (const at of versions.slice(0, 9)) {
      await same((reads) => reads.readStretch(...of, at, 3))
      await same((reads) => reads.readNewer(...of, at, 5))
      await same((reads) => reads.readNeighbors(...of, at, 3))
    }
    for (const picture of PICTURES)
      for (const form of [null, 'small', 'card'] as const)
        await same((reads) => reads.readPicture(...of, picture, form))
    for (const label of [...LABELS, versions[3]?.id ?? 'ver_none']) {
      await same((reads) => reads.readNear(...of, label))
      for (const range of [undefined, { skip: 1, limit: 2 }, { skip: 0, limit: 99, sourceBytes: 1_000 }])
        await same((reads) => reads.readVersion(...of, label, range))
    }
  }
})
