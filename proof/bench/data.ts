import { Database } from 'bun:sqlite'
import { hashToken, newToken, tokenStart } from '../../src/domain/token.ts'
import { openNow } from '../../src/store/sqlite/commands.ts'

/** A database made for measuring, and how to ask for what is in it. */
export interface Dataset {
  path: string
  teams: number
  productsPerTeam: number
  versionsPerProduct: number
  /** A FULL key of the first team. */
  token: string
}

export type Shape = Omit<Dataset, 'path' | 'token'>

export const SHAPES = {
  /** 3.8 KB as JSON: what most changelogs are. */
  small: { teams: 1, productsPerTeam: 1, versionsPerProduct: 20 },
  /** 92 KB. */
  medium: { teams: 1, productsPerTeam: 1, versionsPerProduct: 500 },
  /** 1.9 MB. */
  large: { teams: 1, productsPerTeam: 1, versionsPerProduct: 10_000 },
  /** A million versions in 50,000 products. */
  million: { teams: 500, productsPerTeam: 100, versionsPerProduct: 20 },
} as const satisfies Record<string, Shape>

export const publicPath = (team = 0, product = 0) =>
  `/api/v1/public/teams/team-${team}/products/product-${product}/changelog`

export const keyedPath = (team = 0, product = 0) =>
  `/api/v1/teams/team-${team}/products/product-${product}/changelog`

/** 2020-01-01, and a release every so often after it. */
const FIRST_RELEASE = 1_577_836_800_000
const BETWEEN_RELEASES = 7_654_321

/** A version of the one product of a database by its number: its label, its date and its id. */
export const versionOf = (number: number) => ({
  label: `1.${number}.0`,
  publishedAt: FIRST_RELEASE + number * BETWEEN_RELEASES,
  id: `ver_${String(number).padStart(26, '0')}`,
})

/**
 * Fills a new database, the same way every time. SQLite makes the rows by itself, each table in the order of
 * its key, and indexes and triggers afterwards, so a million versions take seconds. Products take turns in releasing, as
 * they would over years: the versions of one lie far from each other in the file.
 */
export function generate(path: string, shape: Shape): Dataset {
  const { teams, productsPerTeam, versionsPerProduct } = shape
  const products = teams * productsPerTeam
  const versions = products * versionsPerProduct
  const token = newToken()
  openNow(path, 'create').close()
  const db = new Database(path)
  db.run('PRAGMA journal_mode = OFF')
  db.run('PRAGMA synchronous = OFF')
  db.run('PRAGMA foreign_keys = OFF')

  const helpers = db
    .query<{ type: string; name: string; sql: string }, []>(
      `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all()
  for (const { type, name } of helpers) db.run(`DROP ${type} "${name}"`)

  db.run('BEGIN')
  db.run(
    `INSERT INTO team (id, slug, name, visibility, plan, created_at)
     SELECT ${id('team', 'n')}, 'team-' || n, 'Team ' || n, 'public', 'paid', ${FIRST_RELEASE} FROM ${numbers(teams)}`,
  )
  db.run(
    `INSERT INTO product (id, team_id, slug, name, status, created_at)
     SELECT ${id('prod', 'n')}, ${id('team', `n / ${productsPerTeam}`)}, 'product-' || (n % ${productsPerTeam}),
       'Product ' || (n % ${productsPerTeam}), 'published', ${FIRST_RELEASE} FROM ${numbers(products)}`,
  )
  db.run(
    `INSERT INTO changelog (id, product_id, name, status)
     SELECT ${id('clog', 'n')}, ${id('prod', 'n')}, 'Changelog', 'published' FROM ${numbers(products)}`,
  )
  db.run(
    `INSERT INTO version (id, changelog_id, label, precedence, title, status, published_at, dated, created_at, change_count)
     SELECT ${id('ver', 'n')}, ${id('clog', `n % ${products}`)}, '1.' || (n / ${products}) || '.0',
       ${precedence(`n / ${products}`)}, 'Release ' || (n / ${products}), 'published',
       ${FIRST_RELEASE} + n / ${products} * ${BETWEEN_RELEASES} + n % ${products}, 1, ${FIRST_RELEASE},
       ${changesOf('n', products)}
     FROM ${numbers(versions)}`,
  )
  db.run(
    `INSERT INTO change (id, version_id, position, type, title)
     SELECT ${id('chg', 'n * 4 + place')}, ${id('ver', 'n')}, place, 'fixed', 'Something works that did not ' || place
     FROM ${numbers(versions)}, (SELECT value AS place FROM json_each('[0,1,2,3]')) WHERE place < ${changesOf('n', products)}`,
  )
  db.run(
    `INSERT INTO api_key (id, team_id, kind, status, label, created_at)
     VALUES (${id('key', '0')}, ${id('team', '0')}, 'FULL', 'active', 'bench', ${FIRST_RELEASE})`,
  )
  db.run(`INSERT INTO api_key_token (hash, key_id, start, created_at) VALUES (?, ${id('key', '0')}, ?, ?)`, [
    hashToken(token),
    tokenStart(token),
    FIRST_RELEASE,
  ])
  for (const { sql } of helpers) db.run(sql)
  db.run('COMMIT')
  db.run('PRAGMA journal_mode = WAL')
  db.close()
  return { path, ...shape, token }
}

/** An id that has the form of a real one and sorts by `number`. */
const id = (prefix: string, number: string) => `printf('${prefix}_%026d', ${number})`

/** That of the label `1.NUMBER.0`, as `precedenceOf` writes it. */
const precedence = (number: string) =>
  `'0011' || printf('%03d%d', length(${number}), ${number}) || '00100010~'`

/** How many changes the version with this number has: 0 to 4. */
const changesOf = (number: string, products: number) => `(${number} + ${number} / ${products}) * 7 % 5`

/** A table of one column `n`, from 0 up. */
const numbers = (count: number) =>
  `(WITH RECURSIVE counting(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counting WHERE n + 1 < ${count}) SELECT n FROM counting)`
