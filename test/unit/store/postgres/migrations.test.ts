import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { COUNTING } from '../../../../src/domain/versions/derived.ts'
import { orderOf } from '../../../../src/domain/versions/number.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { open } from '../../../../src/store/postgres/commands.ts'
import { SCHEMA_VERSION } from '../../../../src/store/postgres/migrations.ts'
import { FOUND, migratedParts } from '../../../../src/store/postgres/schema.ts'
import { OLD_HOOKS, upgradedHooks } from '../../../support/database/old-schemas.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { sourceOf } from '../../../support/source.ts'

const FOLDER = join(import.meta.dir, '../../../../drizzle/postgres')
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort()

const MIGRATIONS = FILES.map((name) => readFileSync(join(FOLDER, name), 'utf8'))

/** The first schema of any program. */
const FIRST = 2

/** The second migration as it was first built: every write raised the revision by one. */
const countedRevision = (MIGRATIONS[1] ?? '').replace(
  /\bUPDATE "changelogd" SET "raised_by" = pg_current_xact_id\(\),\s+"revision" = greatest\(.*::bigint\)\n/,
  'UPDATE "changelogd" SET "revision" = "revision" + 1, "raised_by" = pg_current_xact_id()\n',
)

/** Every schema that a database on PostgreSQL has ever had. */
const OLD_SCHEMAS = [
  { name: '2, as first built', schema: 2, statements: [MIGRATIONS[0] ?? '', countedRevision] },
  ...Array.from({ length: SCHEMA_VERSION - FIRST }, (_, at) => ({
    name: String(FIRST + at),
    schema: FIRST + at,
    statements: MIGRATIONS.slice(0, FIRST + at),
  })),
]

test.each(OLD_SCHEMAS)(
  'a database of schema $name keeps its versions and their counts, and can have scheduled ones',
  async ({ schema, statements }) => {
    await using undo = new AsyncDisposableStack()
    const cluster = await postgres()
    const database = await cluster.create({ bare: true })
    undo.defer(() => cluster.drop(database))
    const sql = undo.use(new SQL(database, { max: 1 }))
    for (const statement of statements) await sql.unsafe(statement).simple()
    await sql.unsafe(`update changelogd set schema = ${schema}, oldest_program = 2`)
    await sql
      .unsafe(
        `insert into team values ('team_1', 'acme', 'Acme', 'public', 'paid', 1);
        insert into product values ('prod_1', 'team_1', 'app', 'App', 'published', 2);
        insert into changelog values ('clog_1', 'prod_1', 'Log', 'published', null);
        insert into version (id, changelog_id, label, title, status, published_at, dated, created_at)
          values ('ver_1', 'clog_1', '1.0', 'One', 'published', 3, true, 4), ('ver_2', 'clog_1', '2.0', 'Two', 'draft', 5, false, 6);
        insert into change (id, version_id, position, type, title) values ('chg_1', 'ver_1', 1, 'added', 'a');`,
      )
      .simple()

    if (schema >= 9)
      await sql.unsafe(`insert into source values
        ('src_1', 'prod_1', 'https://example.org/acme/app', 'auto', null, null, null, false, 'app@', 900000, true, false, '/run/token', 41)`)

    if (schema >= 10) await sql.unsafe(OLD_HOOKS)

    const store = await open(database, 'write', createWaiting(), () => 100)
    undo.defer(() => store.close())
    expect(store.migration).toEqual({ steps: SCHEMA_VERSION - schema, schema: SCHEMA_VERSION, backup: null })
    const states = await store.transaction(async ({ products, versions }) => {
      const product = await products.find('acme', 'app')
      if (!product) throw new Error('the product is gone')
      const [draft] = await versions.list(product)
      if (draft) await versions.update(product, draft, { scheduled: true, date: 200 }, 100)
      return (await versions.list(product)).map(({ label, status, scheduled, publishedAt, changeCount }) => [
        ...[label, status, scheduled, publishedAt, changeCount],
      ])
    })
    expect(states).toEqual([
      ['2.0', 'draft', true, 200, 0],
      ['1.0', 'published', false, 3, 1],
    ])
    const added = await store.transaction(async ({ sources, hooks, products }) => {
      const product = await products.find('acme', 'app')
      if (!product) throw new Error('the product is gone')
      const kept = await sources.find(product)
      expect(kept?.id ?? null).toBe(schema >= 9 ? 'src_1' : null)
      // Taking pictures in would edit releases that were announced long ago.
      expect(kept?.pictures ?? false).toBe(schema >= 25)
      const source = await sources.put(product, kept ?? sourceOf('https://example.org/acme/app'))
      const named = (await hooks.list()).map(({ id, name, events }) => [id, name, events.join()])
      expect(named).toEqual(upgradedHooks(schema, 12))
      const hook = { product, kind: 'webhook', url: 'https://example.org/' } as const
      return [source.id, (await hooks.create(product.team, hook, 100)).id]
    })
    const ids = "select id from source union all select id from hook where name = 'example.org'"
    expect(await sql.unsafe(ids).values()).toEqual(added.map((id) => [id]))
    // As a program of an older schema adds one.
    await sql.unsafe(
      OLD_HOOKS.replace(/\n.*'hk_[2-6]'.*/g, '')
        .replaceAll('hk_1', 'hk_old')
        .replace(/,$/, ''),
    )
    const old = await store.snapshot(({ hooks }) => hooks.find('hk_old'))
    expect([old?.name, old?.events]).toEqual(['hk_old', ['published', 'updated', 'withdrawn']])
    expect(await sql.unsafe('select label, kinds, precedence from version order by 1').values()).toEqual([
      ['1.0', `1:${COUNTING}/added=1`, orderOf('1.0')],
      ['2.0', `0:${COUNTING}/`, orderOf('2.0')],
    ])
    expect(
      await sql.unsafe('select version_id, status, published_at from public_version order by 1').values(),
    ).toEqual([
      ['ver_1', 'published', '3'],
      ['ver_2', 'scheduled', '200'],
    ])
  },
)

test('the list of what the migrations create is what a new database has, but for what PostgreSQL names itself', async () => {
  await using undo = new AsyncDisposableStack()
  const cluster = await postgres()
  const database = await cluster.create({ bare: false })
  undo.defer(() => cluster.drop(database))
  const sql = undo.use(new SQL(database, { max: 1 }))
  const found = (await sql.unsafe(FOUND).values()).map(([part]: unknown[]) => String(part))
  const listed = migratedParts()
  expect([...listed.keys()].filter((part) => !found.includes(part))).toEqual([])
  const constraints = new Set([...listed.keys()].map((part) => part.replace('constraint', 'index')))
  const own = (part: string) => !/_pkey$|_check$|_not_null$/.test(part) && !constraints.has(part)
  expect(found.filter((part: string) => !listed.has(part) && own(part))).toEqual([])
})
