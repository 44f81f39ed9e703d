import { and, eq, ne, or, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { LIMITS } from '../../domain/records.ts'
import { FIRST_TIME, LAST_TIME } from '../../domain/time/time.ts'
import { COUNTING } from '../../domain/versions/derived.ts'
import type { Query } from '../derivation.ts'
import { isStable } from '../tables/schema.ts'
import { publicRule } from '../visibility.ts'
import { DIALECTS, type Dialect } from './dialects.ts'

/** Its statement gives how many rows break the rule, and the id of one. If `isDerived`, they can be written anew. */
export type ContentRule = ReturnType<typeof ruleOf>

const { slug, name, label, title, type, typeLabel, description } = LIMITS

const TEXTS = {
  team: { slug, name },
  product: { slug, name },
  changelog: { name },
  version: { label, title, yanked: title, description, closing: description },
  change: { type, type_label: typeLabel, title, description },
  api_key: { label: name },
}

/** Without the expiry of tokens: 0.2.0 stored times after the year 9999. */
const TIMES = ['team.created_at', 'product.created_at', 'version.published_at', 'version.created_at']

/** The rules of stored values, those that nothing mends first. Called as a macro, as `readStatements`. */
export const contentRules = (engine: keyof typeof DIALECTS): ContentRule[] => [
  ...Object.entries(TEXTS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, most]) =>
      ruleOf(
        `${table}.${column} is longer than ${most} characters`,
        // SQLite counts characters only up to a NUL.
        `length(${column}) > ${most} or octet_length(${column}) > ${3 * most}`,
      ),
    ),
  ),
  ...TIMES.map((column) =>
    ruleOf(`${column} is out of range`, `${column} not between ${FIRST_TIME} and ${LAST_TIME}`),
  ),
  ...listingRules(DIALECTS[engine]),
  ruleOf('version.change_count is not the number of changes', `change_count <> ${CHANGES}`, true),
  ruleOf('version.kinds is missing or counts other changes', IS_UNCOUNTED, true),
]

const CHANGES = '(select count(*) from change where version_id = version.id)'
const IS_UNCOUNTED = `kinds is null or kinds not like change_count || ':${COUNTING}/%'`

/** The message begins with the table and its column. */
const ruleOf = (message: string, isBroken: string, isDerived = false) => ({
  ...{ message, isDerived, values: [] as Query['values'] },
  sql: `select count(*), min(id) from ${message.split('.')[0]} where ${isBroken}`,
})

/** Compare the lists that triggers keep with the rule of visibility. */
function listingRules({ builder, tables }: Dialect): ContentRule[] {
  const { teams, products, changelogs, publicProducts, versions, publicVersions } = tables
  const { changelog: isPublic } = publicRule(tables)
  const { productId, productSlug, teamSlug } = publicProducts
  const productsByRule = () =>
    builder
      .select({ id: products.id, slug: products.slug, team: teams.slug })
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(isPublic)
  const listedProducts = () =>
    builder.select({ id: productId, slug: productSlug, team: teamSlug }).from(publicProducts)
  const versionsByRule = () =>
    builder
      .select({
        id: versions.id,
        team: products.teamId,
        ...pick(versions, 'status', 'publishedAt'),
        prerelease: sql<boolean>`not (${sql.raw(isStable('version.'))})`.as('prerelease'),
      })
      .from(versions)
      .innerJoin(changelogs, eq(changelogs.id, versions.changelogId))
      .innerJoin(products, eq(products.id, changelogs.productId))
      .innerJoin(teams, eq(teams.id, products.teamId))
      .where(and(isPublic, ne(versions.status, 'draft'), or(versions.dated, versions.dateKnown)))
  const { versionId, teamId, status, publishedAt, prerelease } = publicVersions
  const listedVersions = () =>
    builder.select({ id: versionId, team: teamId, status, publishedAt, prerelease }).from(publicVersions)
  const differences = {
    'public_product lacks products': productsByRule().except(listedProducts()),
    'public_product has other rows than public products': listedProducts().except(productsByRule()),
    'public_version lacks versions': versionsByRule().except(listedVersions()),
    'public_version has other rows than public versions': listedVersions().except(versionsByRule()),
  }
  return Object.entries(differences).map(([message, rows]) => {
    const differing = rows.as('differing')
    const counted = { count: sql`count(*)`, id: sql`min(${differing.id})` }
    const { sql: text, params } = builder.select(counted).from(differing).toSQL()
    return { message, sql: text, values: params as string[], isDerived: true }
  })
}
