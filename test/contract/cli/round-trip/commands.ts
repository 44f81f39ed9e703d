import fc, { type Arbitrary } from '../../../support/fast-check.ts'
import {
  at,
  date,
  duration,
  key,
  keyLabel,
  LABELS,
  label,
  markdown,
  name,
  plan,
  position,
  product,
  productSlug,
  release,
  releases,
  status,
  teamSlug,
  text,
  title,
  type,
  versionStatus,
  visibility,
  yaml,
} from './values.ts'

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
