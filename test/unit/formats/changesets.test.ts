import { describe, expect, test } from 'bun:test'
import { isChangeset, parseChangesets } from '../../../src/formats/changesets.ts'
import { parseMarkdown } from '../../../src/formats/lines/read.ts'

const folder = (texts: Record<string, string>) =>
  parseChangesets(Object.entries(texts).map(([name, text]) => ({ name, path: `.changeset/${name}`, text })))

/** Both as `changeset add` of @changesets/cli 2.31 writes them. */
const TEXTS = {
  'brave-lions-sing.md': '---\n"app": patch\n---\n\nFix `login` on Windows\n',
  'calm-bees-run.md':
    '---\n"app": minor\n---\n\nAdd a search field\n\nIt looks through titles and texts.\n\n- fast\n- simple\n',
}

describe('changesets', () => {
  test('become one draft, Unreleased, with a change for each, the greatest bump first', () => {
    expect(folder(TEXTS)).toEqual({
      versions: [
        {
          ...{ label: 'Unreleased', title: 'Unreleased', status: 'draft', date: null, description: null },
          changes: [
            {
              type: 'minor-changes',
              typeLabel: 'Minor Changes',
              title: 'Add a search field',
              description: 'It looks through titles and texts.\n\n- fast\n- simple',
            },
            {
              type: 'patch-changes',
              typeLabel: 'Patch Changes',
              title: 'Fix `login` on Windows',
              description: null,
            },
          ],
          line: 1,
        },
      ],
      warnings: [],
    })
  })

  test('become the changes that the CHANGELOG.md of `changeset version` has', () => {
    const released = parseMarkdown(
      '# app\n\n## 1.1.0\n\n### Minor Changes\n\n- Add a search field\n\n  It looks through titles and texts.\n\n  - fast\n  - simple\n\n### Patch Changes\n\n- Fix `login` on Windows\n',
    )
    expect(folder(TEXTS).versions[0]?.changes).toEqual(released.versions[0]?.changes ?? [])
  })

  test('of several packages have their names in front, and the greatest of their bumps', () => {
    const { versions } = folder({
      'a.md': '---\n"@acme/app": patch\n"@acme/core": major\n"@acme/docs": none\n---\n\nNew engine',
      'b.md': '---\n"@acme/app": patch\n---\n\nA fix',
    })
    expect(versions[0]?.changes.map(({ type, title }) => [type, title])).toEqual([
      ['major-changes', '**@acme/app, @acme/core:** New engine'],
      ['patch-changes', '**@acme/app:** A fix'],
    ])
  })

  test('without a package are left out, and those with a text are reported', () => {
    const { versions, warnings } = folder({
      'empty.md': '---\n---\n',
      'words.md': '---\n---\n\nOnly the build changed\n',
      'none.md': '---\r\n"app": none\r\n---\r\n\r\nTests\r\n',
      'silent.md': '---\n"app": patch\n---\n',
    })
    expect(versions[0]?.changes).toEqual([])
    expect(warnings).toEqual([
      { text: '.changeset/silent.md', line: 1, message: 'has no text, skipped' },
      { text: '.changeset/words.md', line: 1, message: 'releases no package, skipped' },
      { text: '.changeset/none.md', line: 1, message: 'releases no package, skipped' },
    ])
  })

  test('that a prerelease has released are left out until that mode ends', () => {
    const pre = (mode: string) =>
      JSON.stringify({ mode, tag: 'next', initialVersions: {}, changesets: ['calm-bees-run'] })
    const titles = (mode: string) =>
      folder({ ...TEXTS, 'pre.json': pre(mode) }).versions[0]?.changes.map(({ title }) => title)
    expect(titles('pre')).toEqual(['Fix `login` on Windows'])
    expect(titles('exit')).toEqual(['Add a search field', 'Fix `login` on Windows'])
  })

  test('are the markdown files of the folder except its README', () => {
    const names = ['brave-lions-sing.md', 'README.md', 'readme.md', 'config.json', 'pre.json', '.hidden.md']
    expect(names.filter(isChangeset)).toEqual(['brave-lions-sing.md'])
  })

  test.each([
    ['', 'line 1: not a changeset; expected the lines ---'],
    ['Just words', 'line 1: not a changeset; expected the lines ---'],
    ['---\n"app": minor\n', 'line 1: not a changeset; expected the lines ---'],
    [
      '---\n"app": minor\n"core": huge\n---\n\nX',
      'line 3: expected major, minor, patch or none after the package',
    ],
    ['---\n"app"\n---\n\nX', 'line 2: expected the lines ---'],
    ['\n---\n"app": minor\n"core: patch\n---\n\nX', 'line 4: expected the lines ---'],
    ['---\n"app": minor\n"app": patch\n---\n\nX', 'line 3: "app" is there twice'],
  ])('%j is refused with file, line and what was expected', (text, message) => {
    expect(() => folder({ 'odd.md': text })).toThrow(`.changeset/odd.md: line`)
    expect(() => folder({ 'odd.md': text })).toThrow(message)
  })

  test('a pre.json of another form is refused', () => {
    expect(() => folder({ 'pre.json': '{' })).toThrow('.changeset/pre.json: not valid JSON')
    expect(() => folder({ 'pre.json': '{"mode":"pre"}' })).toThrow(
      '.changeset/pre.json: changesets is missing',
    )
  })
})
