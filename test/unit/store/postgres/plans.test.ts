import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { BY_INDEX, connect, serving } from '../../../../src/store/postgres/connect.ts'
import { readStatements } from '../../../../src/store/queries/dialects.ts'
import { statementsIn } from '../../../support/database/statements.ts'
import { postgres } from '../../../support/postgres/cluster.ts'

/** Enough rows that the planner has a reason to go by an index. */
const FILL = `
  insert into team select 'team_' || t, 'team-' || t, 'T', 'public', 'paid', 1 from generate_series(1, 1000) t;
  insert into product select 'prod_' || p, 'team_' || p, 'product-' || p, 'P', 'published', 1
    from generate_series(1, 1000) p;
  insert into changelog select 'clog_' || p, 'prod_' || p, 'C', 'published', null from generate_series(1, 1000) p;
  insert into version select 'ver_' || v, 'clog_' || (v % 1000 + 1), 'v' || v, 'V', 'published', v, true, v, 0, null
    from generate_series(1, 5000) v;
  insert into former_label select 'clog_' || (v % 1000 + 1), 'f' || v, 'ver_' || v from generate_series(1, 5000) v;
  insert into former_address select 'old-' || p, 'product-' || p, 'prod_' || p from generate_series(1, 1000) p;
  insert into change select 'chg_' || c, 'ver_' || (c % 5000 + 1), c / 5000 + 1, 'added', 'C', null
    from generate_series(1, 10000) c;
  insert into version_source select id, 'T', 'h' from version;
  insert into version_picture select changelog_id, 'x' || id, status, published_at, id from version;
  insert into picture select changelog_id, 'x' || id, 'png', 1, null, 'x' from version;
  insert into derived_picture select changelog_id, id, false from picture;
  insert into api_key select 'key_' || k, 'team_' || k, 'SELECT', 'active', '', 1, null from generate_series(1, 1000) k;
  insert into api_key_token select 'hash_' || k, 'key_' || k, 'clk', 1, null from generate_series(1, 1000) k;
  insert into api_key_product select 'key_' || k, 'prod_' || k, 'team_' || k from generate_series(1, 1000) k;
  update team set visibility = 'private' where id = 'team_2';
  insert into team select 'team_h' || t, 'hidden-' || t, 'T', 'private', 'paid', 1 from generate_series(1, 1000) t;
  insert into product select 'prod_h' || p, 'team_h' || p, 'product', 'P', 'published', 1 from generate_series(1, 1000) p;
  insert into changelog select 'clog_h' || p, 'prod_h' || p, 'C', 'published', null from generate_series(1, 1000) p;
  insert into version select 'ver_d' || v, 'clog_1', 'd' || v, 'V', 'draft', v, true, v, 0, null
    from generate_series(1, 2000) v;
  insert into version select 'ver_s' || v, 'clog_1', 's' || v, 'V', 'scheduled', 1e9 + v, true, v, 0, null
    from generate_series(1, 2000) v;
  insert into version select 'ver_p' || v, 'clog_h1', 'p' || v, 'V', 'scheduled', v, true, v, 0, null
    from generate_series(1, 2000) v;
  update api_key set status = 'disabled' where id = 'key_2';
  analyze`

/** After all that is published, and before all that is scheduled. */
const NOW = 1e6

let database: string
let sql: SQL

beforeAll(async () => {
  database = await (await postgres()).create()
  sql = new SQL(database, { max: 1 })
  await sql.unsafe(FILL).simple()
})
afterAll(() => sql.close({ timeout: 0 }))

test('no statement of the serving side is compiled, which takes longer than all of them together', async () => {
  const own = connect(database, serving(1))
  expect(await own.unsafe('show jit').values()).toEqual([['off']])
  await own.close({ timeout: 0 })
})

test('each read of the serving side goes by an index, and lists are sorted by it', async () => {
  // Asked once, at the start of a server.
  const { anyTeam: _, work: __, ...all } = readStatements('postgres')
  for (const [name, statement] of statementsIn(all)) {
    const rows = await sql.unsafe(`explain (generic_plan) ${statement.sql}`).simple().values()
    const plan = rows.flat().join('\n')
    expect({ name, plan, ok: !/Seq Scan/.test(plan) }).toEqual({ name, plan, ok: true })
    if (/^for\w+ (summaries|contents)$/.test(name)) expect(plan).not.toMatch(/-> {2}Sort|Incremental Sort/)
  }
})

/** The lines of a plan that was run. */
async function run(
  statement: { sql: string; parameters: object[] },
  values: Record<string, unknown>,
  { client = sql, buffers = 'off' } = {},
): Promise<string[]> {
  const given = statement.parameters.map((each) =>
    'name' in each ? values[String(each.name)] : Object.values(each)[0],
  )
  const rows = await client
    .unsafe(
      `explain (analyze, costs off, timing off, summary off, buffers ${buffers}) ${statement.sql}`,
      given,
    )
    .values()
  return rows.flat()
}

test('the lists of changelogs look at nothing that is hidden', async () => {
  const { directory } = readStatements('postgres')
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await sql.unsafe(`set plan_cache_mode = ${mode}`)
    const plan = await run(directory, { now: 1e15, team: 'hidden-1', product: '', lastTeam: '~', limit: 10 })
    expect(plan.join('\n')).toContain('public_product_team_slug_product_slug_pk')
    expect(plan.join('\n')).not.toContain('Rows Removed')
  }
})

test('nor do they before the tables are analyzed, in a team of which most is hidden', async () => {
  await using fresh = new SQL(await (await postgres()).create(), { max: 1, connection: BY_INDEX })
  await fresh
    .unsafe(`insert into team values ('team_1', 'acme', 'T', 'public', 'paid', 1);
      insert into product select 'prod_' || p, 'team_1', 'p' || p, 'P', case when p <= 3 then 'published' else 'draft' end, 1
        from generate_series(1, 1000) p;
      insert into changelog select 'clog_' || p, 'prod_' || p, 'C', 'published', null from generate_series(1, 1000) p`)
    .simple()
  const { directory, productsOfKey, productsOfSelect } = readStatements('postgres')
  const ofKey = { teamId: 'team_1', keyId: '', kind: 'FULL' }
  const values = { now: NOW, team: 'acme', product: '', lastTeam: 'acme', limit: 10, ...ofKey }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await fresh.unsafe(`set plan_cache_mode = ${mode}`)
    for (const read of [directory, productsOfKey, productsOfSelect])
      expect((await run(read, values, { client: fresh })).join('\n')).not.toMatch(/Rows Removed|Seq Scan/)
  }
})

test('timelines read only their page, of a team too that has most of all versions or few', async () => {
  const { ofSite, ofTeam } = readStatements('postgres').timeline
  const position = {
    now: NOW,
    afterAt: 5_000,
    afterId: '',
    dueAt: 5_000,
    dueId: '',
    thanAt: 5_000,
    thanId: '',
  }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await sql.unsafe(`set plan_cache_mode = ${mode}`)
    for (const [statements, index, teams] of [
      [ofSite, 'public_version_site', ['']],
      [ofTeam, 'public_version_team', ['team-1', 'team-3']],
    ] as const)
      for (const statement of [statements.entries, statements.newer])
        for (const team of teams) {
          const plan = (await run(statement, { ...position, team, limit: 3 })).join('\n')
          expect(plan).toContain(index)
          expect(plan).not.toMatch(/Rows Removed|Seq Scan/)
          for (const [, rows] of plan.matchAll(/public_version.*actual rows=(\d+)/g))
            expect(Number(rows)).toBeLessThanOrEqual(3)
        }
  }
})

test('the lists of versions look at no draft, and at nothing that is not due', async () => {
  const { newer, count, positions, kinds, summaries, dated, contents } = readStatements('postgres').forPublic
  const all = {
    afterAt: 1e15,
    afterId: '',
    dueAt: NOW + 1,
    dueId: '',
    skip: 0,
    beyondAt: -1,
    beyondId: '',
    thanAt: -1,
    thanId: '',
  }
  const lists = { newer, count, positions, kinds, summaries, dated, contents }
  const values = { now: NOW, limit: 10_000, ...all }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await sql.unsafe(`set plan_cache_mode = ${mode}`)
    for (const [name, statement] of Object.entries(lists)) {
      /** How many pages are read, the second time. */
      const pagesOf = async (changelogId: string) => {
        await run(statement, { ...values, changelogId })
        const plan = await run(statement, { ...values, changelogId }, { buffers: 'on' })
        const text = plan.join('\n')
        expect({ name, text }).toEqual({ name, text: expect.stringContaining('version_public') })
        expect({ name, text }).toEqual({ name, text: expect.not.stringContaining('Rows Removed') })
        return Number(/Buffers: shared hit=(\d+)/.exec(text)?.[1])
      }
      // Both have five versions; the index may be split between them.
      expect(await pagesOf('clog_1')).toBeLessThan((await pagesOf('clog_3')) + 8)
    }
  }
})

test('the newest version is found without a look at what is yanked or hidden', async () => {
  await using fresh = new SQL(await (await postgres()).create(), { max: 1, connection: BY_INDEX })
  const versions = (letter: string, status: string, yanked: string, at: string) =>
    `insert into version (id, changelog_id, label, title, status, published_at, dated, created_at, yanked)
      select 'ver_${letter}' || v, 'clog_1', '${letter}' || v, 'V', '${status}', ${at}, true, 1, ${yanked}
      from generate_series(1, 2000) v;`
  await fresh
    .unsafe(`insert into team values ('team_1', 'acme', 'T', 'public', 'paid', 1);
      insert into product values ('prod_1', 'team_1', 'p', 'P', 'published', 1);
      insert into changelog values ('clog_1', 'prod_1', 'C', 'published', null);
      ${versions('p', 'published', 'null', 'v')} ${versions('y', 'published', `''`, '10000 + v')}
      ${versions('d', 'draft', 'null', '20000 + v')} ${versions('s', 'scheduled', 'null', '1e9 + v')}
      ${versions('r', 'published', 'null', '30000 + v')} update version set prerelease = true where label like 'r%'; analyze`)
    .simple()
  const { directory, forPublic } = readStatements('postgres')
  const { newest } = forPublic
  const page = { team: '', product: '', lastTeam: '~', limit: 10 }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await fresh.unsafe(`set plan_cache_mode = ${mode}`)
    for (const [statement, index] of [
      [newest, 'version_latest'],
      [directory, 'version_latest'],
    ] as const) {
      const values = { now: NOW, changelogId: 'clog_1', ...page }
      const plan = (await run(statement, values, { client: fresh })).join('\n')
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/Rows Removed|Seq Scan on version|version_public/)
      for (const [, rows] of plan.matchAll(/ on version .*actual rows=(\d+)/g))
        expect(Number(rows)).toBeLessThanOrEqual(1)
    }
  }
})

test('what is between two versions is found without a look at what is hidden', async () => {
  await using fresh = new SQL(await (await postgres()).create(), { max: 1, connection: BY_INDEX })
  const versions = (letter: string, status: string, changelogs: number, count: number, at: string) =>
    `insert into version (id, changelog_id, label, title, status, published_at, dated, created_at, precedence)
      select 'ver_${letter}' || c || '_' || v, 'clog_' || c, '${letter}' || v, 'V', '${status}', ${at}, true, 1, lpad('' || v, 9, '0')
      from generate_series(1, ${count}) v, generate_series(1, ${changelogs}) c;`
  await fresh
    .unsafe(`insert into team values ('team_1', 'acme', 'T', 'public', 'paid', 1);
      insert into product select 'prod_' || p, 'team_1', 'p' || p, 'P', 'published', 1 from generate_series(1, 200) p;
      insert into changelog select 'clog_' || p, 'prod_' || p, 'C', 'published', null from generate_series(1, 200) p;
      ${versions('p', 'published', 200, 10, 'v')} ${versions('u', 'scheduled', 200, 5, 'v')}
      ${versions('d', 'draft', 1, 2_000, 'v')} ${versions('s', 'scheduled', 1, 2_000, '1e9 + v')} analyze`)
    .simple()
  const { forPublic } = readStatements('postgres')
  const { inSmallRange, inLargeRange, countBetween, highest, lowest } = forPublic
  const ranges = { inSmallRange, inLargeRange, countBetween, highest, lowest }
  const positions = { afterAt: 1e15, afterId: '', dueAt: NOW + 1, dueId: '', beyondAt: -1, beyondId: '' }
  const keys = { fromKey: '', toKey: ':' }
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await fresh.unsafe(`set plan_cache_mode = ${mode}`)
    for (const [name, statement] of statementsIn(ranges)) {
      const pagesOf = async (changelogId: string) => {
        const than = name.startsWith('lowest') ? '' : ':'
        const values = { now: NOW, limit: 10, ...positions, ...keys, than, changelogId }
        await run(statement, values, { client: fresh })
        const plan = (await run(statement, values, { client: fresh, buffers: 'on' })).join('\n')
        expect({ name, plan }).toEqual({ name, plan: expect.not.stringMatching(/Seq Scan on version/) })
        return Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
      }
      const [full, plain] = [await pagesOf('clog_1'), await pagesOf('clog_3')]
      expect({ name, mode, full, plain, ok: full < plain + 8 }).toEqual({ name, mode, full, plain, ok: true })
    }
  }
})

test('what is hidden, disabled or missing takes the same lookups', async () => {
  const { forPublic, grant } = readStatements('postgres')
  /** The nodes of a plan, and how often each ran. */
  const stepsOf = async (statement: { sql: string; parameters: object[] }, values: Record<string, unknown>) =>
    (await run(statement, values))
      .filter((line: string) => /loops=|never executed/.test(line))
      .map((line: string) => line.replace(/rows=[\d.]+/, ''))
  const product = (team: string, product: string) => stepsOf(forPublic.info, { team, product })
  const missing = await product('team-10x', 'product-10x')
  for (const index of ['team_slug_unique', 'product_slug', 'changelog_product_id_unique'])
    expect(
      missing.filter((step: string) => step.includes(index) && !step.includes('never executed')),
    ).not.toEqual([])
  expect(await product('team-2', 'product-2')).toEqual(missing)
  expect(await product('team-2', 'product-10x')).toEqual(missing)
  const token = (hash: string) => stepsOf(grant, { hash, now: 5 })
  expect(await token('hash_2')).toEqual(await token('hash_10x'))
})
