/**
 * `cold DATABASE WARMUPS REPEATS`: what the engine and the language need for a changelog, with no server
 * around them. The same rows by the same SQL as the server's, their dates in ISO 8601, `JSON.stringify`. Prints
 * the milliseconds of each repeat and a hash of the text, by which the caller knows that the work is the same.
 */
import { Database } from 'bun:sqlite'

const [path, warmups, repeats] = process.argv.slice(2)
const db = new Database(path, { readwrite: true, strict: true })
db.run('PRAGMA query_only = ON')

const heading = db.query<Record<string, string>, { team: string; product: string }>(
  `SELECT team.slug AS teamSlug, team.name AS teamName, product.slug AS productSlug, product.name AS productName,
     changelog.id AS id, changelog.name AS name, changelog.status AS status
   FROM team JOIN product ON product.team_id = team.id JOIN changelog ON changelog.product_id = product.id
   WHERE team.slug = $team AND product.slug = $product AND team.visibility = 'public'
     AND product.status = 'published' AND changelog.status = 'published'`,
)
const summaries = db.query<
  { id: string; label: string; title: string; status: string; publishedAt: number; changeCount: number },
  { changelog: string; since: number; afterAt: number; afterId: string; limit: number }
>(
  `SELECT id, label, title, status, published_at AS publishedAt, change_count AS changeCount
   FROM version
   WHERE changelog_id = $changelog AND status = 'published' AND published_at >= $since
     AND (published_at, id) < ($afterAt, $afterId)
   ORDER BY published_at DESC, id DESC LIMIT $limit`,
)

const times: number[] = []
let text = ''
for (let round = 0; round < Number(warmups) + Number(repeats); round++) {
  const began = performance.now()
  text = read()
  if (round >= Number(warmups)) times.push(performance.now() - began)
}
console.log(JSON.stringify({ times, hash: Bun.hash(text).toString(36) }))

function read(): string {
  const found = heading.get({ team: 'team-0', product: 'product-0' })
  if (!found) throw new Error('There is no such changelog.')
  const rows = summaries.all({
    changelog: found.id as string,
    since: Number.MIN_SAFE_INTEGER,
    afterAt: Number.MAX_SAFE_INTEGER,
    afterId: '',
    limit: Number.MAX_SAFE_INTEGER,
  })
  return JSON.stringify({
    data: {
      object: 'changelog',
      team: { slug: found.teamSlug, name: found.teamName },
      product: { slug: found.productSlug, name: found.productName },
      changelog: { id: found.id, name: found.name, status: found.status },
      versions: rows.map((row) => ({
        id: row.id,
        object: 'changelog.version',
        version: row.label,
        title: row.title,
        status: row.status,
        publishedAt: new Date(row.publishedAt).toISOString(),
        changeCount: row.changeCount,
      })),
    },
  })
}
