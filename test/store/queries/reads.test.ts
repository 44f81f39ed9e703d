import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readStatements } from '../../../src/store/queries/statements.ts'
import { openForServing } from '../../../src/store/sqlite/serve.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'

describe('the statements of the serving side', () => {
  const directory = scratch()
  let seed: ReturnType<typeof seeder>

  beforeAll(() => {
    seed = seeder(join(directory.path, 'x.db'))
    // The planner decides by sizes: give it some.
    seed.db.transaction(() => {
      for (let team = 0; team < 20; team++) {
        const teamId = seed.team(`team-${team}`)
        for (let product = 0; product < 10; product++) {
          const { id, changelogId } = seed.product(teamId, `product-${product}`)
          for (let version = 0; version < 10; version++)
            seed.version(changelogId, `${version}`, { changes: [{ type: 'added', title: 'x' }] })
          seed.key(teamId, { kind: 'SELECT', products: [id] })
        }
      }
    })()
    seed.db.run('ANALYZE')
  })
  afterAll(() => {
    seed.db.close()
    directory[Symbol.dispose]()
  })

  test('each goes by an index, scans nothing and sorts nothing', () => {
    const { anyTeam: _, grant, attachedProducts, forPublic, forKey } = readStatements()
    const named = Object.entries({
      grant,
      attachedProducts,
      ...Object.fromEntries(
        Object.entries(forPublic).map(([name, statement]) => [`public ${name}`, statement]),
      ),
      ...Object.fromEntries(Object.entries(forKey).map(([name, statement]) => [`keyed ${name}`, statement])),
    })
    expect(named.length).toBe(14)
    for (const analyzed of [true, false]) {
      if (!analyzed) seed.db.run('DELETE FROM sqlite_stat1')
      for (const [name, { sql }] of named) {
        const plan = seed.db
          .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => detail)
        expect(plan.length).toBeGreaterThan(0)
        for (const step of plan)
          expect({ name, step, ok: !/^SCAN|TEMP B-TREE|AUTOMATIC/.test(step) }).toEqual({
            name,
            step,
            ok: true,
          })
      }
    }
  })

  test('the changes of a page are looked for in the page alone', () => {
    const { forPublic, forKey } = readStatements()
    for (const { changesBetween } of [forPublic, forKey]) {
      const [first] = seed.db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${changesBetween.sql}`).all()
      expect(first?.detail).toContain('(published_at,id)>(?,?) AND (published_at,id)<(?,?)')
    }
  })

  test('none is planned anew for each of its values', () => {
    const { forPublic, forKey } = readStatements()
    for (const { sql } of [forPublic, forKey].flatMap(Object.values<{ sql: string }>))
      expect(sql).not.toMatch(/limit \?$/)
  })
})

describe('openForServing', () => {
  test('the connection that serves cannot write, whatever is asked of it', async () => {
    using directory = scratch()
    const path = join(directory.path, 'x.db')
    const seed = seeder(path)
    seed.team('acme')
    const store = openForServing(path)
    const { client } = store as unknown as { client?: unknown }
    expect(client).toBeUndefined()
    await store.ping()
    const before = store.revision()
    expect(store.revision()).toBe(before)
    seed.team('other')
    expect(store.revision()).not.toBe(before)
    store.close()
    seed.db.close()
  })
})
