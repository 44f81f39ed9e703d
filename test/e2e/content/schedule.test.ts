import { describe, expect, test } from 'bun:test'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

/** How far ahead a moment is, if the command is soon enough: long enough for some requests before it. */
const AHEAD_MS = 2_500

interface Seen {
  /** When the request was sent, and when its response had come. */
  sentAt: number
  cameAt: number
  text: string
}

async function timed(read: () => Promise<string>): Promise<Seen> {
  const sentAt = Date.now()
  const text = await read()
  return { sentAt, text, cameAt: Date.now() }
}

describe.each([...SUBJECTS])('a version scheduled at the command line, on $name', (subject) => {
  const command = async (server: TestServer, ...args: string[]) => {
    const child = Bun.spawn([...subject.command, ...args], {
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: server.database },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [status, stdout, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { status, stdout, stderr }
  }

  /** Schedules a version for the near future, and gives the moment: later on a machine that is slow. */
  const scheduled = async (server: TestServer): Promise<number> => {
    for (let ahead = AHEAD_MS; ; ahead *= 2) {
      const moment = Date.now() + ahead
      const at = new Date(moment).toISOString()
      const { status, stderr } = await command(server, 'version', 'schedule', 'acme/app', '2.0.0', '--at', at)
      if (status === 0) return moment
      expect(stderr).toContain('is in the past')
    }
  }

  // Each waits for its moment, all at the same time.
  test.concurrent('appears on time on a server that is not touched, on open connections and on new ones', async () => {
    await using server = await startServer(subject)
    const { seed } = server
    const team = seed.team('acme')
    const { token } = seed.key(team)
    const app = seed.product(team, 'app')
    seed.version(app.changelogId, '1.0.0')
    const id = seed.version(app.changelogId, '2.0.0', { status: 'draft', title: 'Secret' })
    const path = publicPath('acme', 'app')
    const { url } = server

    const kept = (target: string) => timed(async () => (await fetch(url + target)).text())
    const fresh = (target: string) =>
      timed(() => server.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))
    const keyed = async () => {
      const response = await fetch(url + keyedPath('acme', 'app', `/versions/${id}`), {
        headers: bearer(token),
      })
      return ((await response.json()) as { data: { status: string; publishedAt: string } }).data
    }

    // As long as nothing else is public, the tag of the response is this one.
    const etag = (await fetch(url + path)).headers.get('etag') as string
    const moment = await scheduled(server)
    const publishedAt = new Date(moment).toISOString()
    // From here on no one writes: only the clock.
    expect(server.url).toBe(url)
    const before = await keyed()
    if (Date.now() < moment) expect(before).toMatchObject({ status: 'draft', publishedAt })

    const reads = [
      () => kept(path),
      () => fresh(path),
      () => kept(`${path}/versions/${id}`),
      () => fresh('/changelog/acme/app/feed.atom'),
      () => kept('/changelog/acme/app'),
      () => fresh('/changelog/acme/app/CHANGELOG.md'),
    ]
    let shown = new Set<number>()
    while (shown.size < reads.length) {
      const now = new Set<number>()
      for (const [at, read] of reads.entries()) {
        const { sentAt, cameAt, text } = await read()
        const isShown = text.includes('Secret')
        // Never before its moment, and always from then on, by the clock that both processes have.
        if (isShown) expect(cameAt).toBeGreaterThanOrEqual(moment)
        else expect(sentAt).toBeLessThan(moment)
        if (isShown) now.add(at)
      }
      shown = now
    }

    const again = await fetch(url + path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(200)
    expect(again.headers.get('cache-control')).toBe('public, max-age=60')
    const { data } = (await again.json()) as { data: { versions: object[] } }
    expect(data.versions[0]).toMatchObject({ version: '2.0.0', status: 'published', publishedAt })
    expect(await keyed()).toMatchObject({ status: 'published', publishedAt })

    expect((await command(server, 'version', 'draft', 'acme/app', '2.0.0')).status).toBe(0)
    // So that the next request sees what the command wrote.
    seed.db.run('UPDATE team SET name = name')
    expect((await server.get(`${path}/versions/${id}`)).status).toBe(404)
  })
})
