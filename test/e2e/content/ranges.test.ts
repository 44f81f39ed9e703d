import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readChangelog } from '../../support/servers/read-changelog.ts'
import {
  bearer,
  fingerprint,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

describe.each([...SUBJECTS])('what changes from one version to another, from $name', (subject) => {
  let server: TestServer
  let key: Record<string, string>
  let missing: string

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    const team = seed.team('acme')
    const publish = (
      changelogId: string,
      labels: readonly string[],
      status: 'published' | 'draft' = 'published',
      from = 0,
    ) => {
      for (const [day, label] of labels.entries())
        seed.version(changelogId, label, {
          status,
          publishedAt: START + (from + day) * DAY,
          closing: `End of ${label}`,
          changes: [
            { type: 'added', title: `feat!: ${label}` },
            { type: 'bug-fixes', typeLabel: '🐛 Bug Fixes', title: `Fix in ${label}` },
          ],
        })
    }
    const { changelogId } = seed.product(team, 'app')
    // In the order of their publication: 1.2.1 is a maintenance release.
    publish(changelogId, [
      '1.0.0',
      'v1.2.0',
      'Summer',
      '1.10.0',
      '2.0.0-rc.1',
      '2.0.0',
      '1.2.1',
      'app@2.1.0',
      '3.0.0-beta',
    ])
    publish(changelogId, ['2.0.5', '9.0.0'], 'draft', 20)
    const [first] = [seed.product(team, 'seasons')]
    publish(first.changelogId, ['Spring', 'Summer', 'Autumn', 'Winter'])
    publish(seed.product(team, 'early').changelogId, ['1.0.0-alpha', '1.0.0-beta'])
    key = bearer(seed.key(team).token)
    missing = await fingerprint(await server.get(publicPath('no-such-team', 'app')))
  })
  afterAll(async () => {
    await server.stop()
  })

  const read = (path: string, headers?: Record<string, string>) => readChangelog(server, path, headers)
  const labels = async (query: string, product = 'app', headers?: Record<string, string>) =>
    (
      await read(headers ? keyedPath('acme', product, query) : publicPath('acme', product, query), headers)
    ).versions.map(({ version }) => version)
  const status = async (query: string) => (await server.get(publicPath('acme', 'app', query))).status

  test('is every semantic version between the two by precedence, in the order of the list', async () => {
    expect(await labels('?from=1.0.0&to=2.0.0')).toEqual(['1.2.1', '2.0.0', '2.0.0-rc.1', '1.10.0', 'v1.2.0'])
    expect(await labels('?from=v1.2.0&to=1.10.0')).toEqual(['1.2.1', '1.10.0'])
    expect(await labels('?from=2.0.0-rc.1&to=2.0.0')).toEqual(['2.0.0'])
    expect(await labels('?to=v1.2.0')).toEqual(['v1.2.0', '1.0.0'])
  })

  test('ends with the highest release that is no pre-release, if nothing else is said', async () => {
    expect(await labels('?from=2.0.0')).toEqual(['app@2.1.0'])
    expect(await labels('?from=1.0.0-alpha', 'early')).toEqual(['1.0.0-beta'])
    expect(await labels('?from=Summer', 'seasons')).toEqual(['Winter', 'Autumn'])
    // Who has it has nothing to read.
    expect(await labels('?from=app@2.1.0')).toEqual([])
    expect(await labels('?from=3.0.0-beta')).toEqual([])
  })

  test('is what stands between the two in the list, if one of them is no semantic version', async () => {
    expect(await labels('?from=Spring&to=Autumn', 'seasons')).toEqual(['Autumn', 'Summer'])
    expect(await labels('?to=Summer', 'seasons')).toEqual(['Summer', 'Spring'])
    expect(await labels('?from=Summer&to=2.0.0')).toEqual(['2.0.0', '2.0.0-rc.1', '1.10.0'])
  })

  test('has drafts for a key, and the public’s newest release', async () => {
    expect(await labels('?from=2.0.0&to=9.0.0', 'app', key)).toEqual([
      '9.0.0',
      '2.0.5',
      '3.0.0-beta',
      'app@2.1.0',
    ])
    expect(await labels('?from=2.0.0', 'app', key)).toEqual(['2.0.5', 'app@2.1.0'])
  })

  test('is paged, with and without changes, and combines with after', async () => {
    for (const include of ['', '&include=changes']) {
      const seen: string[] = []
      let path: string | undefined = publicPath('acme', 'app', `?from=1.0.0&to=2.0.0&limit=2${include}`)
      while (path) {
        const { versions, link } = await read(path)
        expect(versions.length).toBeLessThanOrEqual(2)
        for (const { version, changes } of versions) {
          seen.push(version)
          expect(changes?.length ?? 2).toBe(2)
        }
        path = /<(.+)>; rel="next"/.exec(link ?? '')?.[1]
      }
      expect(seen).toEqual(['1.2.1', '2.0.0', '2.0.0-rc.1', '1.10.0', 'v1.2.0'])
    }
    expect(await labels('?from=1.0.0&to=2.0.0&after=1.10.0')).toEqual(['1.2.1', '2.0.0', '2.0.0-rc.1'])
  })

  test('needs labels that exist and are visible, or is the same 404, and from below to, or is a 400', async () => {
    for (const query of [
      '?from=7.7.7',
      '?to=7.7.7',
      '?from=1.0.0&to=2.0.5',
      '?from=9.0.0',
      '?from=2.0.5&to=9.0.0',
    ])
      expect([query, await fingerprint(await server.get(publicPath('acme', 'app', query)))]).toEqual([
        query,
        missing,
      ])
    expect(await status('?from=2.0.0&to=1.0.0')).toBe(400)
    expect(await status('?from=2.0.0&to=2.0.0')).toBe(400)
    expect(await status('?from=2.0.0&to=Summer')).toBe(400)
    expect(await status('?from=1.0.0&from=2.0.0')).toBe(400)
    // What one query lacks, another may have.
    expect(await status('?from=1.0.0&to=2.0.0')).toBe(200)
  })

  test('changes tell their kind and whether they break something, and are selected by it', async () => {
    const { versions } = await read(publicPath('acme', 'app', '?from=1.10.0&to=2.0.0&include=changes'))
    expect(versions[0]).toMatchObject({
      closing: 'End of 2.0.0',
      changes: [
        { type: 'added', kind: 'added', breaking: true },
        { type: 'bug-fixes', typeLabel: '🐛 Bug Fixes', kind: 'fixed', breaking: false },
      ],
    })
    const types = async (query: string) => {
      const [version] = (await read(publicPath('acme', 'app', `?include=changes&limit=1${query}`))).versions
      return version?.changes?.map(({ type }) => type)
    }
    expect(await types('&kind=breaking')).toEqual(['added'])
    expect(await types('&kind=added')).toEqual(['added'])
    expect(await types('&kind=fixed')).toEqual(['bug-fixes'])
    expect(await types('&kind=breaking,fixed')).toEqual(['added', 'bug-fixes'])
    expect(await types('&kind=fixed&type=added')).toBeUndefined()
    expect(await status('?kind=fixed')).toBe(400)
    expect(await status('?include=changes&kind=nothing')).toBe(400)
  })
})
