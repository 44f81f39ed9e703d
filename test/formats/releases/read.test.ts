import { describe, expect, test } from 'bun:test'
import { parseReleases } from '../../../src/formats/releases/read.ts'

const fixture = (name: string) => Bun.file(new URL(`../../fixtures/${name}`, import.meta.url)).text()
const release = (tag_name: string) => ({
  tag_name,
  name: null,
  body: null,
  draft: false,
  published_at: '2024-01-02T03:04:05Z',
})

describe('releases of GitHub', () => {
  test('become versions: tag, name, time and status', async () => {
    const { versions } = parseReleases(await fixture('github.json'), 'github')
    expect(
      versions.map(({ label, title, date, status, line }) => ({ label, title, date, status, line })),
    ).toEqual([
      { label: 'Next', title: 'Next', date: null, status: 'draft', line: 2 },
      {
        label: 'v1.1.0-rc.1',
        title: 'v1.1.0-rc.1',
        date: Date.parse('2024-05-02T03:04:05Z'),
        status: 'published',
        line: 11,
      },
      {
        label: 'v1.0.0',
        title: 'The first',
        date: Date.parse('2024-04-02T03:04:05Z'),
        status: 'published',
        line: 20,
      },
    ])
  })

  test('have their bodies read into typed changes, closing words after them', async () => {
    const { versions } = parseReleases(await fixture('github.json'), 'github')
    expect(versions[0]?.description).toBe('Not ready.')
    expect(versions[1]).toMatchObject({
      description: null,
      closing:
        '## New Contributors\n* @someone made their first contribution\n\n**Full Changelog**: https://example.com/compare/v1.0.0...v1.1.0-rc.1',
      changes: [
        { type: 'changed', title: 'A thing by @someone in https://example.com/pull/1', description: null },
      ],
    })
  })

  test('may repeat their label as a heading, whose link comes after the changes', async () => {
    const { versions } = parseReleases(await fixture('github.json'), 'github')
    expect(versions[2]).toMatchObject({
      description: null,
      closing: '[1.0.0](https://example.com/compare/v0.9.0...v1.0.0)',
      changes: [{ type: 'features', title: 'everything', description: null }],
    })
  })

  test.each([
    ['one list', JSON.stringify([release('a'), release('b')])],
    ['lists one after the other', JSON.stringify([release('a')]) + JSON.stringify([release('b')])],
    ['a list of lists', JSON.stringify([[release('a')], [release('b')]])],
    ['one release a line', `${JSON.stringify(release('a'))}\n${JSON.stringify(release('b'))}\n`],
    ['a byte order mark', `\uFEFF${JSON.stringify([release('a'), release('b')])}`],
  ])('may come as %s', (_, text) => {
    expect(parseReleases(text, 'github').versions.map(({ label }) => label)).toEqual(['a', 'b'])
  })

  test.each([
    ['v1.6.0', '1.6.0', 'v1.6.0'],
    ['1.6.0', 'V1.6.0', '1.6.0'],
    ['v1.6.0', 'v1.6.0: Faster', 'v1.6.0: Faster'],
    ['v1.6.0', '', 'v1.6.0'],
  ])('with the tag %s and the name "%s" have the title %s', (tag_name, name, title) => {
    const { versions } = parseReleases(JSON.stringify([{ ...release(tag_name), name }]), 'github')
    expect(versions.map((version) => version.title)).toEqual([title])
  })

  test('may hold brackets, quotes and backslashes in their texts', () => {
    const odd = { ...release('a'), name: 'A "quoted" {[ \\ name', body: '```\n}]{"\\"\n```' }
    const { versions } = parseReleases(JSON.stringify([[odd], [release('b')]]), 'github')
    expect(versions.map(({ label, title }) => [label, title])).toEqual([
      ['a', 'A "quoted" {[ \\ name'],
      ['b', 'b'],
    ])
  })

  test('have the line at which they begin, on every page', () => {
    const page = (tag: string) => JSON.stringify([release(tag)], null, 2)
    const { versions } = parseReleases(`${page('a')}${page('b')}\n${page('c')}`, 'github')
    const length = page('a').split('\n').length
    expect(versions.map(({ line }) => line)).toEqual([2, length + 1, 2 * length + 1])
  })

  test.each([
    ['[{"tag_name": "a"', 'line 1: the JSON ends too early'],
    ['[{"tag_name": "a"},\n{"tag_name": "b', 'line 2: the JSON ends too early'],
    ['[{"tag_name": "a}]', 'line 1: the JSON ends too early'],
    ['[{"tag_name": "a"}]\n[\n{"tag_name": }]', 'line 3: not JSON'],
    ['[{"tag_name": "a"}]}', 'line 1: expected a release, found }'],
    ['[{"tag_name": "a"}', 'the JSON ends too early: a list is not closed'],
    ['[1]', 'line 1: expected a release, found 1'],
    [
      '[\n{"message": "Not Found"}]',
      'line 2: a release without tag_name; expected the response of a releases endpoint',
    ],
    ['[{"tag_name": "a", "published_at": "soon"}]', 'line 1: published_at must be a time, not "soon"'],
    [
      '[{"tag_name": "a", "published_at": "2026-11-31T00:00:00Z"}]',
      'line 1: published_at must be a time, not "2026-11-31T00:00:00Z"',
    ],
    ['[{tag_name: 1}]', 'line 1: not JSON'],
  ])('%s is refused with a reason', (text, message) => {
    expect(() => parseReleases(text, 'github')).toThrow(message)
  })
})

test('releases of GitLab become versions, upcoming ones drafts for their day', async () => {
  const { versions } = parseReleases(await fixture('gitlab.json'), 'gitlab')
  expect(versions).toEqual([
    {
      label: 'v2.0.0',
      title: 'Two',
      date: Date.parse('2099-01-01T00:00:00Z'),
      status: 'draft',
      description: null,
      changes: [{ type: 'added', title: 'More', description: null }],
      line: 2,
    },
    {
      label: 'v1.0.0',
      title: 'v1.0.0',
      date: Date.parse('2024-03-01T22:00:00Z'),
      status: 'published',
      description: null,
      changes: [],
      isSummary: true,
      line: 10,
    },
  ])
})
