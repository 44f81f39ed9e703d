/**
 * `node server.js PORT DATABASE`: the public changelog on Node as most teams would write it, with the checks
 * that ours makes: a limit per address, visibility in the WHERE, an ETag. Fastify is given the response's
 * schema, by which it serializes faster than `JSON.stringify`.
 */
import etag from '@fastify/etag'
import rateLimit from '@fastify/rate-limit'
import Database from 'better-sqlite3'
import fastify from 'fastify'

const [port, path] = process.argv.slice(2)
const db = new Database(path)
db.pragma('query_only = ON')

const findChangelog = db.prepare(
  `SELECT team.slug AS teamSlug, team.name AS teamName, product.slug AS productSlug, product.name AS productName,
     changelog.id AS id, changelog.name AS name, changelog.status AS status
   FROM team JOIN product ON product.team_id = team.id JOIN changelog ON changelog.product_id = product.id
   WHERE team.slug = ? AND product.slug = ? AND team.visibility = 'public'
     AND product.status = 'published' AND changelog.status = 'published'`,
)
const findVersions = db.prepare(
  `SELECT id, label, title, status, published_at AS publishedAt,
     (SELECT count(*) FROM change WHERE change.version_id = version.id) AS changeCount
   FROM version WHERE changelog_id = ? AND status = 'published' ORDER BY published_at DESC, id DESC`,
)

const text = { type: 'string' }
const object = (properties) => ({ type: 'object', properties })
const envelope = object({
  data: object({
    object: text,
    team: object({ slug: text, name: text }),
    product: object({ slug: text, name: text }),
    changelog: object({ id: text, name: text, status: text }),
    versions: {
      type: 'array',
      items: object({
        id: text,
        object: text,
        version: text,
        title: text,
        status: text,
        publishedAt: text,
        changeCount: { type: 'integer' },
      }),
    },
  }),
})

const app = fastify()
await app.register(rateLimit, { max: 1_000_000_000, timeWindow: '1 minute' })
await app.register(etag)

app.get(
  '/api/v1/public/teams/:teamSlug/products/:productSlug/changelog',
  { schema: { response: { 200: envelope } } },
  (request, reply) => {
    const found = findChangelog.get(request.params.teamSlug, request.params.productSlug)
    if (!found) return reply.code(404).send({ error: { code: 'not_found', message: 'No such changelog.' } })
    const versions = findVersions.all(found.id).map((row) => ({
      id: row.id,
      object: 'changelog.version',
      version: row.label,
      title: row.title,
      status: row.status,
      publishedAt: new Date(row.publishedAt).toISOString(),
      changeCount: row.changeCount,
    }))
    reply.header('cache-control', 'public, max-age=60').header('access-control-allow-origin', '*')
    return reply.send({
      data: {
        object: 'changelog',
        team: { slug: found.teamSlug, name: found.teamName },
        product: { slug: found.productSlug, name: found.productName },
        changelog: { id: found.id, name: found.name, status: found.status },
        versions,
      },
    })
  },
)

await app.listen({ host: '127.0.0.1', port: Number(port) })
