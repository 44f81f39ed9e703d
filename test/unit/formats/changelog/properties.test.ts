import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { headingFromType, isChangeType, typeFromHeading } from '../../../../src/domain/slug.ts'
import { parseMarkdown } from '../../../../src/formats/lines/read.ts'
import type { ParsedChangelog } from '../../../../src/formats/parsed.ts'
import { parseReleases } from '../../../../src/formats/releases/read.ts'
import { writeMarkdown } from '../../../../src/formats/write-markdown.ts'
import fc, { anyText } from '../../../support/fast-check.ts'
import { contentOf } from '../outline.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)
// No less than the runner's own timeout, and more for more runs than usual.
setDefaultTimeout(Math.max(600_000, RUNS * 200))

const holds = <T>(values: fc.Arbitrary<T>, promise: (value: T) => void): void =>
  fc.assert(fc.property(values, promise), { numRuns: RUNS })

const content = ({ versions, preamble }: ParsedChangelog) => ({
  preamble,
  versions: versions.map(contentOf),
})

/** Means something in markdown, or to our readers. */
const MEANING = [
  ...'* ** _ ` ``` ~~~ < > [ ] ( ) ](u) [x] [word1] [word1][] ! | # ## \\ &amp; & : - + 1. 2) --- ==='.split(
    ' ',
  ),
  ...'<b> </b> <div> <!-- --> <pre> 1.2.0 v2.0.0 [1.2.0] @a/b@1.0.0 Unreleased [YANKED] 2024-01-02'.split(
    ' ',
  ),
  ...'(2024-01-02) 7 Version Added Fixed 🐛 \u00a0 é … “ http://a.b/c'.split(' '),
  ...['<!-- note -->', '<!-- draft -->', '<!-- description -->', '<!-- versions -->'],
  ...['July 30, 2021', '[a]: b', '[1.2.0]: u'],
]
/** Words can be recognised afterwards. */
const fragment = fc.oneof(
  { weight: 6, arbitrary: fc.nat(999).map((n) => `word${n}`) },
  { weight: 4, arbitrary: fc.constantFrom(...MEANING) },
)

const OPENERS = ['- ', '* ', '1. ', '## ', '# ', '### ', '#### ', '> ', '    ', '-\t', '- - ', '| ', '- # ']
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '  ', '    ', '\t', ' ', '      '),
    fc.constantFrom('', '', '', ...OPENERS),
    fc.array(fragment, { maxLength: 5 }),
    fc.constantFrom(' ', ' ', ' ', '', '  '),
    fc.constantFrom('', '', '', '  ', ' |', '\\', ' #', ':'),
  )
  .map(([indent, opener, fragments, glue, end]) => indent + opener + fragments.join(glue) + end)

const VERSIONS = ['## [1.2.0] - 2024-01-02', '## 1.1.0']
const LINES = [
  ...['', '', '', ...VERSIONS, '### Added', '# Changelog', '---', '===', '```', '|---|---|', '- item'],
  ...['[word1]: http://a.b/c', '[1.2.0]: http://x.y/z', '  - nested', '**Fixed**', 'Fixed:'],
  '<a name="x"></a>',
]
const anyLine = fc.oneof({ weight: 8, arbitrary: line }, { weight: 3, arbitrary: fc.constantFrom(...LINES) })

const lines = (maxLength: number) => fc.array(anyLine, { maxLength }).map((lines) => lines.join('\n'))
const document = lines(25)
const anything = fc.oneof({ weight: 5, arbitrary: document }, { weight: 1, arbitrary: anyText(200) })
/** Most of them have a version, which most documents do not. */
const changelog = fc
  .tuple(lines(5), fc.constantFrom(...VERSIONS, '# v2.0.0', '1.0.0 / 2024-01-02\n==='), anything)
  .map((parts) => parts.join('\n\n'))

describe('any text', () => {
  test('written and read again gives the same versions and the same preamble', () => {
    holds(changelog, (text) => {
      const first = parseMarkdown(text)
      fc.pre(first.versions.length > 0)
      const second = parseMarkdown(writeMarkdown(first.preamble, first.versions))
      expect(content(second)).toEqual(content(first))
    })
  })

  test('keeps every word', () => {
    holds(document, (text) => {
      const parsed = parseMarkdown(text)
      const written = writeMarkdown(parsed.preamble, parsed.versions)
      const before = new Set(text.match(/word\d+/g))
      const after = new Set(written.toLowerCase().match(/word\d+/g))
      expect([...before].filter((word) => !after.has(word))).toEqual([])
    })
  })

  test('gives versions within the limits, with labels of their own and types that are slugs', () => {
    holds(anything, (text) => {
      const { versions, warnings } = parseMarkdown(text)
      expect(new Set(versions.map(({ label }) => label)).size).toBe(versions.length)
      for (const { label, title, changes } of versions) {
        expect(label).not.toBe('')
        expect(label.length).toBeLessThanOrEqual(128)
        expect(title).not.toBe('')
        expect(title.length).toBeLessThanOrEqual(1000)
        for (const change of changes) {
          expect(isChangeType(change.type)).toBe(true)
          expect(change.title).not.toBe('')
          expect(change.title).not.toContain('\n')
          expect(change.description).not.toBe('')
        }
      }
      for (const warning of warnings) expect(warning.line).toBeGreaterThan(0)
    })
  })
})

test('any release body, written and read again, gives the same versions', () => {
  const names = ['', 'The big one', 'July 30, 2021', '2024-01-02', 'v1.0', '1.0 [YANKED]', '# x #']
  const release = fc.record({
    tag_name: fc.stringMatching(/^[\w.@/+-]{1,20}$/),
    name: fc.constantFrom(...names),
    body: lines(12),
    draft: fc.boolean(),
    published_at: fc.constantFrom(null, '2024-01-02T03:04:05Z', '2024-01-02T00:00:00Z'),
  })
  holds(fc.array(release, { maxLength: 3 }), (releases) => {
    const { versions, warnings } = parseReleases(JSON.stringify(releases), 'github')
    // A changelog does not tell a version without a text from one that it only names, and is a text of its own.
    const whole = versions.map(({ isSummary: _, source: __, prerelease: ___, ...version }) => version)
    const second = parseMarkdown(writeMarkdown(null, versions))
    expect(content(second)).toEqual(content({ preamble: null, versions: whole, warnings }))
  })
})

test('any heading of any type is read back as that, whatever it looks like', () => {
  const label = fc
    .array(fragment, { minLength: 1, maxLength: 4 })
    .map((fragments) => fragments.join(' ').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  const type = fc.constantFrom('added', 'fixed', 'unreleased', '1-2-0', 'july-30-2021', 'next')
  holds(fc.array(fc.tuple(type, fc.option(label)), { maxLength: 4 }), (kinds) => {
    const changes = kinds.map(([type, typeLabel], at) => ({
      ...{ type, title: `x${at}`, description: null },
      ...(typeLabel !== null && typeLabel !== headingFromType(type) && { typeLabel }),
    }))
    const version = {
      label: 'x',
      title: 'x',
      status: 'draft',
      date: null,
      description: null,
      changes,
    } as const
    expect(parseMarkdown(writeMarkdown(null, [version])).versions[0]?.changes).toEqual(changes)
  })
})

test('the heading of any type leads back to it', () => {
  holds(fc.string({ unit: 'grapheme', maxLength: 30 }), (heading) => {
    const type = typeFromHeading(heading)
    if (type === null) return
    expect(isChangeType(type)).toBe(true)
    expect(typeFromHeading(headingFromType(type))).toBe(type)
  })
})
