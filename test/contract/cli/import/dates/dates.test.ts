import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { ENGINES } from '../../../../support/servers/server.ts'
import { counts, type Listed, prepared } from '../prepared.ts'

const section = (label: string, date = '') => `## [${label}]${date && ` - ${date}`}\n\n- Work on ${label}\n`
const file = (...labels: string[]) => labels.map((label) => section(label)).join('\n')
const LIST = '/public/teams/acme/products/app/changelog'

describe.each(ENGINES)('an import of versions without a date on %s', (engine) => {
  test('keeps the order of the file, also of what is added at its bottom, on top and in between later', async () => {
    await using at = await prepared(engine)
    const labels = async () =>
      (await at.box.json<Listed[]>('version', 'list', 'acme/app')).map(({ version }) => version)
    await at.bring(file('0.9.3', '0.9.2', '0.9.1'))
    expect(await labels()).toEqual(['0.9.3', '0.9.2', '0.9.1'])
    const later = ['0.9.12', '0.9.4', '0.9.3', '0.9.2.1', '0.9.2', '0.9.1', '0.7', '0.1']
    await at.bring(file(...later))
    expect(await labels()).toEqual(later)
    const list = await at.box.json<Listed[]>('version', 'list', 'acme/app')
    for (const { publishedAt } of list) expect(Date.parse(publishedAt)).toBeLessThan(Date.now())
  })

  test('knows a date that an older program gives one of them later, without knowing of this', async () => {
    await using at = await prepared(engine)
    await at.bring(file('1.2', '1.1'))
    at.box.write(`update version set published_at = 1700000000000, dated = true where label = '1.2'`)
    expect(await at.show('1.2')).toMatchObject({ publishedAt: '2023-11-14T22:13:20.000Z', dateKnown: true })
  })

  test('says that nobody knows their dates, and puts them between their neighbours', async () => {
    await using at = await prepared(engine)
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

  test('is the same again with the same file, byte for byte', async () => {
    await using at = await prepared(engine)
    const text = `# Changelog\n\n${file('3', '2', '1')}`
    await at.bring(text)
    const before = (await at.box.words('export --all')).stdout
    expect(before.match(/"dateKnown":false/g)).toHaveLength(3)
    expect(counts(await at.bring(text))).toMatchObject({ added: 0, updated: 0, unchanged: 3 })
    expect((await at.box.words('export --all')).stdout).toBe(before)
    expect((await at.box.words('export acme/app --format keepachangelog')).stdout).not.toMatch(/\d{4}-\d\d/)
  })

  test('survives export and import, an export without it included', async () => {
    await using at = await prepared(engine)
    await at.bring(file('3', '2'))
    const before = (await at.box.words('export --all')).stdout
    writeFileSync(at.box.at('all.jsonl'), before)
    await at.box.json('team', 'delete', 'acme', '--yes')
    await at.box.json('import', '--all', 'all.jsonl')
    expect((await at.box.words('export --all')).stdout).toBe(before)
    await at.box.json('version', 'delete', 'acme/app', '2', '--yes')
    await at.box.json('undo', '--last')
    expect((await at.box.words('export --all')).stdout).toBe(before)
    writeFileSync(at.box.at('older.jsonl'), before.replaceAll('"dateKnown":false,', ''))
    await at.box.json('import', '--all', 'older.jsonl')
    expect(await at.show('2')).toMatchObject({ dateKnown: true })
    // Only until their file is imported again.
    expect(counts(await at.bring(file('3', '2')))).toMatchObject({ updated: 2 })
    expect((await at.box.words('export --all')).stdout).toBe(before)
  })

  test('knows a date that comes later, by the file, by update or by publishing', async () => {
    await using at = await prepared(engine)
    await at.bring(file('3', '2', '1'))
    await at.bring(`${file('3')}\n${section('2', '2026-02-03')}\n${file('1')}`)
    expect(await at.show('2')).toMatchObject({ publishedAt: '2026-02-03T00:00:00.000Z', dateKnown: true })
    await at.box.json('version', 'update', 'acme/app', '1', '--date', '2026-02-01')
    expect(await at.show('1')).toMatchObject({ publishedAt: '2026-02-01T00:00:00.000Z', dateKnown: true })
    await at.box.json('version', 'draft', 'acme/app', '3')
    expect(await at.show('3')).toMatchObject({ dateKnown: false })
    const start = Date.now()
    await at.box.json('version', 'publish', 'acme/app', '3')
    const { publishedAt, ...published } = await at.show('3')
    expect(published).toMatchObject({ dateKnown: true })
    expect(Date.parse(publishedAt)).toBeGreaterThanOrEqual(start)
    // A file without them takes none of them away.
    expect(counts(await at.bring(file('3', '2', '1')))).toMatchObject({ unchanged: 3 })
  })

  test('shows no date that is not known, on pages, in feeds and files, in tables and previews', async () => {
    await using at = await prepared(engine)
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
