/**
 * `node server.js PORT DATABASE`: changelogs, for the public and by key, on Node as most teams would write them, with the
 * checks that ours makes: a limit per address, visibility in the WHERE, an ETag. Fastify is given the response's
 * schema, by which it serializes faster than `JSON.stringify`.
 */
import { createHash } from 'node:crypto'
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
const findKey = db.prepare(
  `SELECT team.slug AS team FROM api_key_token JOIN api_key ON api_key.id = api_key_token.key_id
     JOIN team ON team.id = api_key.team_id
   WHERE api_key_token.hash = ? AND api_key.status = 'active'`,
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

const read = ({ params }, reply) => {
  const found = findChangelog.get(params.teamSlug, params.productSlug)
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
  return reply.send({
    data: {
      object: 'changelog',
      team: { slug: found.teamSlug, name: found.teamName },
      product: { slug: found.productSlug, name: found.productName },
      changelog: { id: found.id, name: found.name, status: found.status },
      versions,
    },
  })
}

const schema = { response: { 200: envelope } }

app.get('/api/v1/public/teams/:teamSlug/products/:productSlug/changelog', { schema }, (request, reply) => {
  reply.header('cache-control', 'public, max-age=60').header('access-control-allow-origin', '*')
  return read(request, reply)
})

app.get(
  '/api/v1/teams/:teamSlug/products/:productSlug/changelog',
  { schema, config: { rateLimit: false } },
  (request, reply) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const key = findKey.get(createHash('sha256').update(token).digest('hex'))
    if (key?.team !== request.params.teamSlug)
      return reply.code(401).send({ error: { code: 'unauthorized', message: 'No such key.' } })
    return read(request, reply)
  },
)

await app.listen({ host: '127.0.0.1', port: Number(port) })
