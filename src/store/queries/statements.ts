import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { isStable } from '../tables/schema.ts'
import { keyedRule, publicRule, type VersionPart, type VisibilityRule } from '../visibility.ts'
import { DIALECTS, type Dialect } from './dialects.ts'
import { directoryStatements, pageStatementsFor } from './page-statements.ts'
import { nearestStatements, rangeStatementsFor } from './range-statements.ts'
import {
  boundColumns,
  changeColumns,
  comparePosition,
  contentColumns,
  datedColumns,
  eachPart,
  infoColumns,
  isNearest,
  type List,
  ordered,
  statement,
  summaryColumns,
} from './statement.ts'
import { timelineStatements } from './timeline-statements.ts'

export type Statements = ReturnType<typeof readStatements>

export type AudienceStatements = Statements['forPublic']

const WORK = `exists (select 1 from source where not paused) or exists (select 1 from hook where status = 'active')`

/** Every read of the server in Drizzle. Called as a macro, so that a server has the SQL and never loads Drizzle. */
export function readStatements(name: keyof typeof DIALECTS) {
  const dialect = DIALECTS[name]
  const { builder, tables } = dialect
  const { products, keyProducts, teams } = tables
  return {
    forPublic: statementsFor(dialect, publicRule(tables), dialect),
    forKey: statementsFor(dialect, keyedRule(tables), {
      withoutDrafts: (sql) => sql,
      rangeWithoutDrafts: (sql) => sql,
    }),
    ...nearestStatements(dialect),
    ...directoryStatements(dialect, publicRule(tables), keyedRule(tables)),
    timeline: timelineStatements(dialect, publicRule(tables)),
    grant: statement(grant(dialect)),
    attachedProducts: statement(
      builder
        .select({ slug: products.slug })
        .from(keyProducts)
        .innerJoin(products, eq(products.id, keyProducts.productId))
        .where(eq(keyProducts.keyId, sql.placeholder('keyId'))),
    ),
    work: statement(builder.select({ id: teams.id }).from(teams).where(sql.raw(WORK)).limit(1)),
    anyTeam: statement(builder.select({ id: teams.id }).from(teams).limit(1)),
  }
}

/** Lists with drafts have no index without them. */
function statementsFor(
  dialect: Dialect,
  rule: VisibilityRule,
  { withoutDrafts, rangeWithoutDrafts }: Pick<Dialect, 'withoutDrafts' | 'rangeWithoutDrafts'>,
) {
  const list: List = (query) => statement(query, withoutDrafts)
  const { builder, tables, keyOf, rowOf, limit, skip, checkedLast, isAmong } = dialect
  const { teams, products, changelogs, versions, formerLabels, changes, versionSources } = tables
  const namedTeam = eq(teams.slug, sql.placeholder('team'))
  const namedProduct = eq(products.slug, sql.placeholder('product'))
  const nearestTeam = isNearest(keyOf(teams), teams, [teams.slug], [sql.placeholder('team')])
  const teamId = sql`(select ${teams.id} from ${teams} where ${nearestTeam})`
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const inRange = ({ condition, before }: VersionPart) =>
    and(
      ...[inChangelog, comparePosition(tables, '<', before), condition],
      comparePosition(tables, '>', { at: 'beyondAt', id: 'beyondId' }),
    )
  const newest = { order: [desc(versions.publishedAt), desc(versions.id)], limit }
  /** The version with this id or label, in a changelog that `info` found. */
  const changelogId = sql.placeholder('changelogId')
  const [id, label] = [sql.placeholder('id'), sql.placeholder('label')]
  const byId = and(
    isNearest(versions.id, versions, [versions.id], [id]),
    checkedLast(and(eq(versions.id, id), inChangelog, rule.version)),
  )
  const byLabel = and(
    isNearest(versions.id, versions, [versions.changelogId, versions.label], [changelogId, label]),
    checkedLast(and(eq(versions.label, label), inChangelog, rule.version)),
  )
  /** Joined: a second search for the label would be visible in the time it takes. */
  const leadsTo = eq(versions.id, formerLabels.versionId)
  const former = pick(formerLabels, 'changelogId', 'label')
  const byFormerLabel = and(
    isNearest(rowOf(formerLabels), formerLabels, [former.changelogId, former.label], [changelogId, label]),
    checkedLast(and(eq(former.changelogId, changelogId), eq(former.label, label), rule.version)),
  )

  /** Pages of versions in the order of the list. `only` is a further condition. */
  const pagesOf = (own: VisibilityRule, list: List, only?: SQL) => {
    const inside = (part: VersionPart) => and(inRange(part), only)
    const page = <Columns extends SelectedFields>(columns: Columns) =>
      list(
        eachPart(dialect, own, newest, (part) => builder.select(columns).from(versions).where(inside(part))),
      )
    return {
      ...pageStatementsFor(dialect, own, list, only),
      summaries: page(summaryColumns(tables, rule)),
      dated: page(datedColumns(tables, rule)),
      contents: page(contentColumns(tables, rule)),
      ...rangeStatementsFor(dialect, rule, inside, rangeWithoutDrafts),
    }
  }
  const stableList: List = (query) => statement(query, dialect.amongThese('version_stable'))
  const ids = sql.placeholder('ids')
  const withIds = <Columns extends SelectedFields>(columns: Columns) =>
    statement(
      ordered(
        builder
          .select(columns)
          .from(versions)
          .where(and(isAmong(versions.id, ids), rule.version)),
        newest.order,
      ),
    )
  const one = <Columns extends SelectedFields>(columns: Columns, condition: SQL | undefined) =>
    statement(builder.select(columns).from(versions).where(condition))

  return {
    ...pagesOf(rule, list),
    /** The same without pre-releases, by an index that has none. */
    stable: pagesOf({ ...rule, versionParts: rule.statusParts }, stableList, sql.raw(`(${isStable()})`)),

    /** Versions that were found before, newest first. */
    withIds: {
      summaries: withIds(summaryColumns(tables, rule)),
      dated: withIds(datedColumns(tables, rule)),
      contents: withIds(contentColumns(tables, rule)),
    },

    // Hidden content takes the same steps as missing content: see `isNearest`.
    info: statement(
      builder
        .select(infoColumns(tables))
        .from(products)
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(
          and(
            isNearest(
              keyOf(products),
              products,
              [products.teamId, products.slug],
              [teamId, sql.placeholder('product')],
            ),
            checkedLast(and(namedTeam, namedProduct, rule.changelog)),
          ),
        ),
    ),

    version: one(contentColumns(tables, rule), byId),
    versionByLabel: one(contentColumns(tables, rule), byLabel),
    positionByLabel: one(boundColumns(tables), byLabel),
    positionByFormerLabel: statement(
      builder
        .select(boundColumns(tables))
        .from(formerLabels)
        .innerJoin(versions, leadsTo)
        .where(byFormerLabel),
    ),

    sourceOf: statement(
      builder
        .select(pick(versionSources, 'text', 'hash'))
        .from(versionSources)
        .where(eq(versionSources.versionId, sql.placeholder('id'))),
    ),

    /** Changes in the order of their version. */
    changesOfAll: statement(
      builder
        .select({ versionId: changes.versionId, ...changeColumns(tables) })
        .from(changes)
        .where(isAmong(changes.versionId, ids))
        .orderBy(asc(changes.versionId), asc(changes.position), asc(changes.id)),
    ),

    changesOf: statement(
      builder
        .select(changeColumns(tables))
        .from(changes)
        .where(eq(changes.versionId, sql.placeholder('id')))
        .orderBy(asc(changes.position), asc(changes.id))
        .limit(limit)
        .offset(skip),
    ),
  }
}

/** Unknown, disabled and expired tokens take the same steps: see `isNearest`. */
function grant(dialect: Dialect) {
  const { builder, checkedLast } = dialect
  const { teams, keys, keyTokens } = dialect.tables
  const now = sql.placeholder('now')
  const hash = sql.placeholder('hash')
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
        isNearest(keyTokens.hash, keyTokens, [keyTokens.hash], [hash]),
        checkedLast(
          and(
            eq(keyTokens.hash, hash),
            eq(keys.status, 'active'),
            or(isNull(keys.expiresAt), gt(keys.expiresAt, now)),
            or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, now)),
          ),
        ),
      ),
    )
}
