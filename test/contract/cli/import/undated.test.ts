import { describe, expect, test } from 'bun:test'
import { prepared } from './prepared.ts'

const section = (label: string, date = '') => `## [${label}]${date && ` - ${date}`}\n\n- Work on ${label}\n`
const file = (...labels: string[]) => labels.map((label) => section(label)).join('\n')
const LIST = '/public/teams/acme/products/app/changelog'

describe('a version without a date', () => {
  test('says on the API that nobody knows its date, which is between those of its neighbours', async () => {
    await using at = await prepared()
    await at.bring(
      `${section('1.3', '2026-03-05')}\n${file('1.2')}\n${section('1.1', '2026-03-03')}`,
      '--status',
      'published',
    )
    expect(await at.show('1.2')).toMatchObject({
      ...{ publishedAt: '2026-03-04T00:00:00.000Z', dateKnown: false },
    })
    expect(await at.show('1.1')).toMatchObject({ dateKnown: true })
    const { data } = await at.box.seenByApi(LIST)
    const [, undated] = data?.versions ?? []
    expect(Object.keys(undated ?? {})).toEqual([
      'id',
      'object',
      'version',
      'title',
      'status',
      'publishedAt',
      'changeCount',
    ])
    const detail = await at.box.seenByApi(`${LIST}/versions/${undated?.id}`)
    expect(detail.data).toMatchObject({ publishedAt: '2026-03-04T00:00:00.000Z', dateKnown: false })
    const other = await at.box.seenByApi(`${LIST}/versions/${data?.versions?.[0]?.id}`)
    expect(other.data).toMatchObject({ dateKnown: true })
    const included = await at.box.seenByApi(`${LIST}?include=changes`)
    expect(included.data?.versions).toMatchObject([
      { dateKnown: true },
      { dateKnown: false },
      { dateKnown: true },
    ])
  })

  test('has a date from the moment that it is published again', async () => {
    await using at = await prepared()
    await at.bring(file('3', '2', '1'))
    await at.box.json('version', 'draft', 'acme/app', '3')
    expect(await at.show('3')).toMatchObject({ dateKnown: false })
    const start = Date.now()
    await at.box.json('version', 'publish', 'acme/app', '3')
    const { publishedAt, ...published } = await at.show('3')
    expect(published).toMatchObject({ dateKnown: true })
    expect(Date.parse(publishedAt)).toBeGreaterThanOrEqual(start)
  })

  test('shows none on pages, in feeds and files, in tables and previews', async () => {
    await using at = await prepared()
    await at.bring(file('2', '1'))
    const { version: shown, publishedAt } = await at.show('2')
    const day = publishedAt.slice(0, 10)
    const url = await at.box.serve()
    const pages = ['', '/2', '/CHANGELOG.md', '/feed.rss', '/feed.json']
    for (const path of [...pages.map((page) => `/changelog/acme/app${page}`), '/changelog/acme']) {
      const response = await fetch(`${url}${path}`)
      const text = (await response.text()).replace(/<lastBuildDate>.*<\/lastBuildDate>/, '')
      expect([path, response.status]).toEqual([path, 200])
      expect([path, text]).toEqual([path, expect.stringContaining(shown)])
      expect([path, text]).not.toEqual([
        path,
        expect.stringMatching(/<time|date_published|datePublished|pubDate/),
      ])
      expect([path, text]).not.toEqual([path, expect.stringContaining(day)])
    }
    const atom = await (await fetch(`${url}/changelog/acme/app/feed.atom`)).text()
    expect(atom).not.toContain('<published>')
    // The moment of the import.
    const { createdAt } = JSON.parse(
      (await at.box.words('export --all')).stdout
        .split('\n')
        .find((line) => line.includes('"version":"2"')) ?? '',
    ).version as { createdAt: string }
    expect([...atom.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, moment]) => moment)).toEqual(
      Array(3).fill(createdAt),
    )
    for (const line of [
      'version list acme/app',
      'version show acme/app 2',
      'preview acme/app 2',
      'status acme/app',
    ]) {
      const { stdout } = await at.box.words(line)
      expect(stdout).toContain('2')
      expect(stdout).not.toContain(day)
    }
  })
})
