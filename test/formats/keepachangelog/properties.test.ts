import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { headingFromType, isChangeType, typeFromHeading } from '../../../src/domain/slug.ts'
import { parseMarkdown } from '../../../src/formats/keepachangelog/read.ts'
import { writeMarkdown } from '../../../src/formats/keepachangelog/write.ts'
import type { ParsedChangelog } from '../../../src/formats/parsed.ts'
import { parseReleases } from '../../../src/formats/releases/read.ts'
import fc from '../../support/fast-check.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)
// No less than the runner's own timeout, and more for more runs than usual.
setDefaultTimeout(Math.max(60_000, RUNS * 200))

const content = ({ versions, preamble }: ParsedChangelog) => ({
  preamble,
  versions: versions.map(({ line: _, ...version }) => version),
})

/** Fragments that mean something in markdown or to our readers, and words that can be recognised afterwards. */
const fragment = fc.oneof(
  { weight: 6, arbitrary: fc.nat(999).map((n) => `word${n}`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '`',
        '```',
        '~~~',
        '<',
        '>',
        '[',
        ']',
        '(',
        ')',
        '](u)',
        '[x]',
        '[word1]',
        '[word1][]',
      ],
      ...[
        '!',
        '|',
        '#',
        '##',
        '\\',
        '&amp;',
        '&',
        ':',
        '-',
        '+',
        '1.',
        '2)',
        '---',
        '===',
        '<b>',
        '</b>',
        '<div>',
      ],
      ...[
        '<!--',
        '-->',
        '<!-- note -->',
        '<!-- draft -->',
        '<!-- description -->',
        '<!-- versions -->',
        '<pre>',
      ],
      ...[
        '1.2.0',
        'v2.0.0',
        '[1.2.0]',
        '@a/b@1.0.0',
        'Unreleased',
        '[YANKED]',
        '2024-01-02',
        '(2024-01-02)',
        '7',
      ],
      ...[
        'July 30, 2021',
        'Version',
        'Added',
        'Fixed',
        '🐛',
        '\u00a0',
        'é',
        '…',
        '“',
        'http://a.b/c',
        '[a]: b',
        '[1.2.0]: u',
      ],
    ),
  },
)

const line = fc
  .tuple(
    fc.constantFrom('', '', '', '  ', '    ', '\t', ' ', '      '),
    fc.constantFrom(
      '',
      '',
      '',
      '- ',
      '* ',
      '1. ',
      '## ',
      '# ',
      '### ',
      '#### ',
      '> ',
      '    ',
      '-\t',
      '- - ',
      '| ',
      '- # ',
    ),
    fc.array(fragment, { maxLength: 5 }),
    fc.constantFrom(' ', ' ', ' ', '', '  '),
    fc.constantFrom('', '', '', '  ', ' |', '\\', ' #', ':'),
  )
  .map(([indent, opener, fragments, glue, end]) => indent + opener + fragments.join(glue) + end)

const anyLine = fc.oneof(
  { weight: 8, arbitrary: line },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '',
        '',
        '',
        '## [1.2.0] - 2024-01-02',
        '## 1.1.0',
        '### Added',
        '# Changelog',
        '---',
        '===',
        '```',
        '|---|---|',
      ],
      ...[
        '[word1]: http://a.b/c',
        '[1.2.0]: http://x.y/z',
        '- item',
        '  - nested',
        '**Fixed**',
        'Fixed:',
        '<a name="x"></a>',
      ],
    ),
  },
)

const document = fc.array(anyLine, { maxLength: 25 }).map((lines) => lines.join('\n'))
const anything = fc.oneof(
  { weight: 5, arbitrary: document },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
)

describe('any text', () => {
  test('written and read again gives the same versions and the same preamble', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const first = parseMarkdown(text)
        fc.pre(first.versions.length > 0)
        const second = parseMarkdown(writeMarkdown(first.preamble, first.versions))
        expect(content(second)).toEqual(content(first))
      }),
      { numRuns: RUNS },
    )
  })

  test('keeps every word', () => {
    fc.assert(
      fc.property(document, (text) => {
        const parsed = parseMarkdown(text)
        const written = writeMarkdown(parsed.preamble, parsed.versions)
        const before = new Set(text.match(/word\d+/g))
        const after = new Set(written.toLowerCase().match(/word\d+/g))
        expect([...before].filter((word) => !after.has(word))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('gives versions within the limits, with labels of their own and types that are slugs', () => {
    fc.assert(
      fc.property(anything, (text) => {
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
      }),
      { numRuns: RUNS },
    )
  })
})

test('any release body, written and read again, gives the same versions', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          tag_name: fc.stringMatching(/^[\w.@/+-]{1,20}$/),
          name: fc.constantFrom(
            '',
            'The big one',
            'July 30, 2021',
            '2024-01-02',
            'v1.0',
            '1.0 [YANKED]',
            '# x #',
          ),
          body: document,
          draft: fc.boolean(),
          published_at: fc.constantFrom(null, '2024-01-02T03:04:05Z', '2024-01-02T00:00:00Z'),
        }),
        { maxLength: 4 },
      ),
      (releases) => {
        const { versions, warnings } = parseReleases(JSON.stringify(releases), 'github')
        // A changelog does not tell a version without a text from one that it only names.
        const whole = versions.map(({ isSummary: _, ...version }) => version)
        const second = parseMarkdown(writeMarkdown(null, versions))
        expect(content(second)).toEqual(content({ preamble: null, versions: whole, warnings }))
      },
    ),
    { numRuns: RUNS },
  )
})

test('any heading of any type is read back as that, whatever it looks like', () => {
  const label = fc
    .array(fragment, { minLength: 1, maxLength: 4 })
    .map((fragments) => fragments.join(' ').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  const type = fc.constantFrom('added', 'fixed', 'unreleased', '1-2-0', 'july-30-2021', 'next')
  fc.assert(
    fc.property(fc.array(fc.tuple(type, fc.option(label)), { maxLength: 4 }), (kinds) => {
      const changes = kinds.map(([type, typeLabel], at) => ({
        type,
        title: `x${at}`,
        description: null,
        ...(typeLabel !== null && typeLabel !== headingFromType(type) && { typeLabel }),
      }))
      const version = {
        label: 'x',
        title: 'x',
        status: 'draft' as const,
        date: null,
        description: null,
        changes,
      }
      expect(parseMarkdown(writeMarkdown(null, [version])).versions[0]?.changes).toEqual(changes)
    }),
    { numRuns: RUNS },
  )
})

test('the heading of any type leads back to it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (heading) => {
      const type = typeFromHeading(heading)
      if (type === null) return
      expect(isChangeType(type)).toBe(true)
      expect(typeFromHeading(headingFromType(type))).toBe(type)
    }),
    { numRuns: RUNS },
  )
})
