import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { readChangelog, readPages } from '../../../support/servers/read-changelog.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const OPEN = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')
const PAGE = '/changelog/acme/app'
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

describe('pre-releases and yanked versions', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme', { name: 'Acme' })
    const { changelogId } = seed.product(team, 'app', { name: 'App' })
    const changes = [{ type: 'added', title: 'Something' }]
    const add = (label: string, at: number, more = {}) =>
      seed.version(changelogId, label, { publishedAt: START + at * DAY, title: label, changes, ...more })
    for (let patch = 0; patch < 4; patch++) add(`1.0.${patch}`, patch)
    for (let beta = 0; beta < 60; beta++) add(`1.1.0-beta.${beta}`, 10 + beta)
    add('1.1.0', 80, { yanked: 'Loses <settings>' })
    add('1.2.0', 81, { prerelease: true })
    add('1.3.0', 82, { status: 'draft' })
    add('1.3.0-rc.1', 83, { status: 'draft' })
    return bearer(seed.key(team).token)
  })
  const STABLE = ['1.1.0', '1.0.3', '1.0.2', '1.0.1', '1.0.0']
  const labels = async (path: string, headers?: Record<string, string>) =>
    (await readChangelog(site, path, headers)).labels

  test('prereleases=no leaves out pre-releases in lists, pages, feeds and ranges, and nothing else', async () => {
    expect(await labels(`${OPEN}?prereleases=no`)).toEqual(STABLE)
    expect(await labels(`${KEYED}?prereleases=no`, site.filled)).toEqual(['1.3.0', ...STABLE])
    expect(await labels(OPEN)).toHaveLength(66)
    const pages = await readPages(site, `${OPEN}?prereleases=no&include=changes&limit=2`)
    expect(pages.flat()).toEqual(STABLE)
    expect(await labels(`${OPEN}?from=1.0.2&to=1.2.0&prereleases=no`)).toEqual(['1.1.0', '1.0.3'])
    const shown = (text: string) => [...text.matchAll(/"label[^"]*">([^<]+)</g)].map(([, label]) => label)
    const page = await site.text(`${PAGE}?prereleases=no`)
    expect(shown(page)).toEqual(STABLE)
    expect(page).toContain(`<p class="summary">${STABLE.length} releases · `)
    // Each has one change.
    expect(page).toMatch(/>All <b>5<\/b>.*>Added <b>5<\/b>/s)
    for (const feeds of [PAGE, '/changelog/acme', '']) {
      const { items } = JSON.parse(await site.text(`${feeds}/feed.json?prereleases=no`))
      expect(items.map(({ url }: { url: string }) => url.split('/').at(-1))).toEqual(STABLE)
    }
    for (const timeline of ['/', '/changelog/acme'])
      expect((await site.text(`${timeline}?prereleases=no`)).match(/class="title"/g)).toHaveLength(
        STABLE.length,
      )
  })

  test('yes leaves them in, any other value is refused, and the two that are allowed are named', async () => {
    for (const path of [OPEN, PAGE, `${PAGE}/feed.atom`, '/feed.rss', '/changelog/acme'])
      expect([path, await site.status(`${path}?prereleases=1`)]).toEqual([path, 400])
    expect(await site.text(`${OPEN}?prereleases=1`)).toContain('prereleases must be yes or no.')
    expect(await labels(`${OPEN}?prereleases=yes`)).toEqual(await labels(OPEN))
  })

  test('a yanked version is marked, and never the newest one, the end of an upgrade or on the badge', async () => {
    const detail = async (name: string) => JSON.parse(await site.text(`${OPEN}/versions/${name}`)).data
    expect(await detail('1.1.0')).toMatchObject({ prerelease: false, yanked: 'Loses <settings>' })
    expect(await detail('latest')).toMatchObject({ version: '1.0.3', prerelease: false, yanked: null })
    expect(await labels(`${OPEN}?from=1.0.2`)).toEqual(['1.0.3'])
    expect(await site.text(`${PAGE}/badge.svg`)).toContain('>1.0.3</text>')
    const notice = '1.1.0 was withdrawn after its release. <bdi>Loses &lt;settings&gt;</bdi>'
    for (const path of [`${PAGE}/1.1.0`, PAGE, `${PAGE}?from=1.0.2&to=1.1.0`])
      expect([path, (await site.text(path)).includes(notice)]).toEqual([path, true])
    expect(await site.text(`${PAGE}?from=1.0.1&to=1.0.2`)).not.toContain('withdrawn')
    expect(await site.text(PAGE)).toContain('newest <bdi>1.0.3</bdi>')
    expect(await site.text(`${PAGE}/feed.json`)).toContain('"title":"1.1.0: Something [Yanked]"')
    expect(await site.text(`${PAGE}/CHANGELOG.md`)).toContain('## [1.1.0] - 2026-03-22 [YANKED]')
  })
})

describe('sixty yanked versions', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    for (let minor = 0; minor < 62; minor++)
      seed.version(changelogId, `1.${minor}.0`, {
        publishedAt: START + minor * DAY,
        ...(minor > 1 && { yanked: '' }),
      })
    return bearer(seed.key(team).token)
  })

  test('say to programs that no reason is given, and on pages only that they are yanked', async () => {
    expect(JSON.parse(await site.text(`${OPEN}/versions/1.9.0`)).data.yanked).toBe('No reason given.')
    for (const path of [`${PAGE}/1.9.0`, PAGE, `${PAGE}/feed.atom`]) {
      expect(await site.text(path)).toMatch(/class="badge yanked"|\[Yanked\]/)
      expect(await site.text(path)).not.toMatch(/withdrawn after|No reason/)
    }
    const upgrade = await site.text(`${PAGE}?from=1.8.0&to=1.9.0`)
    expect(upgrade).toContain('1.9.0 was withdrawn after its release.</p>')
  })

  test('leave the newest of the others as latest, on the badge, in lists and as the end of an upgrade', async () => {
    for (const path of [OPEN, KEYED])
      expect(JSON.parse(await site.text(`${path}/versions/latest`, site.filled)).data).toMatchObject({
        version: '1.1.0',
      })
    expect(await site.text(`${PAGE}/badge.svg`)).toContain('>1.1.0</text>')
    expect(await site.leads(`${PAGE}/latest`)).toBe(`${PAGE}/1.1.0`)
    expect((await readChangelog(site, `${OPEN}?from=1.0.0`)).labels).toEqual(['1.1.0'])
    expect(await site.text('/changelog/acme')).toContain('>app</a> <code>1.1.0</code>')
  })
})
