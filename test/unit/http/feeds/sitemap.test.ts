import { expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'

const PUBLIC_URL = 'https://news.acme.test'

test('a sitemap of many addresses has files of 10,000 at most, and every address is in one of them', async () => {
  using server = openHandler({ PUBLIC_URL })
  const { seed } = server
  seed.db.run('BEGIN')
  const team = seed.team('many')
  for (let at = 0; at < 30; at++) {
    const { changelogId } = seed.product(team, `p${100 + at}`, { status: at % 5 ? 'published' : 'draft' })
    const id = seed.version(changelogId, '0')
    // In one statement, as these are many.
    seed.db.run(
      `WITH RECURSIVE series (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < ?)
      INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at, kinds, precedence, date_known)
      SELECT id || value, changelog_id, value, title, status, value, dated, created_at, kinds, precedence, date_known
      FROM version, series WHERE id = ?`,
      [at === 7 ? 11_999 : 19, id],
    )
  }
  seed.db.run('COMMIT')
  const addresses = async (path: string) => {
    const xml = await (await server.get(path)).text()
    return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&').slice(PUBLIC_URL.length),
    )
  }
  const files = await addresses('/sitemap.xml')
  expect(files.length).toBeGreaterThan(1)
  const all: string[] = []
  for (const file of files) {
    const own = await addresses(file)
    expect(own.length).toBeLessThanOrEqual(10_000)
    all.push(...own)
  }
  expect(all).toHaveLength(1 + 1 + 24 + 12_000 + 23 * 20)
  expect(new Set(all).size).toBe(all.length)
})

test('a date that is not known is no moment of a change', async () => {
  using server = openHandler({ PUBLIC_URL })
  const { seed } = server
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  for (const label of ['1.0', '2.0']) seed.version(changelogId, label)
  const modified = async () => {
    const [, file = ''] = (await (await server.get('/sitemap.xml')).text()).match(/<loc>([^<]*)<\/loc>/) ?? []
    return (await (await server.get(file.slice(PUBLIC_URL.length))).text()).match(/<lastmod>/g)?.length
  }
  expect(await modified()).toBe(3)
  seed.db.run("UPDATE version SET dated = FALSE, date_known = FALSE WHERE label = '2.0'")
  expect(await modified()).toBe(1)
})
