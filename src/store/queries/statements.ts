import { and, asc, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm'
import { keyedRule, publicRule, type Rule } from '../visibility.ts'
import { DIALECTS, type Dialect } from './dialects.ts'
import { directoryStatements, pageStatementsFor } from './page-statements.ts'
import {
  changeColumns,
  contentColumns,
  foundOrFirst,
  infoColumns,
  statement,
  summaryColumns,
} from './statement.ts'

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
    directory: directoryStatements(dialect, publicRule(tables)),
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
    ...pageStatementsFor(dialect, rule),

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
