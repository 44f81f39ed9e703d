import { sql } from 'drizzle-orm'
import { HOOK_KINDS } from '../../domain/hook-kinds.ts'
import { mapRows } from '../../domain/objects.ts'
import { LANGUAGES, LIMITS } from '../../domain/records.ts'
import { FIRST_TIME, LAST_TIME } from '../../domain/time/time.ts'
import { CHANGE_TEXTS, mapColumns } from '../../domain/versions/properties.ts'
import { DIALECTS } from '../queries/dialects.ts'
import type { Dialect } from '../queries/statement.ts'
import { UNDERIVED } from '../tables/derived.ts'
import { FILTERED } from '../tables/schema.ts'
import { publicRule } from '../visibility.ts'

/** The statement gives how many rows break the rule, and the id of one. If `isDerived`, they can be written anew. */
export type ContentRule = ReturnType<typeof ruleOf>

const { slug, name, label, title, type, typeLabel, description } = LIMITS

const TEXTS = {
  team: { slug, name },
  product: { slug, name },
  changelog: { name },
  version: {
    label,
    title,
    ...mapColumns({ markdown: () => description, line: () => title, flag: () => null }),
  },
  change: { type, type_label: typeLabel, title, ...mapRows(CHANGE_TEXTS, () => description) },
  api_key: { label: name },
}

const CREATED = ['team', 'product', 'version', 'picture', 'api_key', 'api_key_token', 'hook', 'source']
const TIMES = ['version.published_at', ...CREATED.map((table) => `${table}.created_at`)]
/** 0.2.0 stored times after the year 9999. */
const EXPIRIES = ['api_key.expires_at', 'api_key_token.expires_at']
const LAST_EXPIRY = 8.64e15

/** The rules of stored values, those that nothing mends first. Called as a macro, as `readStatements`. */
export const contentRules = (engine: keyof typeof DIALECTS): ContentRule[] => [
  ...Object.entries(TEXTS).flatMap(([table, columns]) =>
    Object.entries<number | null>(columns).flatMap(([column, most]) =>
      most === null
        ? []
        : ruleOf(
            `${table}.${column} is longer than ${most} characters`,
            // SQLite counts characters only up to a NUL.
            `length(${column}) > ${most} or octet_length(${column}) > ${3 * most}`,
          ),
    ),
  ),
  ...TIMES.map((column) =>
    ruleOf(`${column} is out of range`, `${column} not between ${FIRST_TIME} and ${LAST_TIME}`),
  ),
  ...EXPIRIES.map((column) =>
    ruleOf(`${column} is out of range`, `${column} not between ${FIRST_TIME} and ${LAST_EXPIRY}`),
  ),
  isOneOf('product', 'language', LANGUAGES),
  isOneOf('hook', 'kind', HOOK_KINDS),
  ...listingRules(DIALECTS[engine]),
  ruleOf('version.change_count is not the number of changes', `change_count <> ${CHANGES}`, true),
  ruleOf('version.kinds is missing or counts other changes', IS_UNCOUNTED, true),
  ruleOf('version.pictures differs from version_picture', ARE_OTHER_PICTURES, true),
]

const CHANGES = '(select count(*) from change where version_id = version.id)'
const IS_UNCOUNTED = `${UNDERIVED} or kinds not like change_count || ':%/%'`

const LISTED = 'select count(*) from version_picture where version_id = version.id'
const ARE_OTHER_PICTURES = `(${LISTED}) <> coalesce((length(pictures) - length(replace(pictures, '"', ''))) / 2, 0)
  or (${LISTED}) <> (${LISTED} and changelog_id = version.changelog_id and status = version.status
    and published_at = version.published_at and version.pictures like '%"' || picture_id || '"%')`

/** The message begins with the table and its column. */
function ruleOf(message: string, isBroken: string, isDerived = false) {
  const [table] = message.split('.')
  const id = table === 'api_key_token' ? 'key_id' : 'id'
  const sql = `select count(*), min(${id}) from ${table} where ${isBroken}`
  return { message, isDerived, values: [] as string[], sql }
}

const isOneOf = (table: string, column: string, values: readonly string[]) =>
  ruleOf(`${table}.${column} is unknown`, `${column} not in ('${values.join("', '")}')`)

/** Compare the lists that triggers keep with the rule of visibility. */
function listingRules({ builder, tables }: Dialect): ContentRule[] {
  const { changelog: isPublic } = publicRule(tables)
  const from = sql`product join team on team.id = team_id join changelog on product_id = product.id`
  const isListed = sql`version.status <> 'draft' and (dated or date_known)`
  const products = sql`select product.id, product.slug, team.slug from ${from} where ${isPublic}`
  const versions = sql`select version.id, team_id, version.status, published_at,
      not (${sql.raw(FILTERED.prereleases.where('version.'))})
    from ${from} join version on changelog_id = changelog.id where ${isPublic} and ${isListed}`
  const listedProducts = sql`select product_id as id, product_slug, team_slug from public_product`
  const listedVersions = sql`select version_id as id, team_id, status, published_at, prerelease from public_version`
  const differences = {
    'public_product lacks products': sql`${products} except ${listedProducts}`,
    'public_product has other rows than public products': sql`${listedProducts} except ${products}`,
    'public_version lacks versions': sql`${versions} except ${listedVersions}`,
    'public_version has other rows than public versions': sql`${listedVersions} except ${versions}`,
  }
  return Object.entries(differences).map(([message, rows]) => {
    const counted = builder.select({ count: sql`count(*)`, id: sql`min(id)` })
    const { sql: text, params } = counted.from(sql`(${rows}) as differing`).toSQL()
    return { message, isDerived: true, sql: text, values: params as string[] }
  })
}
