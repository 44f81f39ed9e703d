/**
 * `naive PORT DATABASE`: the public changelog as one would write it first. A typed Elysia route, two Drizzle
 * queries, an object returned. It caches nothing and has no rate limit; its statements are prepared, which is
 * more than the first version of most programs does.
 */
import { Database } from 'bun:sqlite'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Elysia, t } from 'elysia'
import { SQLITE_TABLES } from '../../src/store/tables/sqlite.ts'

const { changelogs, changes, products, teams, versions } = SQLITE_TABLES

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

new Elysia()
  .get(
    '/api/v1/public/teams/:teamSlug/products/:productSlug/changelog',
    ({ params, status }) => {
      const found = findChangelog.get({ team: params.teamSlug, product: params.productSlug })
      if (!found) return status(404, { error: { code: 'not_found', message: 'No such changelog.' } })
      const list = findVersions.all({ changelog: found.changelog.id }).map((version) => ({
        ...version,
        publishedAt: new Date(version.publishedAt).toISOString(),
      }))
      return { data: { object: 'changelog', ...found, versions: list } }
    },
    { params: t.Object({ teamSlug: t.String(), productSlug: t.String() }) },
  )
  .listen({ hostname: '127.0.0.1', port: Number(port), reusePort: false })
