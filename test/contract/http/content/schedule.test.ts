import { expect, test } from 'bun:test'
import { runHere } from '../../../support/commands/in-process.ts'
import { bearer, keyedPath, publicPath, startServer, THE_BINARY } from '../../../support/servers/server.ts'

/** How far ahead a moment is, if the command is soon enough: long enough for some requests before it. */
const AHEAD_MS = 1_500

const OPEN = publicPath('acme', 'app')

// By which clock, on each engine, is asked of the store.
test('a version scheduled at the command line appears on time on a server that is not touched, on open connections and on new ones', async () => {
  await using server = await startServer(THE_BINARY)
  const { seed, url } = server
  const team = seed.team('acme')
  const headers = bearer(seed.key(team).token)
  const { changelogId } = seed.product(team, 'app')
  seed.version(changelogId, '1.0.0')
  const id = seed.version(changelogId, '2.0.0', { status: 'draft', title: 'Secret' })

  const command = (...args: string[]) =>
    runHere(['version', ...args], { cwd: '/', env: { DATABASE_URL: server.database } })
  /** Schedules the version for the near future, and gives the moment: later on a machine that is slow. */
  const schedule = async (): Promise<number> => {
    for (let ahead = AHEAD_MS; ; ahead *= 2) {
      const moment = Date.now() + ahead
      const at = new Date(moment).toISOString()
      const { status, stderr } = await command('schedule', 'acme/app', '2.0.0', '--at', at)
      if (status === 0) return moment
      expect(stderr).toContain('is in the past')
    }
  }
  const kept = async (target: string) => (await fetch(url + target)).text()
  const fresh = (target: string) => server.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const keyed = async () => {
    const response = await fetch(url + keyedPath('acme', 'app', `/versions/${id}`), { headers })
    return ((await response.json()) as { data: { status: string; publishedAt: string } }).data
  }

  // As long as nothing else is public, the tag of the response is this one.
  const etag = (await fetch(url + OPEN)).headers.get('etag') as string
  const moment = await schedule()
  const publishedAt = new Date(moment).toISOString()
  // From here on no one writes: only the clock.
  expect(server.url).toBe(url)
  const before = await keyed()
  if (Date.now() < moment) expect(before).toMatchObject({ status: 'draft', publishedAt })

  const reads = [
    () => kept(OPEN),
    () => fresh(OPEN),
    () => kept(`${OPEN}/versions/${id}`),
    () => fresh('/changelog/acme/app/feed.atom'),
    () => kept('/changelog/acme/app'),
    () => fresh('/changelog/acme/app/CHANGELOG.md'),
  ]
  let shown = new Set<number>()
  while (shown.size < reads.length) {
    const now = new Set<number>()
    for (const [at, read] of reads.entries()) {
      const sentAt = Date.now()
      const isShown = (await read()).includes('Secret')
      // Never before its moment, and always from then on, by the clock that both processes have.
      if (isShown) expect(Date.now()).toBeGreaterThanOrEqual(moment)
      else expect(sentAt).toBeLessThan(moment)
      if (isShown) now.add(at)
    }
    shown = now
    // Asked without a pause, it would keep the machine busy until the moment.
    await Bun.sleep(20)
  }

  const again = await fetch(url + OPEN, { headers: { 'if-none-match': etag } })
  expect([again.status, again.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  const { data } = (await again.json()) as { data: { versions: object[] } }
  expect(data.versions[0]).toMatchObject({ version: '2.0.0', status: 'published', publishedAt })
  expect(await keyed()).toMatchObject({ status: 'published', publishedAt })

  expect((await command('draft', 'acme/app', '2.0.0')).status).toBe(0)
  // So that the next request sees what the command wrote.
  seed.db.run('UPDATE team SET name = name')
  expect((await server.get(`${OPEN}/versions/${id}`)).status).toBe(404)
})
