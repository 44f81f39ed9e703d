import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { readChangelog } from '../../../support/servers/read-changelog.ts'
import { publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

/** The oldest first. */
const CHANGELOGS = {
  debian: ['7.88.0-1', '7.88.1-1', '7.88.1-9', '7.88.1-10', '7.88.1-10+deb12u1', '7.88.1-10+deb12u5'],
  spring: ['1.0.0', '1.1.0.RELEASE', '2.0.0.RELEASE'],
  python: ['1.9', '1.9.post1', '2.0a1', '2.0b10', '2.0rc1'],
  words: ['1.0 Beta 9', '1.0 Beta 10', '1.0 RC 1'],
  mixed: ['Harbor', '2.0.0', 'Lighthouse', '2.1.0-rc.1'],
}

describe('numbers of other schemes', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme', { name: 'Acme' })
    for (const [slug, labels] of Object.entries(CHANGELOGS)) {
      const { changelogId } = seed.product(team, slug)
      for (const [day, label] of labels.entries())
        seed.version(changelogId, label, { publishedAt: START + day * DAY })
    }
    const { changelogId } = seed.product(team, 'backports')
    // A fix of the old, released last.
    for (const [day, label] of ['1.0.0', '2.0.0', '2.1.0rc1', '1.0.1'].entries())
      seed.version(changelogId, label, { publishedAt: START + day * DAY })
    return ''
  })
  type Product = keyof typeof CHANGELOGS | 'backports'
  const labels = async (product: Product, query: string) =>
    (await readChangelog(site, `${publicPath('acme', product)}${query}`)).labels
  const latest = async (product: Product) =>
    JSON.parse(await site.text(`${publicPath('acme', product)}/versions/latest`)).data.version
  const newestFirst = (product: keyof typeof CHANGELOGS) => CHANGELOGS[product].toReversed()

  test('revisions of Debian are releases: prereleases=no lists them all, and the last one is the latest', async () => {
    expect(await labels('debian', '?prereleases=no')).toEqual(newestFirst('debian'))
    expect(await latest('debian')).toBe('7.88.1-10+deb12u5')
    expect(await labels('debian', '?from=7.88.1-9')).toEqual(newestFirst('debian').slice(0, 3))
  })

  test('a version need not exist to be the beginning, whatever the words of the others', async () => {
    expect(await labels('spring', '?from=0.9.0')).toEqual(newestFirst('spring'))
    expect(await labels('spring', '?from=1.0.0&to=1.1.0')).toEqual(['1.1.0.RELEASE'])
  })

  test('candidates of Python are pre-releases, and the latest is none, on pages and badges too', async () => {
    expect(await labels('python', '?prereleases=no')).toEqual(['1.9.post1', '1.9'])
    expect(await latest('python')).toBe('1.9.post1')
    expect(await site.leads('/changelog/acme/python/latest')).toBe('/changelog/acme/python/1.9.post1')
    expect(await site.text('/changelog/acme/python/badge.svg')).toContain('>1.9.post1</text>')
    expect(await site.text('/changelog/acme')).toContain('<code>1.9.post1</code>')
    expect(await labels('python', '?from=1.9')).toEqual(['1.9.post1'])
    expect(await labels('python', '?from=1.9&to=2.0')).toEqual(['2.0rc1', '2.0b10', '2.0a1', '1.9.post1'])
  })

  test('without a release, the latest is the newest, and words are compared by their numbers', async () => {
    expect(await labels('words', '?prereleases=no')).toEqual([])
    expect(await latest('words')).toBe('1.0 RC 1')
    expect(await labels('words', '?from=1.0%20Beta%209')).toEqual(['1.0 RC 1', '1.0 Beta 10'])
  })

  test('a name is no pre-release, and is compared by its place in the list', async () => {
    expect(await latest('mixed')).toBe('Lighthouse')
    expect(await labels('mixed', '?from=Harbor&to=Lighthouse')).toEqual(['Lighthouse', '2.0.0'])
  })

  test('the latest is the highest release, where a range ends, though a lower one is newer', async () => {
    expect(await latest('backports')).toBe('2.0.0')
    expect(await labels('backports', '?from=1.0.1')).toEqual(['2.0.0'])
  })
})
