import { describe, expect, test } from 'bun:test'
import { readReleaseBody } from '../../../src/formats/releases/body.ts'
import { parseReleases } from '../../../src/formats/releases/read.ts'

const read = (body: string) => readReleaseBody(body, 'v1.0.0')
const typed = (body: string) => read(body).changes.map(({ type, title }) => `${type}: ${title}`)

/** As GitHub generates them, with the categories of a .github/release.yml. */
const NOTES = `## What's Changed
### Breaking Changes 🛠
* Drop Node 18 by @a in https://github.com/acme/app/pull/1
### Exciting New Features 🎉
* Add search by @b in https://github.com/acme/app/pull/2
### Other Changes
* Bump x by @dependabot in https://github.com/acme/app/pull/3

## New Contributors
* @b made their first contribution in https://github.com/acme/app/pull/2

**Full Changelog**: https://github.com/acme/app/compare/v0.9.0...v1.0.0`

describe('a heading that only says that changes follow', () => {
  test.each(['Changelog', "What's new", 'Release Notes', 'Changes', 'Changes by Kind'])(
    '%s is no section above others, which take its place',
    (cover) => {
      const below = '### Features\n- a\n\n### core\n#### Fixes\n- b\n\n## Security\n- c'
      expect(typed(`## Highlights\n- z\n\n## ${cover}\n${below}`)).toEqual([
        'highlights: z',
        'features: a',
        'fixes: **core:** b',
        'security: c',
      ])
      expect(typed(`## ${cover}\n\n## Features\n- a`)).toEqual(['features: a'])
    },
  )

  test('is one if its changes follow', () => {
    expect(typed('## Changes\n- a\n\n## Fixes\n- b')).toEqual(['changes: a', 'fixes: b'])
  })

  test('or repeats the label is none, and its link comes after the changes', () => {
    const { description, closing, changes } = read(
      '<a name="1.0.0"></a>\n\n# [1.0.0](https://acme.test/compare) (2026-01-02)\n\n### core\n- a\n\nBye.',
    )
    expect({ description, closing }).toEqual({
      description: null,
      closing: 'Bye.\n\n[1.0.0](https://acme.test/compare)',
    })
    expect(changes.map(({ type, title }) => `${type}: ${title}`)).toEqual(['core: a'])
  })
})

describe('a heading that repeats the title of the release', () => {
  const readTitled = (body: string, title: string) =>
    readReleaseBody(body, 'v1.0.0', title).changes.map((change) => `${change.type}: ${change.title}`)

  test('is no section, and those below it keep their names', () => {
    const notes =
      'lib 1.0.0 (2026-01-02)\n======================\n\nFeatures\n--------\n\n- a\n\nMisc\n----\n\n- b'
    expect(readTitled(notes, 'lib 1.0.0 (2026-01-02)')).toEqual(['features: a', 'misc: b'])
  })

  test('is one if it names a kind of change', () => {
    expect(readTitled('## Bug fixes\n\n- a', 'Bug fixes')).toEqual(['bug-fixes: a'])
  })
})

test('links that nothing refers to come after the changes', () => {
  const { description, closing } = read('### Added\n\n- a\n\n[1.0.0]: https://acme.test/compare')
  expect({ description, closing }).toEqual({
    description: null,
    closing: '[1.0.0](https://acme.test/compare)',
  })
})

describe('notes that GitHub generates', () => {
  test('give each change the type of its category', () => {
    expect(typed(NOTES)).toEqual([
      'breaking-changes: Drop Node 18 by @a in https://github.com/acme/app/pull/1',
      'exciting-new-features: Add search by @b in https://github.com/acme/app/pull/2',
      'other-changes: Bump x by @dependabot in https://github.com/acme/app/pull/3',
    ])
  })

  test('have the contributors and the link to all changes after the changes, in that order', () => {
    const { description, closing } = read(NOTES)
    expect(description).toBeNull()
    expect(closing).toMatch(/@b made their first contribution.*Full Changelog/s)
    expect(closing).toContain('**Full Changelog**: https://github.com/acme/app/compare/v0.9.0...v1.0.0')
  })

  test.each([
    ['feat: search', 'added'],
    ['feat(api): search', 'added'],
    ['fix(core): crash by @a in https://github.com/acme/app/pull/2', 'fixed'],
    ['fix(scope)!: other defaults', 'breaking-changes'],
    ['perf: faster', 'performance'],
    ['chore: tidy', 'internal'],
    ['[bugfix] crash', 'fixed'],
    ['[Security] crash', 'security'],
    ['**Enhancement:** search', 'enhancement'],
    ['note: nothing', 'changed'],
    ['[acme] nothing', 'changed'],
    ['Add search', 'changed'],
  ])('without categories: %s is %s', (title, type) => {
    expect(typed(`## What's Changed\n* ${title}\n`)).toEqual([`${type}: ${title}`])
    expect(typed(`* ${title}\n`)).toEqual([`${type}: ${title}`])
  })

  test('leave a change in the category it is in, whatever it begins with', () => {
    expect(typed('### Changed\n\n* fix: crash\n')).toEqual(['changed: fix: crash'])
    expect(typed('### Removed\n\n* feat: search\n')).toEqual(['removed: feat: search'])
  })
})

test('the counts in the headings of GitLab are not part of the type', () => {
  const body = '### Added (2 changes)\n\n- a\n- b\n\n### Fixed (1 change)\n\n- c\n'
  expect(typed(body)).toEqual(['added: a', 'added: b', 'fixed: c'])
})

describe('what gh prints', () => {
  const view = {
    ...{ tagName: 'v1.0.0', name: 'One', isDraft: false, isPrerelease: false, body: '* a' },
    ...{ createdAt: '2024-01-01T00:00:00Z', publishedAt: '2024-01-02T03:04:05Z' },
  }

  test('for gh release view --json is a release', () => {
    expect(parseReleases(JSON.stringify(view), 'github').versions).toMatchObject([
      {
        label: 'v1.0.0',
        title: 'One',
        date: Date.parse(view.publishedAt),
        status: 'published',
        changes: [{ title: 'a' }],
      },
    ])
    const draft = { ...view, isDraft: true, publishedAt: null }
    expect(parseReleases(JSON.stringify(draft), 'github').versions).toMatchObject([
      { date: null, status: 'draft' },
    ])
  })

  test('for gh release list --json names releases without their texts, which is reported', () => {
    const { body: _, ...listed } = view
    const { versions, warnings } = parseReleases(JSON.stringify([listed]), 'github')
    expect(versions).toMatchObject([{ label: 'v1.0.0', isSummary: true, changes: [] }])
    expect(warnings).toMatchObject([{ line: 1, message: 'v1.0.0: no text; what is stored of it stays' }])
  })
})
