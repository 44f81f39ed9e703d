import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { DIALECTS, readStatements } from '../../../../src/store/queries/dialects.ts'
import { type Dialect, statement } from '../../../../src/store/queries/statement.ts'
import { openNow } from '../../../../src/store/sqlite/serve.ts'
import { statementsIn } from '../../../support/database/statements.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeder } from '../../../support/seed.ts'

describe('the statements of the serving side', () => {
  const directory = scratch()
  const seed = seeder(join(directory.path, 'x.db'))
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
  afterAll(() => {
    seed.db.close()
    directory[Symbol.dispose]()
  })

  const planOf = (sql: string): string[] =>
    seed.db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)

  test('each goes by an index, scans nothing and sorts nothing', () => {
    // Asked at the start alone, of few rows.
    const { anyTeam: _, work: __, ...all } = readStatements('sqlite')
    const named = statementsIn(all)
    expect(named.length).toBeGreaterThan(50)
    for (const analyzed of [true, false]) {
      if (!analyzed) seed.db.run('DELETE FROM sqlite_stat1')
      for (const [name, { sql }] of named) {
        const plan = planOf(sql)
        expect(plan.length).toBeGreaterThan(0)
        // What a subquery of a bounded number of rows has found is counted, or looked up.
        const counted = /^for(Public|Key) (filtered prereleases )?(count|kinds)$/.test(name)
        // What is between two versions by precedence is found by its keys, which are sorted, as are its rows.
        const ranged = /Range$|withIds |(alike|highest|stable|release|lowest|newest)$/.test(name)
        // The products attached to one key are sorted, and what is higher than the newest release.
        const attached = /^(directory|productsOf\w+)$/.test(name)
        const allowed = (step: string) =>
          !/^SCAN (?!(counted|few|recent|page|newest|found|higher|passed|near|json_each VIRTUAL.*)$)|AUTOMATIC/.test(
            step,
          ) &&
          (counted || ranged || attached || !step.includes('TEMP B-TREE'))
        for (const step of plan) expect({ name, step, ok: allowed(step) }).toEqual({ name, step, ok: true })
      }
    }
  })

  test('timelines walk an index of their own from their position on, and look up the rest', () => {
    const { timeline } = readStatements('sqlite')
    for (const [scope, index] of [
      ['ofTeam', 'public_version_team (team_id=? AND status=? AND'],
      ['ofSite', 'public_version_site (status=? AND'],
    ] as const)
      for (const { sql } of [timeline[scope].entries, timeline[scope].newer]) {
        const walked = planOf(sql).filter((step) => step.includes('public_version'))
        expect(walked).toHaveLength(2)
        for (const step of walked) expect(step).toContain(`USING COVERING INDEX ${index}`)
        for (const step of walked)
          expect(step).toMatch(/published_at<\?|\(published_at,version_id\)[<>]\(\?,\?\)/)
      }
  })

  test('what the public lists is found by indexes that have nothing hidden', () => {
    const { forPublic, directory, productsOfKey, productsOfSelect } = readStatements('sqlite')
    const { newer, count, positions, kinds, summaries, dated, contents } = forPublic
    const { inSmallRange, inLargeRange, countBetween, highest, lowest, newest } = forPublic
    const lists = { newer, count, positions, kinds, summaries, dated, contents, directory }
    const ofKeys = { productsOfKey, productsOfSelect }
    const ranges = { inSmallRange, inLargeRange, countBetween, highest, lowest }
    for (const [name, { sql }] of statementsIn({ newest, ...lists, ...ofKeys, ...ranges })) {
      const walked = planOf(sql)
        .filter((step) => /^SEARCH (version|public_product)/.test(step))
        // The rows of a page that was found.
        .filter((step) => !step.includes('INDEX version_id_unique (id=?)'))
      expect({ name, walked: walked.length > 0 }).toEqual({ name, walked: true })
      for (const step of walked) {
        expect(step).toMatch(
          /INDEX (version_(public|current|latest|range|precedence)|sqlite_autoindex_public_product_1) /,
        )
        if (step.startsWith('SEARCH version')) expect(step).toContain('changelog_id=? AND status=?')
        // Nor by what is yanked, which may be any number, unless it is higher than the newest release.
        if (/yanked is null/.test(sql))
          expect(step).toMatch(/version_(current|latest)|precedence>\?|version_range|public_product/)
      }
      if (name === 'directory') expect(walked[0]).toContain('AND team_slug<?')
      if (name === 'directory' || name in ofKeys) continue
      // What is scheduled is walked from what is due on, never from the newest.
      expect(walked.at(-1)).toMatch(/published_at<\?|\(published_at,id\)<\(\?,\?\)/)
    }
  })

  test('the products of a SELECT key are found by the key, whatever else its team has', () => {
    const plan = planOf(readStatements('sqlite').productsOfSelect.sql)
    const searches = plan.filter((step) => /^(SEARCH|SCAN) (?!version|page)/.test(step))
    expect(searches[0]).toMatch(/SEARCH api_key_product USING .*\(key_id=\?\)/)
    expect(plan.join('\n')).not.toMatch(/SCAN (?!page|found|higher|passed)|team_id=\? AND slug>\?/)
  })

  test('each for the public that reads versions or changelogs reads only what is published', () => {
    for (const engine of ['sqlite', 'postgres'] as const)
      for (const [name, statement] of statementsIn(readStatements(engine).forPublic)) {
        // Without its columns, which say by the same rule whether the date is known.
        const sql = statement.sql.slice(statement.sql.indexOf(' from '))
        const [versions, changelogs] = [/"version(_picture)?"/.test(sql), sql.includes('from "product"')]
        // Changes, sources and bytes are read by an id that another statement has found.
        expect([name, versions || changelogs]).toEqual([
          name,
          !/^(changesOf|changesOfAll|sourceOf|picture (bytes|small|card))$/.test(name),
        ])
        if (versions) expect([name, sql]).toEqual([name, expect.stringContaining(`<> 'draft' and`)])
        if (changelogs) expect([name, sql]).toEqual([name, expect.stringContaining('"visibility" = ')])
      }
  })

  test('a flag is a boolean, on either engine', () => {
    for (const { builder, tables } of Object.values<Dialect>(DIALECTS)) {
      const { conversions } = statement(
        builder.select({ id: tables.versions.id, dated: tables.versions.dated }).from(tables.versions),
      )
      expect(conversions).toEqual([{ at: 1, to: 'boolean' }])
    }
  })
})

test('the connection that serves cannot write', async () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  seed.team('acme')
  const contents = () => ({
    teams: seed.db.query('SELECT * FROM team').values(),
    schema: seed.db.query('SELECT * FROM sqlite_schema').values(),
    version: seed.db.query('PRAGMA user_version').values(),
  })
  // The store keeps its connection to itself, so it is caught where every connection is set up.
  using setUp = spyOn(Database.prototype, 'run')
  const store = openNow(path)
  const connections = new Set(setUp.mock.contexts as Database[])
  expect(connections.size).toBe(1)
  const [serving] = [...connections] as [Database]
  await store.ping()
  const [before, revision] = [contents(), store.revision()]
  for (const statement of [
    "INSERT INTO team VALUES ('team_2', 'b', 'B', 'public', 'free', 1, NULL)",
    "UPDATE team SET name = 'changed'",
    'DELETE FROM team',
    'CREATE TABLE extra (id TEXT)',
    'DROP TABLE change',
    'PRAGMA user_version = 7',
    'VACUUM',
  ])
    expect(() => serving.run(statement)).toThrow('readonly database')
  expect(contents()).toEqual(before)
  expect(store.revision()).toBe(revision)
  store.close()
  seed.db.close()
})
