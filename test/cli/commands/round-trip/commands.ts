import fc, { type Arbitrary } from 'fast-check'

/**
 * A command line, after its files were written. `{name}` in its words is the path of a file in a directory of its own.
 * `edited` is what the author's editor leaves, and `passes` how much time passes before it, in milliseconds.
 */
export interface Command {
  words: string[]
  files: Record<string, string>
  edited: string
  passes: number
}

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

const text = fc.oneof(
  fc.constantFrom('Plain', 'Search in all documents', ...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const longName = fc.constantFrom('n'.repeat(199), 'n'.repeat(200), `${'n'.repeat(198)}\u{1f680}`)
const name = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: longName })
const teamSlug = fc.constantFrom('acme', 'acme', 'acme', 'globex')
const productSlug = fc.constantFrom('app', 'app', 'app', 'web')
const product = fc.tuple(teamSlug, productSlug).map((slugs) => slugs.join('/'))
const LABELS = ['1.0.0', 'v1.0.0', '1.1.0', '2.0.0-rc.1+x', 'Unreleased', 'latest', '..', 'a/b', 'feed.atom']
const label = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1.0.0', 'Unreleased') },
  { weight: 6, arbitrary: fc.constantFrom(...LABELS) },
  { weight: 1, arbitrary: text },
)
const visibility = fc.constantFrom('public', 'private')
const plan = fc.constantFrom('free', 'paid')
const status = fc.constantFrom('draft', 'draft', 'published', 'published', 'published', 'locked')
const versionStatus = fc.constantFrom('draft', 'published')
const date = fc.oneof(
  fc.constantFrom(
    ...['0000-01-01', '1969-12-31T23:59:59.999Z', '2026-01-02', '2026-01-02T03:04:05.678+14:00'],
    ...['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-14:00', '2026-02-30'],
  ),
  fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((each) => each.toISOString()),
)
const at = fc.constantFrom('+1h', '+99999999h', 'tomorrow 09:00', '2099-01-01', '9999-12-31T23:59:59.999Z')
const duration = fc.constantFrom('0s', '1s', '24h', '90d', '9999w', '416000w', '999999w')
const keyLabel = fc.constantFrom('ci', 'docs', 'a/b')
const key = fc.tuple(teamSlug, keyLabel).map((names) => names.join('/'))
const type = fc.constantFrom('added', 'fixed', 'security', 'bug-fixes')
const position = fc.constantFrom('1', '1', '2', '9')

/** An option with a value, or nothing. */
const maybe = (flag: string, value: Arbitrary<string>): Arbitrary<string[]> =>
  fc.option(value, { nil: null }).map((given) => (given === null ? [] : [`${flag}=${given}`]))
const flag = (...words: string[]): Arbitrary<string[]> => fc.constantFrom([], words)
const given = (option: string, value: Arbitrary<string>): Arbitrary<string[]> =>
  value.map((each) => [`${option}=${each}`])
const word = (value: Arbitrary<string>): Arbitrary<string[]> => value.map((each) => [each])

/** A command of fixed words, and others. */
const command = (fixed: string, ...parts: Arbitrary<string[]>[]): Arbitrary<Partial<Command>> =>
  fc.tuple(...parts).map((words) => ({ words: [...fixed.split(' '), ...words.flat()] }))

const title = fc.oneof(text, fc.constantFrom('**bold** title', 'One thing', 'Another thing', '- a\n  - list'))
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
const release = fc
  .tuple(heading, fc.array(section, { maxLength: 2 }))
  .map((parts) => parts.flat().join('\n\n'))
const preamble = fc.oneof(fc.constant('# Changelog'), text)
const markdown = fc
  .tuple(preamble, fc.array(release, { maxLength: 4 }))
  .map(([first, all]) => [first, ...all].join('\n\n'))
const releases = fc
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
const yaml = fc
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

const importing = (file: string, content: Arbitrary<string>) =>
  fc
    .tuple(
      content,
      command(
        'import',
        word(product),
        word(fc.constant(`{${file}}`)),
        flag('--create'),
        maybe('--status', versionStatus),
        flag('--overwrite'),
        flag('--prune', '--yes'),
        flag('--prune-drafts', '--yes'),
      ),
    )
    .map(([written, rest]) => ({ ...rest, files: { [file]: written } }))

const teams = fc.oneof(
  command(
    'team create',
    word(teamSlug),
    given('--name', name),
    maybe('--visibility', visibility),
    maybe('--plan', plan),
  ),
  command(
    'team update',
    word(teamSlug),
    maybe('--name', name),
    maybe('--slug', teamSlug),
    maybe('--visibility', visibility),
    maybe('--plan', plan),
    fc.constant(['--yes']),
  ),
  command('team delete', word(teamSlug), fc.constant(['--yes'])),
)
const products = fc.oneof(
  command('product create', word(product), given('--name', name), maybe('--status', status)),
  command(
    'product update',
    word(product),
    maybe('--name', name),
    maybe('--slug', productSlug),
    maybe('--status', status),
    fc.constant(['--yes']),
  ),
  command('product delete', word(product), fc.constant(['--yes'])),
  command('changelog update', word(product), maybe('--name', name), maybe('--status', status)),
  command('publish', word(product)),
)
const versions = fc.oneof(
  command(
    'version create',
    word(product),
    word(label),
    maybe('--title', title),
    maybe('--status', versionStatus),
    maybe('--date', date),
    maybe('--description', text),
  ),
  command(
    'version update',
    word(product),
    word(label),
    maybe('--label', label),
    maybe('--title', title),
    maybe('--date', date),
    maybe('--status', versionStatus),
    maybe('--description', text),
  ),
  command('version update acme/app 1.0.0', given('--label', fc.constantFrom(...LABELS))),
  command('version update acme/app 1.0.0', given('--label', label)),
  command('version update acme/app 1.1.0', given('--label', fc.constantFrom(...LABELS))),
  command('version publish', word(product), word(label)),
  command('version draft', word(product), word(label)),
  command('version schedule', word(product), word(label), given('--at', at)),
  command('version unschedule', word(product), word(label)),
  command('version delete', word(product), word(label), fc.constant(['--yes'])),
  command(
    'release',
    word(product),
    word(label),
    maybe('--title', title),
    maybe('--date', date),
    flag('--publish'),
  ),
)
const changes = fc.oneof(
  command(
    'change add',
    word(product),
    word(label),
    word(title),
    given('--type', type),
    maybe('--type-label', text),
    maybe('--description', text),
    maybe('--position', position),
  ),
  command(
    'change update',
    word(product),
    word(label),
    word(position),
    maybe('--type', type),
    maybe('--type-label', text),
    maybe('--title', title),
    maybe('--description', text),
  ),
  command('change move', word(product), word(label), word(position), given('--position', position)),
  command('change delete', word(product), word(label), word(position), fc.constant(['--yes'])),
  fc
    .tuple(
      command('edit', word(product), fc.oneof(word(label), fc.constant<string[]>([])), flag('--create')),
      release,
    )
    .map(([rest, edited]) => ({ ...rest, edited })),
)
const keys = fc.oneof(
  command(
    'key create',
    word(teamSlug),
    maybe('--label', fc.oneof(keyLabel, text)),
    maybe('--product', productSlug),
    maybe('--expires', fc.oneof(duration, date)),
  ),
  command('key rotate', word(key), maybe('--overlap', duration)),
  command('key disable', word(key)),
  command('key enable', word(key)),
  command('key attach', word(key), word(productSlug)),
  command('key detach', word(key), word(productSlug)),
  command('key delete', word(key), fc.constant(['--yes'])),
)
const files = fc.oneof(
  importing('CHANGELOG.md', markdown),
  importing('CHANGELOG.md', markdown),
  importing('releases.json', releases),
  fc
    .tuple(yaml, command('apply', word(fc.constant('{apply.yml}')), flag('--prune', '--yes')))
    .map(([file, rest]) => ({ ...rest, files: { 'apply.yml': file } })),
  // Exports of an earlier state, into whatever there is now.
  command('export', word(product), fc.constant(['--format=json', '--output={one.json}'])),
  command('export', word(product), fc.constant(['--drafts', '--output={CHANGELOG.md}'])),
  command('import', word(product), word(fc.constantFrom('{one.json}', '{CHANGELOG.md}')), flag('--create')),
  command('export --all --output={all.jsonl}'),
  command('import --all {all.jsonl}'),
  command('undo --last'),
  command('undo --last'),
)

const deletions = fc.oneof(
  command('version delete', word(product), word(label), fc.constant(['--yes'])),
  command('change delete', word(product), word(label), word(position), fc.constant(['--yes'])),
  command('product delete', word(product), fc.constant(['--yes'])),
  command('team delete', word(teamSlug), fc.constant(['--yes'])),
)

/** Any command that writes, with a good chance to be accepted after `PREPARED`; or what deletes something and brings it back. */
export const anyCommands: Arbitrary<Command[]> = fc
  .tuple(
    fc.oneof(
      ...(
        [
          [1, teams],
          [2, products],
          [6, versions],
          [3, changes],
          [2, keys],
          [4, files],
        ] as const
      ).map(([weight, group]) => ({ weight, arbitrary: group.map((each) => [each]) })),
      { weight: 2, arbitrary: deletions.map((each) => [each, { words: ['undo', '--last'] }]) },
    ),
    fc.constantFrom(0, 1, 3_600_000, 40 * 86_400_000),
  )
  .map(([some, passes]) => some.map((each) => ({ words: [], files: {}, edited: '', ...each, passes })))

/** What is there before: enough for most commands to find something. */
export const PREPARED = [
  'team create acme --name Acme --visibility public --plan paid',
  'product create acme/app --name App --status published',
  'version create acme/app 1.0.0 --status published',
  'version create acme/app Unreleased',
  'change add acme/app 1.0.0 First --type added',
  'change add acme/app Unreleased Second --type fixed',
  'team create globex --name Globex --plan paid',
  'product create globex/app --name App',
  'version create globex/app 1.0.0',
  'key create acme --label ci',
  'key create acme --label docs --product app',
].map((line): Command => ({ words: line.split(' '), files: {}, edited: '', passes: 1 }))
