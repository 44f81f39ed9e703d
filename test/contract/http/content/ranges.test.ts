import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { readChangelog, readPages } from '../../../support/servers/read-changelog.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const APP = publicPath('acme', 'app')

describe('what changes from one version to another', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme')
    const publish = (product: string, labels: string[], drafts: string[] = []) => {
      const { changelogId } = seed.product(team, product)
      for (const [day, label] of [...labels, ...drafts].entries())
        seed.version(changelogId, label, {
          status: day < labels.length ? 'published' : 'draft',
          publishedAt: START + day * DAY,
          closing: `End of ${label}`,
          changes: [
            { type: 'added', title: `feat!: ${label}` },
            { type: 'bug-fixes', typeLabel: '🐛 Bug Fixes', title: `Fix in ${label}` },
          ],
        })
    }
    // In the order of their publication: 1.2.1 is a maintenance release.
    const labels = [
      '1.0.0',
      'v1.2.0',
      'Summer',
      '1.10.0',
      '2.0.0-rc.1',
      '2.0.0',
      '1.2.1',
      'app@2.1.0',
      '3.0.0-beta',
    ]
    publish('app', labels, ['2.0.5', '9.0.0'])
    publish('seasons', ['Spring', 'Summer', 'Autumn', 'Winter'])
    publish(
      'majors',
      ['16.0.0', '16.9.1', '17.0.0-rc.1', 'v17.0.0', '17.4.2', '18.0.0'],
      ['16.10.0', '17.5.0'],
    )
    publish('builds', ['15', '16', '16.5', '17'])
    return bearer(seed.key(team).token)
  })
  const labels = async (query: string, product = 'app') =>
    (await readChangelog(site, publicPath('acme', product, query))).labels
  const keyed = async (query: string) =>
    (await readChangelog(site, keyedPath('acme', 'app', query), site.filled)).labels
  const BETWEEN = ['1.2.1', '2.0.0', '2.0.0-rc.1', '1.10.0', 'v1.2.0']

  test('is every semantic version between the two by precedence, in the order of the list', async () => {
    expect(await labels('?from=1.0.0&to=2.0.0')).toEqual(BETWEEN)
    expect(await labels('?to=v1.2.0')).toEqual(['v1.2.0', '1.0.0'])
    // In the order of the list, if one of them is no semantic version.
    expect(await labels('?from=Spring&to=Autumn', 'seasons')).toEqual(['Autumn', 'Summer'])
    expect(await labels('?from=1.0.0&to=2.0.0&after=v1.10.0')).toEqual(BETWEEN.slice(0, 3))
    for (const include of ['', '&include=changes']) {
      const pages = await readPages(site, `${APP}?from=1.0.0&to=2.0.0&limit=2${include}`)
      expect(pages.flat()).toEqual(BETWEEN)
    }
  })

  test('ends with the highest release that is no pre-release, if nothing else is said', async () => {
    expect(await labels('?from=2.0.0')).toEqual(['app@2.1.0'])
    expect(await labels('?from=Summer', 'seasons')).toEqual(['Winter', 'Autumn'])
    // Who has it, or a higher one, has nothing to read.
    for (const from of ['app@2.1.0', '2.1.0', '9.0.0', '9.9.9'])
      expect(await labels(`?from=${from}`)).toEqual([])
  })

  test('takes the number of a major for its newest version that may be seen, unless a version is called so', async () => {
    for (const query of ['from=16&to=17', 'from=v16&to=V17', 'from=16.9.1&to=17', 'from=16&to=17.4.2'])
      expect([query, await labels(`?${query}`, 'majors')]).toEqual([
        query,
        ['17.4.2', 'v17.0.0', '17.0.0-rc.1'],
      ])
    expect(await labels('?from=17', 'majors')).toEqual(['18.0.0'])
    expect(await labels('?to=16', 'majors')).toEqual(['16.9.1', '16.0.0'])
    for (const query of ['from=9&to=16.0.0', 'from=15&to=16.0'])
      expect([query, await labels(`?${query}`, 'majors')]).toEqual([query, ['16.0.0']])
    const path = keyedPath('acme', 'majors', '?from=16&to=17')
    expect((await readChangelog(site, path, site.filled)).labels).toEqual([
      ...['17.5.0', '17.4.2', 'v17.0.0', '17.0.0-rc.1'],
    ])
    expect(await site.status(publicPath('acme', 'majors', '?from=17&to=16'))).toBe(400)
    expect(await labels('?from=15&to=16', 'builds')).toEqual(['16'])
    expect(await labels('?from=16&to=17', 'builds')).toEqual(['17', '16.5'])
  })

  test('has drafts for a key, and the public’s newest release', async () => {
    expect(await keyed('?from=2.0.0&to=9.0.0')).toEqual(['9.0.0', '2.0.5', '3.0.0-beta', 'app@2.1.0'])
    expect(await keyed('?from=2.0.0')).toEqual(['2.0.5', 'app@2.1.0'])
  })

  test('needs no semantic version that exists, spelled in any way, and a hidden one is like a missing one', async () => {
    for (const query of ['from=v1.0.1&to=v2.0.0', 'from=core@1.1.0&to=2.0.5', 'from=1.0.0&to=2.0.6'])
      expect([query, await labels(`?${query}`)]).toEqual([query, BETWEEN])
    expect(await labels('?from=1.0.0&to=9.0.0')).toEqual(await labels('?from=1.0.0&to=9.0.1'))
    // Nothing lies between them in a changelog without any.
    for (const query of ['?from=1.0.0', '?from=1.0.0&to=2.0.0', '?to=2.0.0'])
      expect([query, await labels(query, 'seasons')]).toEqual([query, []])
    // One of them is looked for in the list.
    expect(await labels('?from=1.2.0&to=Summer')).toEqual(['Summer'])
  })

  test('needs other labels that exist and are visible, or is a 404 that names the parameter, and from below to, or is a 400', async () => {
    for (const [name, ...queries] of [
      ['from', 'from=Autumn', 'from=Harbor', 'from=2.0.6&to=Autumn', 'from=Harbor&after=1.0.0'],
      ['to', 'to=Harbor', 'from=Summer&to=2.0.5', 'from=Summer&to=2.0.6', 'after=1.0.0&to=Autumn'],
      // 2.0.5 is a draft.
      ['after', 'after=2.0.5', 'after=2.0.6', 'after=v2.0.5', 'after=%00', 'after=2.0.5&from=1.0.0'],
    ] as const) {
      const prints = await Promise.all(queries.map((query) => site.print(`${APP}?${query}`)))
      expect([name, new Set(prints).size]).toEqual([name, 1])
      // The same when it is asked again.
      for (const query of queries) expect(await site.print(`${APP}?${query}`)).toBe(prints[0] ?? '')
      expect(JSON.parse(await site.text(`${APP}?${queries[0]}`))).toEqual({
        error: { code: 'not_found', message: `${name} names no version of this changelog.` },
      })
    }
    for (const query of ['from=Autumn', 'after=1.0.0', 'to=x'])
      expect(await site.print(publicPath('acme', 'ghost', `?${query}`))).toBe(
        await site.print(publicPath('no-such-team', 'app')),
      )
    const reversed = ['from=2.0.0&to=1.0.0', 'from=2.0.0&to=v2.0.0', 'from=2.0.0&to=Summer']
    for (const query of [...reversed, 'from=9.9.9&to=9.9.8', 'from=1.0.0&from=2.0.0'])
      expect([query, await site.status(`${APP}?${query}`)]).toEqual([query, 400])
  })

  test('changes tell their kind and whether they break something, and are selected by it', async () => {
    const { versions } = await readChangelog(site, `${APP}?from=1.10.0&to=2.0.0&include=changes`)
    expect(versions[0]).toMatchObject({
      closing: 'End of 2.0.0',
      changes: [
        { type: 'added', kind: 'added', breaking: true },
        { type: 'bug-fixes', typeLabel: '🐛 Bug Fixes', kind: 'fixed', breaking: false },
      ],
    })
    for (const [query, types] of [
      ['kind=breaking', ['added']],
      ['kind=breaking,fixed', ['added', 'bug-fixes']],
      ['kind=fixed&type=added', undefined],
    ] as const) {
      const [version] = (await readChangelog(site, `${APP}?include=changes&limit=1&${query}`)).versions
      expect([query, version?.changes?.map(({ type }) => type)]).toEqual([query, types && [...types]])
    }
    expect(await site.status(`${APP}?include=changes&kind=nothing`)).toBe(400)
    // Capitals do not matter, and without changes there would be nothing to select from.
    for (const query of ['kind=Breaking', 'type=ADDED', 'type=added&include=changes'])
      expect(await site.text(`${APP}?limit=1&${query}`)).toBe(
        await site.text(`${APP}?limit=1&include=changes&type=added`),
      )
  })

  test('has pre-releases, unless they are not wanted', async () => {
    const all = await labels('?from=1.10.0&to=2.0.0')
    expect(await labels('?from=1.10.0&to=2.0.0&prereleases=yes')).toEqual(all)
    expect(await labels('?from=1.10.0&to=2.0.0&prereleases=no')).toEqual(
      all.filter((label) => label !== '2.0.0-rc.1'),
    )
    expect(JSON.parse(await site.text(`${APP}?prereleases=maybe`)).error.message).toBe(
      'prereleases must be yes or no.',
    )
  })
})
