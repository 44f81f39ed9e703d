import { afterAll, describe, expect, test } from 'bun:test'
import { cardOf } from '../../../../src/http/pages/timeline.ts'
import type { ChangelogInfo, VersionContent } from '../../../../src/store/store.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { fingerprint } from '../../../support/servers/server.ts'

const ID = `${'0'.repeat(32)}-1440x720`
const day = (at: number) => Date.UTC(2026, 10, at)

describe('the start page', () => {
  const server = openHandler()
  const acme = server.seed.team('acme', { name: 'Acme' })
  const app = server.seed.product(acme, 'app', { name: 'App' })
  server.seed.version(app.changelogId, 'guests', {
    title: 'Guests on every board',
    publishedAt: day(12),
    description: `You can invite people.\n\n![A board](pictures/${ID}.webp)`,
  })
  const cli = server.seed.product(acme, 'cli', { name: 'CLI' })
  server.seed.version(cli.changelogId, '1.4.0', {
    title: '1.4.0',
    publishedAt: day(10),
    changes: [
      { type: 'fixed', title: 'Uploads continue' },
      { type: 'fixed', title: 'Invitations & more' },
    ],
  })
  const hidden = server.seed.product(acme, 'hidden', { status: 'draft' })
  server.seed.version(hidden.changelogId, 'secret', { title: 'Invite nobody', publishedAt: day(11) })
  server.seed.team('private', { visibility: 'private' })
  afterAll(() => server[Symbol.dispose]())

  const html = async (path: string) => (await server.get(path)).text()
  const cards = (page: string) =>
    [
      ...page.matchAll(
        /<p class="card">(.*?)<\/p>\n<p class="from">(.*?)<\/p>(?:\n<p class="said" dir="auto">(.*?)<\/p>)?/gs,
      ),
    ].map(([, ...parts]) =>
      parts.map((part = '') =>
        part
          .replace(/<(?!\/?mark)[^>]*>/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    )

  test('has titles first, then product and number, then words, and the first picture', async () => {
    const page = await html('/')
    expect(cards(page)).toEqual([
      ['Guests on every board', 'App', 'You can invite people.'],
      ['CLI 1.4.0', '2 fixed', 'Uploads continue. Invitations &amp; more.'],
    ])
    expect(page).toContain(
      `<img src="/changelog/acme/app/pictures/${ID}.small.webp" width="1080" height="540" alt="">`,
    )
    expect(page).toContain('Search all products')
  })

  test('finds words in all public products, and marks them', async () => {
    const page = await html('/?q=invit')
    expect(cards(page)).toEqual([
      ['Guests on every board', 'App', 'You can <mark>invite</mark> people.'],
      ['CLI 1.4.0', '2 fixed', '<mark>Invitations</mark> &amp; more'],
    ])
    expect(page).toContain('2 updates mention “invit”')
    expect(page).toContain('<meta name="robots" content="noindex">')
    expect(cards(await html('/changelog/acme?q=uploads'))).toHaveLength(1)
    const none = await html('/?q=nobody')
    expect(none).toContain('No update mentions “nobody” so far.')
    expect(none).not.toContain('Invite nobody')
    expect(await html('/?q=%3Cb%3E')).not.toContain('<b>”')
  })

  test('searches no team that is hidden, as none that is missing, and has one address for a search', async () => {
    const [one, other] = await Promise.all(
      ['private', 'nobody'].map(async (team) => fingerprint(await server.get(`/changelog/${team}?q=invit`))),
    )
    expect(one).toBe(other as string)
    expect((await server.get('/?prereleases=yes&q=invit')).headers.get('location')).toBe('/?q=invit')
  })
})

test('a search of all products ends after so much work, goes on behind it, and costs as many requests', async () => {
  using server = openHandler({ RATE_LIMIT_BURST: '100', RATE_LIMIT_PER_MINUTE: '1' })
  const team = server.seed.team('acme')
  for (let at = 0; at < 3; at++) {
    const { changelogId } = server.seed.product(team, `app-${at}`)
    server.seed.db.run('BEGIN')
    for (let n = 0; n < 1_100; n++)
      server.seed.version(changelogId, `1.${n}.0`, { title: n === 0 ? 'Needle' : 'Hay', publishedAt: n })
    server.seed.db.run('COMMIT')
  }
  const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
  const lefts: number[] = []
  const found: number[] = []
  let next: string | undefined = '/?q=needle'
  while (next) {
    const response = await server.get(next)
    lefts.push(left(response))
    const page = await response.text()
    found.push(page.match(/<mark>Needle/g)?.length ?? 0)
    next = /rel="next" href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    expect(page.includes('At least')).toBe(next !== undefined)
  }
  expect(found).toEqual([1, 1, 1])
  // About 2,000 versions and changelogs count as eight requests, and a page as one.
  expect((lefts[0] ?? 0) - (lefts[1] ?? 0)).toBe(9)
})

test('a thumbnail does not move', () => {
  const id = `${'0'.repeat(32)}-640x320.gif`
  const place = { team: { slug: 'acme' }, product: { slug: 'app' } } as ChangelogInfo
  const content = { label: '1.0', description: `![x](pictures/${id})`, closing: null, changes: [] }
  const { picture } = cardOf(place, content as unknown as VersionContent)
  expect(picture).toEqual({ path: `/changelog/acme/app/pictures/${id}.small.webp`, width: 640, height: 320 })
})
