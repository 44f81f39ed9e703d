import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { ChangeDraft, Product, Version } from '../../../src/domain/records.ts'
import {
  COUNTING,
  countKinds,
  DERIVING,
  derivedOf,
  readCounts,
} from '../../../src/domain/versions/derived.ts'
import { orderOf } from '../../../src/domain/versions/number.ts'
import { CHANGE_TEXT_NAMES, VERSION_TEXT_NAMES } from '../../../src/domain/versions/properties.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'
import type { Records } from '../../../src/store/records/records.ts'
import type { WritableStore } from '../../../src/store/store.ts'
import { scratch } from '../../support/scratch.ts'
import type { Seeder } from '../../support/seed.ts'
import { ENGINES, newDatabase } from '../../support/servers/server.ts'

const NOW = Date.UTC(2026, 0, 2)
const change = (type: string, title = type): ChangeDraft => ({ type, title, description: null })

test('counts are in the order of the kinds; what breaks or is about security counts as that too', () => {
  const changes = [
    ...[change('fixed'), change('added', 'feat!: x'), change('breaking'), change('contributors')],
    ...[change('core'), change('fixed', 'Fix XSS'), change('security')],
  ]
  const { kinds } = derivedOf({ label: '1.0.0', changes })
  expect(kinds).toBe(`7:${COUNTING}/breaking=2,added=1,fixed=2,security=2,other=2`)
  expect(readCounts(kinds)).toEqual(countKinds(changes))
  expect(readCounts(derivedOf({ label: 'x', changes: [] }).kinds)?.size).toBe(0)
  expect(
    readCounts(derivedOf({ label: 'x', changes: [], description: '## Breaking changes' }).kinds)?.get(
      'breaking',
    ),
  ).toBe(0)
  // Unknown, or by other rules.
  for (const kinds of [null, '1:added=1', `1:${COUNTING + 1}/added=1`]) expect(readCounts(kinds)).toBeNull()
})

describe.each(ENGINES)('on %s, what is derived from a version', (engine) => {
  let directory: ReturnType<typeof scratch>
  let store: WritableStore
  let seed: Seeder
  let database: string
  let changelogId: string
  let id: string
  beforeEach(async () => {
    directory = scratch()
    const created = await newDatabase(engine, directory.path)
    seed = created.seed
    database = created.database
    store = await open(created.database, 'write', createWaiting(), () => NOW)
    changelogId = seed.product(seed.team('acme'), 'app').changelogId
    id = seed.version(changelogId, '1.0.0', {
      changes: [
        { type: 'added', title: 'added' },
        { type: 'fixed', title: 'fixed' },
      ],
    })
  })
  afterEach(() => {
    store.close()
    seed.db.close()
    directory[Symbol.dispose]()
  })

  const opened = () => new SQL(engine === 'SQLite' ? `sqlite://${database}` : database)
  const stored = async () => {
    await using sql = opened()
    return [
      ...(await sql
        .unsafe('SELECT label, kinds, precedence, change_count FROM version ORDER BY label')
        .values()),
    ]
  }
  const row = (label: string, ...types: string[]) => {
    const { kinds, precedence } = derivedOf({ label, changes: types.map((type) => change(type)) })
    return [label, kinds, precedence, types.length]
  }
  const write = (work: (records: Records, product: Product, version: Version) => Promise<unknown>) =>
    store.transaction(async (records) => {
      const product = await records.products.find('acme', 'app')
      const version = product && (await records.versions.find(product, '1.0.0'))
      if (!product || !version) throw new Error('nothing to write to')
      await work(records, product, version)
    })

  test('is there for what a command creates, and follows every write of one', async () => {
    await write(({ changes }, product, version) => changes.add(product, version, change('security'), null))
    expect(await stored()).toEqual([row('1.0.0', 'added', 'fixed', 'security')])
    await write(async ({ changes }, _, version) => {
      const [first] = await changes.list(version)
      const found = first && (await changes.find(first.id))
      if (found) await changes.update(found, { type: 'removed', title: 'removed' })
    })
    expect(await stored()).toEqual([row('1.0.0', 'removed', 'fixed', 'security')])
    await write(async ({ changes }, _, version) => {
      const [first] = await changes.list(version)
      const found = first && (await changes.find(first.id))
      if (found) await changes.delete(found)
    })
    expect(await stored()).toEqual([row('1.0.0', 'fixed', 'security')])
    await write(({ versions }, product, version) =>
      versions.update(product, version, { label: '1.0.1' }, NOW),
    )
    expect(await stored()).toEqual([row('1.0.1', 'fixed', 'security')])
    await store.transaction(async ({ products, versions }) => {
      const product = (await products.find('acme', 'app')) as Product
      const empty = { title: '2.0.0', status: 'draft', date: null, description: null } as const
      await versions.create(product, { label: '2.0.0', ...empty }, NOW)
    })
    expect(await stored()).toEqual([row('1.0.1', 'fixed', 'security'), row('2.0.0')])
  })

  test('is not known after a program of the older schema wrote, until the next command', async () => {
    seed.db.run("UPDATE change SET title = 'feat!: x' WHERE type = 'added'", [])
    expect(await stored()).toEqual([['1.0.0', null, expect.anything(), 2]])
    seed.db.run(
      "INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at) VALUES ('ver_old', ?, '3.0.0', 'x', 'draft', 1, TRUE, 1)",
      [changelogId],
    )
    seed.db.run('UPDATE version SET label = ? WHERE id = ?', ['1.5.0', id])
    expect(await stored()).toEqual([
      ['1.5.0', null, null, 2],
      ['3.0.0', null, null, 0],
    ])
    await store.transaction(async () => {})
    const [, , precedence] = row('1.5.0')
    expect(await stored()).toEqual([
      ['1.5.0', `2:${COUNTING}/breaking=1,added=1,fixed=1`, precedence, 2],
      row('3.0.0'),
    ])
  })

  test('is made anew after a program with older rules counted, and after the introduction changed', async () => {
    seed.db.run("UPDATE version SET kinds = '2:1/0:added=1,fixed=1', derived_by = 1", [])
    await store.transaction(async () => {})
    expect(await stored()).toEqual([row('1.0.0', 'added', 'fixed')])
    for (const [description, kinds] of [
      ['**Breaking:** rename yours', `2:${COUNTING}/breaking,added=1,fixed=1`],
      [null, `2:${COUNTING}/added=1,fixed=1`],
    ] as const) {
      await write(({ versions }, product, version) => versions.update(product, version, { description }, NOW))
      expect((await stored())[0]?.[1]).toBe(kinds)
    }
  })

  test('is made anew after older rules read its number, with all that follows from it, and not after newer ones', async () => {
    const old = { label: '7.88.1-10', key: '00170028800110010000210!' }
    seed.version(changelogId, old.label, { status: 'published' })
    seed.version(changelogId, '2.0.0rc1', { status: 'published' })
    const rules = (derivedBy: number) =>
      seed.db.run(
        `UPDATE version SET derived_by = ${derivedBy}, precedence = CASE label WHEN '${old.label}' THEN '${old.key}' END WHERE label <> '1.0.0'`,
        [],
      )
    const stable = async () => {
      await using sql = opened()
      return await sql
        .unsafe(
          'SELECT public_version.prerelease FROM public_version JOIN version ON id = version_id ORDER BY label',
        )
        .values()
    }
    rules(2)
    const before = (await stable()).flat().map(Boolean)
    await store.transaction(async () => {})
    const after = (await stable()).flat().map(Boolean)
    expect([before, after]).toEqual([
      [false, false, true],
      [false, true, false],
    ])
    expect((await stored()).slice(1)).toEqual([row('2.0.0rc1'), row(old.label)])
    rules(99)
    await store.transaction(async () => {})
    expect((await stored()).map(([, , key]) => key)).toContain(old.key)
  })

  test('is made anew after older rules took a day for a number and what may break for what is said', async () => {
    const changes = [{ type: 'removed', title: 'Drop support for Node 18' }]
    seed.version(changelogId, 'November 12, 2026', { changes })
    const wrong = `precedence = '00000012~', kinds = '1:${COUNTING}/breaking=1'`
    seed.db.run(`UPDATE version SET ${wrong}, derived_by = ${DERIVING - 1} WHERE label <> '1.0.0'`, [])
    await store.transaction(async () => {})
    expect((await stored())[1]?.slice(0, 3)).toEqual([
      'November 12, 2026',
      `1:${COUNTING}/removed=1`,
      orderOf('2026-11-12'),
    ])
  })

  // The schema keeps older programs away from a SQLite file.
  const testPostgres = engine === 'PostgreSQL' ? test : () => {}
  testPostgres('is made anew after a program of an older schema counted', async () => {
    seed.db.run("UPDATE change SET title = 'feat!: x' WHERE type = 'added'", [])
    seed.db.run(`UPDATE version SET kinds = '2:${COUNTING}/added=1,fixed=1'`, [])
    await store.transaction(async () => {})
    expect((await stored())[0]?.[1]).toBe(`2:${COUNTING}/breaking=1,added=1,fixed=1`)
  })

  test('is not known after anybody wrote a text, so that hooks are told of it', async () => {
    for (const [table, texts] of Object.entries({ version: VERSION_TEXT_NAMES, change: CHANGE_TEXT_NAMES }))
      for (const text of texts) {
        seed.db.run(`UPDATE ${table} SET ${text} = 'Another text'`, [])
        const kinds = (await stored()).map(([, kinds]) => kinds)
        expect({ table, text, kinds }).toEqual({ table, text, kinds: [null] })
        await store.transaction(async () => {})
      }
  })
})
