import { describe, expect, test } from 'bun:test'
import { join, posix } from 'node:path'
import { archiveFiles, archiveName, readContents } from '../../release/contents.ts'
import { releaseNotes } from '../../release/notes.ts'
import { launcherPackage } from '../../release/npm/packages.ts'
import { DOCUMENTATION, packageFiles } from '../../release/packages/tree.ts'
import { scratch } from '../support/scratch.ts'
import { smallRelease } from './small-release.ts'

const project = join(import.meta.dir, '../..')
using directory = scratch()
const contents = await readContents(project, directory.path)
const release = { ...smallRelease(), contents }

/** What a page links to or shows: path, or anchor, or both. */
const linksOf = (markdown: string): string[] =>
  [
    ...markdown
      .replace(/^```[\s\S]*?^```$/gm, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)|<(?:img|source|a)\b[^>]*?\b(?:src|srcset|href)="([^"]+)"/g),
  ]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^\w+:/.test(link))

/** The anchors that a forge makes of the headings of a page. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

describe.each([
  { name: 'an archive', files: archiveFiles(release), root: archiveName(release.source, release.platform) },
  { name: 'the .deb', files: packageFiles(release, 'vendor-completions'), root: DOCUMENTATION },
  { name: 'the .rpm', files: packageFiles(release, 'site-functions'), root: DOCUMENTATION },
  { name: 'the npm package', files: launcherPackage(release.source, contents), root: 'package' },
])('$name', ({ files, root }) => {
  const packed = new Map(files.map(({ path, data }) => [path, data]))
  const pages = [...packed].filter(([path]) => path.startsWith(`${root}/`) && path.endsWith('.md'))

  test('has the pages for readers, authors, operators and contributors, each once', () => {
    expect(packed.size).toBe(files.length)
    const names = ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', 'docs/start', 'docs/guides/install']
    expect(pages.map(([path]) => path)).toEqual(
      expect.arrayContaining(names.map((name) => `${root}/${name}.md`)),
    )
  })

  test('has what every link of its pages leads to, down to the heading', () => {
    const dead = pages.flatMap(([path, data]) =>
      linksOf(String(data))
        .filter((link) => {
          const [file = '', anchor] = link.split('#')
          const target = file === '' ? data : packed.get(posix.join(posix.dirname(path), file))
          return target === undefined || (anchor !== undefined && !anchorsOf(String(target)).includes(anchor))
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(dead).toEqual([])
  })
})

test('the notes of a release, which are beside no pages, have no link to one', () => {
  const notes = releaseNotes(
    release.source,
    '## [Unreleased]\n\n- See [Writing](docs/writing.md#import), [this](https://example.com/a).\n',
  )
  expect(linksOf(notes)).toEqual([])
  expect(notes).toContain('- See Writing (docs/writing.md), [this](https://example.com/a).\n')
})
