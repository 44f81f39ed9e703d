import fc, { anyText } from '../../../support/fast-check.ts'

/** The values of options and arguments, and the contents of files: ordinary ones, and hostile ones that may be accepted. */

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"quoted" \\ back\\slash',
  "it's `code` *bold* [a](b)",
  '\u001b[31mred\u0007',
  'e\u0301 \u202e \ufeff \u2028 \u{1f469}\u200d\u{1f680}',
  '%2F/../%00',
  '{"version":"1"}',
  '- - a\n> > b\n\n## [9.9.9] - 2020-01-01\n\n### Fixed\n',
  '\r\n\ttab \u00a0',
  'nul\0',
  '\ud800',
  ' ',
  '--',
]

export const text = fc.oneof(fc.constantFrom('Plain', 'Search in all documents', ...HOSTILE), anyText(12))
const longName = fc.constantFrom('n'.repeat(199), 'n'.repeat(200), `${'n'.repeat(198)}\u{1f680}`)
export const name = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: longName })
export const teamSlug = fc.constantFrom('acme', 'acme', 'acme', 'globex')
export const productSlug = fc.constantFrom('app', 'app', 'app', 'web')
export const product = fc.tuple(teamSlug, productSlug).map((slugs) => slugs.join('/'))
export const usualLabel = fc.constantFrom(
  ...['1.0.0', 'v1.0.0', '1.1.0', '2.0.0-rc.1+x', 'Unreleased', 'latest', '..', 'a/b', 'feed.atom'],
)
export const label = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1.0.0', 'Unreleased') },
  { weight: 6, arbitrary: usualLabel },
  { weight: 1, arbitrary: text },
)
export const visibility = fc.constantFrom('public', 'private')
export const plan = fc.constantFrom('free', 'paid')
export const status = fc.constantFrom('draft', 'draft', 'published', 'published', 'published', 'locked')
export const versionStatus = fc.constantFrom('draft', 'published')
export const date = fc.oneof(
  fc.constantFrom(
    ...['0000-01-01', '1969-12-31T23:59:59.999Z', '2026-01-02', '2026-01-02T03:04:05.678+14:00'],
    ...['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-14:00', '2026-02-30'],
  ),
  fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((each) => each.toISOString()),
)
export const at = fc.constantFrom(
  '+1h',
  '+99999999h',
  'tomorrow 09:00',
  '2099-01-01',
  '9999-12-31T23:59:59.999Z',
)
export const duration = fc.constantFrom('0s', '1s', '24h', '90d', '9999w', '416000w', '999999w')
export const keyLabel = fc.constantFrom('ci', 'docs', 'a/b')
export const key = fc.tuple(teamSlug, keyLabel).map((names) => names.join('/'))
export const type = fc.constantFrom('added', 'fixed', 'security', 'bug-fixes')
export const position = fc.constantFrom('1', '1', '2', '9')

export const title = fc.oneof(
  text,
  fc.constantFrom('**bold** title', 'One thing', 'Another thing', '- a\n  - list'),
)
const heading = fc.oneof(
  fc.tuple(label, date).map(([of, on]) => `## [${of}] - ${on.slice(0, 10)}`),
  fc.constantFrom(
    '## Unreleased',
    '## 1.0.0 - 2026-01-02',
    '## v1.0.0',
    '## 3.0.0 - 2099-01-01 [YANKED]',
    '## 1.2.0',
  ),
)
const section = fc
  .tuple(
    fc.constantFrom('### Added', '### Fixed', '### Bug Fixes!', 'Prose.'),
    fc.array(title, { maxLength: 3 }),
  )
  .map(([of, titles]) => [of, '', ...titles.map((each) => `- ${each}`), ''].join('\n'))
export const release = fc
  .tuple(heading, fc.array(section, { maxLength: 2 }))
  .map((parts) => parts.flat().join('\n\n'))
const preamble = fc.oneof(fc.constant('# Changelog'), text)
export const markdown = fc
  .tuple(preamble, fc.array(release, { maxLength: 4 }))
  .map(([first, all]) => [first, ...all].join('\n\n'))
export const releases = fc
  .array(
    fc.record({
      tag_name: label,
      name: text,
      body: markdown,
      draft: fc.boolean(),
      prerelease: fc.boolean(),
      published_at: date,
    }),
    { maxLength: 3 },
  )
  .map((all) => JSON.stringify(all))
export const yaml = fc
  .record({
    teams: fc.dictionary(
      teamSlug,
      fc.record(
        {
          name,
          visibility,
          plan,
          products: fc.dictionary(
            productSlug,
            fc.record({ name, status, changelog: fc.record({ name, status }, { requiredKeys: [] }) }),
            { maxKeys: 2 },
          ),
          keys: fc.dictionary(
            keyLabel,
            fc.record({ expires: date, status: fc.constantFrom('active', 'disabled') }, { requiredKeys: [] }),
            { maxKeys: 2 },
          ),
        },
        { requiredKeys: ['name'] },
      ),
      { minKeys: 1, maxKeys: 2 },
    ),
  })
  .map((file) => JSON.stringify(file))
