import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  is,
  isNull,
  or,
  Placeholder,
  type Query,
  SQL,
  sql,
} from 'drizzle-orm'
import { QueryBuilder, SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { changelogs, changes, keyProducts, keys, keyTokens, products, teams, versions } from '../schema.ts'
import { KEYED, PUBLIC, type Rule } from '../visibility.ts'

/** A statement: its SQL, its parameters and the columns of its rows, in order. */
export interface Statement<Row> {
  sql: string
  /** What is bound: a value that the caller gives by name, or a constant. */
  parameters: ({ name: string } | { value: string | number })[]
  /** The path of each column in the object of a row. */
  columns: string[][]
  /** Never set: it only carries the type of a row. */
  row?: Row
}

const db = new QueryBuilder()

/**
 * Every read of the server, written in Drizzle. It is called as a macro: when the program is built or, from the
 * source, loaded. So a server has the SQL as text, and never loads Drizzle.
 */
export const readStatements = () => ({
  forPublic: statementsFor(PUBLIC),
  forKey: statementsFor(KEYED),
  grant: statement(grant()),
  attachedProducts: statement(
    db
      .select({ slug: products.slug })
      .from(keyProducts)
      .innerJoin(products, eq(products.id, keyProducts.productId))
      .where(eq(keyProducts.keyId, sql.placeholder('keyId'))),
  ),
  anyTeam: statement(db.select({ id: teams.id }).from(teams).limit(1)),
})

/**
 * The limit of a page. Not the parameter alone: SQLite would choose the plan by its value, and so prepare the
 * statement again for each read, which takes half as long as the read. (Drizzle accepts any SQL here; its types do not.)
 */
const LIMIT = sql`${sql.placeholder('limit')} + 0` as unknown as Placeholder

/** A number that is written into the SQL, for the same reason. */
const literal = (number: number) => sql.raw(String(number)) as unknown as Placeholder

/** How many versions are searched at once for changes of some types. */
const SEARCHED_AT_ONCE = 250

const infoColumns = {
  team: { slug: teams.slug, name: teams.name },
  product: { slug: products.slug, name: products.name },
  changelog: { id: changelogs.id, name: changelogs.name, status: changelogs.status },
}

const summaryColumns = {
  id: versions.id,
  label: versions.label,
  title: versions.title,
  status: versions.status,
  publishedAt: versions.publishedAt,
  changeCount: versions.changeCount,
}

const positionColumns = { id: versions.id, publishedAt: versions.publishedAt }

const contentColumns = { ...summaryColumns, description: versions.description }

const changeColumns = {
  id: changes.id,
  type: changes.type,
  typeLabel: changes.typeLabel,
  title: changes.title,
  description: changes.description,
}

/** SQLite's own key of a row. Every index holds it, so finding it reads no row. */
const ROWID = sql.raw('rowid')

/**
 * The key of the row that a condition finds or, if it finds none, the first key of the table. So a lookup of what does
 * not exist reads a row like a lookup of what does, and takes as long. Both subqueries always run, unlike those of
 * `coalesce`. For SQLite, 0 is less than any text.
 */
const foundOrFirst = (key: SQL | SQLiteColumn, table: SQLiteTable, condition: SQL | undefined) =>
  sql`max(coalesce((select ${key} from ${table} where ${condition}), 0), (select min(${key}) from ${table}))`

/**
 * A condition that is checked last, on the row that all lookups led to: SQLite checks others as early as it can, and a
 * lookup that ends early takes less time.
 */
const checkedLast = (...conditions: (SQL | undefined)[]) => sql`(${and(...conditions)}) = true`

function statementsFor(rule: Rule) {
  const namedTeam = eq(teams.slug, sql.placeholder('team'))
  const namedProduct = eq(products.slug, sql.placeholder('product'))
  const teamId = sql`(select ${teams.id} from ${teams} where rowid = ${foundOrFirst(ROWID, teams, namedTeam)})`
  const after = and(
    eq(versions.changelogId, sql.placeholder('changelogId')),
    rule.version,
    sql`(${versions.publishedAt}, ${versions.id}) < (${sql.placeholder('afterAt')}, ${sql.placeholder('afterId')})`,
  )
  const inRange = and(
    after,
    sql`(${versions.publishedAt}, ${versions.id}) > (${sql.placeholder('beyondAt')}, ${sql.placeholder('beyondId')})`,
  )
  const upToLast = and(
    // The last version ends the page. With the end of the range too, the index would be walked as far as that.
    after,
    sql`(${versions.publishedAt}, ${versions.id}) >= (${sql.placeholder('lastAt')}, ${sql.placeholder('lastId')})`,
  )
  const newestFirst = [desc(versions.publishedAt), desc(versions.id)]
  const namedVersion = eq(versions.id, sql.placeholder('id'))
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const labelled = and(inChangelog, eq(versions.label, sql.placeholder('label')))
  // The parameter has a comma before and after each type. A type has no comma, and none of the signs of a pattern.
  const ofTypes = sql`${sql.placeholder('types')} like '%,' || ${changes.type} || ',%'`
  const hasTypes = exists(
    db
      .select({ one: sql`1` })
      .from(changes)
      .where(and(eq(changes.versionId, versions.id), ofTypes)),
  )

  const contentsOfPage = (condition: SQL | undefined) =>
    statement(
      db
        .select(contentColumns)
        .from(versions)
        .where(condition)
        .orderBy(...newestFirst)
        .limit(LIMIT),
    )

  const changesOfPage = (condition: SQL | undefined) =>
    statement(
      db
        .select({ versionId: changes.versionId, ...changeColumns })
        .from(versions)
        .innerJoin(changes, eq(changes.versionId, versions.id))
        .where(condition)
        .orderBy(...newestFirst, asc(changes.position), asc(changes.id)),
    )

  /** The one version that a condition names, within a changelog that `info` found. */
  const onlyVersion = (named: SQL | undefined) =>
    and(
      eq(versions.id, foundOrFirst(versions.id, versions, named)),
      checkedLast(named, inChangelog, rule.version),
    )

  return {
    // What is hidden takes the same steps as what does not exist: see `foundOrFirst`.
    info: statement(
      db
        .select(infoColumns)
        .from(products)
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(
          and(
            sql`${products}.rowid = ${foundOrFirst(ROWID, products, and(eq(products.teamId, teamId), namedProduct))}`,
            checkedLast(namedTeam, namedProduct, rule.changelog),
          ),
        ),
    ),

    summaries: statement(
      db
        .select(summaryColumns)
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(LIMIT),
    ),

    contents: contentsOfPage(inRange),
    contentsOfTypes: contentsOfPage(and(inRange, hasTypes)),

    // The last version of the part of a range that is searched at once, and the one after it.
    endOfSearch: statement(
      db
        .select(positionColumns)
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(literal(2))
        .offset(literal(SEARCHED_AT_ONCE - 1)),
    ),

    changesBetween: changesOfPage(upToLast),
    changesOfTypesBetween: changesOfPage(and(upToLast, ofTypes)),

    version: statement(db.select(contentColumns).from(versions).where(onlyVersion(namedVersion))),
    versionByLabel: statement(db.select(contentColumns).from(versions).where(onlyVersion(labelled))),
    positionByLabel: statement(db.select(positionColumns).from(versions).where(onlyVersion(labelled))),

    changesOf: statement(
      db
        .select(changeColumns)
        .from(changes)
        .where(eq(changes.versionId, sql.placeholder('id')))
        .orderBy(asc(changes.position), asc(changes.id)),
    ),
  }
}

/** Unknown, disabled and expired tokens take the same steps: see `foundOrFirst`. */
function grant() {
  const now = sql.placeholder('now')
  const isNamed = eq(keyTokens.hash, sql.placeholder('hash'))
  return db
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
        eq(keyTokens.hash, foundOrFirst(keyTokens.hash, keyTokens, isNamed)),
        checkedLast(
          isNamed,
          eq(keys.status, 'active'),
          or(isNull(keys.expiresAt), gt(keys.expiresAt, now)),
          or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, now)),
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
  return { sql, parameters, columns: paths(query._.selectedFields) }
}

/** The path of each column, in the order in which Drizzle selects them. */
const paths = (fields: object): string[][] =>
  Object.entries(fields).flatMap(([name, field]) =>
    is(field, SQLiteColumn) || is(field, SQL) ? [[name]] : paths(field).map((path) => [name, ...path]),
  )
