/**
 * `naive PORT DATABASE`: changelogs, for the public and by key, as one would write them first. Typed Elysia routes, two or
 * three Drizzle queries, an object returned. It caches nothing and has no rate limit; its statements are prepared, which is
 * more than the first version of most programs does.
 */
import { Database } from 'bun:sqlite'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Elysia, status, t } from 'elysia'
import { SQLITE_TABLES } from '../../../src/store/tables/sqlite.ts'

const { changelogs, changes, keys, keyTokens, products, teams, versions } = SQLITE_TABLES

const [port, path] = process.argv.slice(2)
const db = drizzle({ client: new Database(path, { readwrite: true, strict: true }) })

const findChangelog = db
  .select({
    team: { slug: teams.slug, name: teams.name },
    product: { slug: products.slug, name: products.name },
    changelog: { id: changelogs.id, name: changelogs.name, status: changelogs.status },
  })
  .from(teams)
  .innerJoin(products, eq(products.teamId, teams.id))
  .innerJoin(changelogs, eq(changelogs.productId, products.id))
  .where(
    and(
      eq(teams.slug, sql.placeholder('team')),
      eq(products.slug, sql.placeholder('product')),
      eq(teams.visibility, 'public'),
      eq(products.status, 'published'),
      eq(changelogs.status, 'published'),
    ),
  )
  .prepare()

const findKey = db
  .select({ team: teams.slug })
  .from(keyTokens)
  .innerJoin(keys, eq(keys.id, keyTokens.keyId))
  .innerJoin(teams, eq(teams.id, keys.teamId))
  .where(and(eq(keyTokens.hash, sql.placeholder('hash')), eq(keys.status, 'active')))
  .prepare()

const findVersions = db
  .select({
    id: versions.id,
    object: sql<string>`'changelog.version'`,
    version: versions.label,
    title: versions.title,
    status: versions.status,
    publishedAt: versions.publishedAt,
    changeCount: count(changes.id),
  })
  .from(versions)
  .leftJoin(changes, eq(changes.versionId, versions.id))
  .where(and(eq(versions.changelogId, sql.placeholder('changelog')), eq(versions.status, 'published')))
  .groupBy(versions.publishedAt, versions.id)
  .orderBy(desc(versions.publishedAt), desc(versions.id))
  .prepare()

const params = t.Object({ teamSlug: t.String(), productSlug: t.String() })

const read = ({ teamSlug, productSlug }: typeof params.static) => {
  const found = findChangelog.get({ team: teamSlug, product: productSlug })
  if (!found) return status(404, { error: { code: 'not_found', message: 'No such changelog.' } })
  const list = findVersions.all({ changelog: found.changelog.id }).map((version) => ({
    ...version,
    publishedAt: new Date(version.publishedAt).toISOString(),
  }))
  return { data: { object: 'changelog', ...found, versions: list } }
}

new Elysia()
  .get('/api/v1/public/teams/:teamSlug/products/:productSlug/changelog', ({ params }) => read(params), {
    params,
  })
  .get(
    '/api/v1/teams/:teamSlug/products/:productSlug/changelog',
    ({ params, headers }) => {
      const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
      const key = findKey.get({ hash: new Bun.CryptoHasher('sha256').update(token).digest('hex') })
      if (key?.team !== params.teamSlug)
        return status(401, { error: { code: 'unauthorized', message: 'No such key.' } })
      return read(params)
    },
    { params },
  )
  .listen({ hostname: '127.0.0.1', port: Number(port), reusePort: false })
