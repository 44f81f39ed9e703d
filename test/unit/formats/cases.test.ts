import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { Glob } from 'bun'
import { Refusal } from '../../../src/domain/refusal.ts'
import { detectFormat, type Format } from '../../../src/formats/detect.ts'
import type { ParsedChangelog } from '../../../src/formats/parsed.ts'
import { writeMarkdown } from '../../../src/formats/write-markdown.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { outlineOf } from './outline.ts'

/**
 * Every file in `cases/` is read as `import` reads it. What was read, written as an outline, must be the text of the
 * `.expected` file beside it, and must survive an export. After a change that is meant, write the outlines again and
 * review the difference: UPDATE_CASES=1 bun test test/unit/formats/cases.test.ts
 *
 * A line that begins with ✂ separates texts that are read one by one, and may say what the next one is about.
 */
const CASES = join(import.meta.dir, 'cases')
const EXPECTED = '.expected'
const filesIn = () => [...new Glob('**/*').scanSync(CASES)].sort()
const inputs = filesIn().filter((path) => !path.endsWith(EXPECTED))

/** The name that a file is imported by, its path if it is not here, and the format if `import` is told it. */
const KINDS: Record<string, [name: string, format?: Format]> = {
  '.md': ['CHANGELOG.md'],
  '.txt': ['NEWS'],
  '.perl': ['Changes'],
  '.debian': ['changelog', 'debian'],
  '.rush': ['CHANGELOG.json', 'rush'],
  '.github': ['releases.json', 'github'],
  '.gitlab': ['releases.json', 'gitlab'],
  '.notes': ['releases.json', 'github'],
}

for (const [folder, files] of Map.groupBy(inputs, (path) => dirname(path)))
  describe(words(folder), () => {
    test.each(files.map((path) => [words(basename(path)), path]))('%s', (_, path) => {
      const [first = '', ...others] = readFileSync(join(CASES, path), 'utf8').split(/^(?=✂)/m)
      const texts = first === '' ? others : [first, ...others]
      const outlines = texts.map((text) => {
        const [title = ''] = /^✂.*\n/.exec(text) ?? []
        return title + outline(path, text.slice(title.length))
      })
      const file = join(CASES, path + EXPECTED)
      if (process.env.UPDATE_CASES) writeFileSync(file, outlines.join(''))
      expect(outlines.join('')).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '')
    })
  })

test('each expected outline is that of a case', () => {
  const expected = filesIn().filter((path) => path.endsWith(EXPECTED))
  expect(expected).toEqual(inputs.map((path) => path + EXPECTED).sort())
})

function words(path: string): string {
  return path.replace(/\.\w+$/, '').replaceAll('-', ' ')
}

function outline(path: string, text: string): string {
  const [name, format] = KINDS[extname(path)] ?? [path]
  let parsed: ParsedChangelog
  try {
    parsed = read(name, path.endsWith('.notes') ? release(text) : text, format)
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.message}\n`
    throw error
  }
  const exported = read('CHANGELOG.md', writeMarkdown(parsed.preamble ?? null, parsed.versions))
  expect(content(exported)).toEqual(content(parsed))
  return outlineOf(parsed)
}

function read(name: string, text: string, wanted?: Format): ParsedChangelog {
  const format = wanted ?? detectFormat(name, text)
  if (format === 'json' || format === 'changesets') throw new Error(`${name} is no changelog`)
  return parseChangelog(name, text, format).parsed
}

/** The answer of GitHub for a release with these notes. */
const release = (body: string): string =>
  JSON.stringify({ tag_name: 'v1.0.0', name: '', draft: false, published_at: '2026-01-02T00:00:00Z', body })

/** What an export keeps. */
const content = ({ versions, preamble }: ParsedChangelog) => ({
  preamble: preamble ?? null,
  versions: versions.map(
    ({ label, title, date, status, scheduled, yanked, description, closing, changes }) => ({
      ...{ label, title, date, status, scheduled, yanked, description, closing: closing || null, changes },
    }),
  ),
})
