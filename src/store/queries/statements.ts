import {
  and,
  asc,
  Column,
  desc,
  eq,
  gt,
  gte,
  is,
  isNull,
  or,
  Placeholder,
  type Query,
  SQL,
  sql,
  type Table,
} from 'drizzle-orm'
import type { Tables } from '../schema.ts'
import { keyedRule, publicRule, type Rule } from '../visibility.ts'
import { DIALECTS, type Dialect } from './dialects.ts'

/** A statement: its SQL, its parameters and the columns of its rows, in order. */
export interface Statement<Row> {
  sql: string
  /** What is bound: a value that the caller gives by name, or a constant. */
  parameters: ({ name: string } | { value: string | number })[]
  /** The path of each column in the object of a row. */
  columns: string[][]
  /** The places of the columns that PostgreSQL sends as text though they are numbers. */
  longNumbers: number[]
  /** Never set: it only carries the type of a row. */
  row?: Row
}

export type Statements = ReturnType<typeof readStatements>

/**
 * Every read of the server, written in Drizzle. It is called as a macro: when the program is built or, from the
 * source, loaded. So a server has the SQL as text, and never loads Drizzle.
 */
export function readStatements(name: keyof typeof DIALECTS) {
  const dialect = DIALECTS[name]
  const { builder, tables } = dialect
  const { products, keyProducts, teams } = tables
  return {
    forPublic: statementsFor(dialect, publicRule(tables)),
    forKey: statementsFor(dialect, keyedRule(tables)),
    grant: statement(grant(dialect)),
    attachedProducts: statement(
      builder
        .select({ slug: products.slug })
        .from(keyProducts)
        .innerJoin(products, eq(products.id, keyProducts.productId))
        .where(eq(keyProducts.keyId, sql.placeholder('keyId'))),
    ),
    anyTeam: statement(builder.select({ id: teams.id }).from(teams).limit(1)),
  }
}

const infoColumns = ({ teams, products, changelogs }: Tables) => ({
  team: { slug: teams.slug, name: teams.name },
  product: { slug: products.slug, name: products.name },
  changelog: { id: changelogs.id, name: changelogs.name, status: changelogs.status },
})

const summaryColumns = ({ versions }: Tables) => ({
  id: versions.id,
  label: versions.label,
  title: versions.title,
  status: versions.status,
  publishedAt: versions.publishedAt,
  changeCount: versions.changeCount,
})

const contentColumns = (tables: Tables) => ({
  ...summaryColumns(tables),
  description: tables.versions.description,
})

const changeColumns = ({ changes }: Tables) => ({
  id: changes.id,
  type: changes.type,
  typeLabel: changes.typeLabel,
  title: changes.title,
  description: changes.description,
})

/**
 * The key of the row that a condition finds or, if it finds none, the first key of the table. So a lookup of what does
 * not exist reads a row like a lookup of what does, and takes as long. Both subqueries always run, unlike those of
 * `coalesce`.
 */
const foundOrFirst = (
  { larger, least }: Dialect,
  key: SQL | Column,
  table: Table,
  condition: SQL | undefined,
): SQL =>
  larger(
    sql`coalesce((select ${key} from ${table} where ${condition}), ${least})`,
    sql`(select min(${key}) from ${table})`,
  )

function statementsFor(dialect: Dialect, rule: Rule) {
  const { builder, tables, keyOf, limit, checkedLast } = dialect
  const { teams, products, changelogs, versions, changes } = tables
  const namedTeam = eq(teams.slug, sql.placeholder('team'))
  const namedProduct = eq(products.slug, sql.placeholder('product'))
  const teamId = sql`(select ${teams.id} from ${teams} where ${eq(
    keyOf(teams),
    foundOrFirst(dialect, keyOf(teams), teams, namedTeam),
  )})`
  const ownProduct = and(eq(products.teamId, teamId), namedProduct)
  const after = and(
    eq(versions.changelogId, sql.placeholder('changelogId')),
    rule.version,
    sql`(${versions.publishedAt}, ${versions.id}) < (${sql.placeholder('afterAt')}, ${sql.placeholder('afterId')})`,
  )
  const namedVersion = eq(versions.id, sql.placeholder('id'))
  const inRange = and(after, gte(versions.publishedAt, sql.placeholder('since')))
  const newestFirst = [desc(versions.publishedAt), desc(versions.id)]

  return {
    // What is hidden takes the same steps as what does not exist: see `foundOrFirst`.
    info: statement(
      builder
        .select(infoColumns(tables))
        .from(products)
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(
          and(
            eq(keyOf(products), foundOrFirst(dialect, keyOf(products), products, ownProduct)),
            checkedLast(and(namedTeam, namedProduct, rule.changelog)),
          ),
        ),
    ),

    summaries: statement(
      builder
        .select(summaryColumns(tables))
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(limit),
    ),

    contents: statement(
      builder
        .select(contentColumns(tables))
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(limit),
    ),

    changesBetween: statement(
      builder
        .select({ versionId: changes.versionId, ...changeColumns(tables) })
        .from(versions)
        .innerJoin(changes, eq(changes.versionId, versions.id))
        .where(
          and(
            // The last version ends the page. With `since` too, the index would be walked as far as that.
            after,
            sql`(${versions.publishedAt}, ${versions.id}) >= (${sql.placeholder('lastAt')}, ${sql.placeholder('lastId')})`,
          ),
        )
        .orderBy(...newestFirst, asc(changes.position), asc(changes.id)),
    ),

    // Within a changelog that `info` found.
    version: statement(
      builder
        .select(contentColumns(tables))
        .from(versions)
        .where(
          and(
            eq(versions.id, foundOrFirst(dialect, versions.id, versions, namedVersion)),
            checkedLast(
              and(namedVersion, eq(versions.changelogId, sql.placeholder('changelogId')), rule.version),
            ),
          ),
        ),
    ),

    changesOf: statement(
      builder
        .select(changeColumns(tables))
        .from(changes)
        .where(eq(changes.versionId, sql.placeholder('id')))
        .orderBy(asc(changes.position), asc(changes.id)),
    ),
  }
}

/** Unknown, disabled and expired tokens take the same steps: see `foundOrFirst`. */
function grant(dialect: Dialect) {
  const { builder, checkedLast } = dialect
  const { teams, keys, keyTokens } = dialect.tables
  const now = sql.placeholder('now')
  const isNamed = eq(keyTokens.hash, sql.placeholder('hash'))
  return builder
    .select({
      keyId: keys.id,
      teamId: teams.id,
      teamSlug: teams.slug,
      kind: keys.kind,
      keyExpiresAt: keys.expiresAt,
      tokenExpiresAt: keyTokens.expiresAt,
    })
    .from(keyTokens)
    .innerJoin(keys, eq(keys.id, keyTokens.keyId))
    .innerJoin(teams, eq(teams.id, keys.teamId))
    .where(
      and(
        eq(keyTokens.hash, foundOrFirst(dialect, keyTokens.hash, keyTokens, isNamed)),
        checkedLast(
          and(
            isNamed,
            eq(keys.status, 'active'),
            or(isNull(keys.expiresAt), gt(keys.expiresAt, now)),
            or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, now)),
          ),
        ),
      ),
    )
}

/** What is used of a Drizzle query. */
interface Built<Row> {
  toSQL(): Query
  _: { selectedFields: object; result: Row[] }
}

function statement<Row>(query: Built<Row>): Statement<Row> {
  const { sql, params } = query.toSQL()
  const parameters = params.map((param) =>
    is(param, Placeholder) ? { name: param.name } : { value: param as string | number },
  )
  const fields = columnsOf(query._.selectedFields)
  return {
    sql,
    parameters,
    columns: fields.map(({ path }) => path),
    longNumbers: fields.flatMap(({ field }, at) =>
      is(field, Column) && field.getSQLType() === 'bigint' ? [at] : [],
    ),
  }
}

/** Each column and its path, in the order in which Drizzle selects them. */
const columnsOf = (fields: object): { path: string[]; field: Column | SQL }[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    is(field, Column) || is(field, SQL)
      ? [{ path: [name], field }]
      : columnsOf(field).map((inner) => ({ ...inner, path: [name, ...inner.path] })),
  )
