import fc, { type Arbitrary } from '../../../support/fast-check.ts'
import * as values from './values.ts'

/**
 * A command line, after its files were written. A word that begins with `FILE:` is the path of a file in a directory of its
 * own. `edited` is what the author's editor leaves, and `passes` how much time passes before it, in milliseconds.
 */
export interface Command {
  words: string[]
  files: Record<string, string>
  edited: string
  passes: number
}

const VALUES: Readonly<Record<string, Arbitrary<string>>> = { ...values }

/** Draws the values of a line in which `{name}` is one of `values`, and `[…]` may be left out. */
function words(line: string): Arbitrary<string[]> {
  const word = (text: string): Arbitrary<string> => {
    const [place, name] = /\{(\w+)\}/.exec(text) ?? []
    if (!place) return fc.constant(text)
    const value = VALUES[name ?? '']
    if (!value) throw new Error(`there is no value ${name}`)
    return value.map((drawn) => text.replace(place, () => drawn))
  }
  const parts = [...line.matchAll(/\[([^\]]+)\]|\S+/g)].map(([part, optional]) => {
    if (optional === undefined) return fc.tuple(word(part))
    const given = fc.tuple(...optional.split(' ').map(word))
    return fc.option(given, { nil: [] })
  })
  return fc.tuple(...parts).map((drawn) => drawn.flat())
}

const anyOf = (...lines: string[]): Arbitrary<Partial<Command>> =>
  fc.oneof(...lines.map((line) => words(line).map((drawn) => ({ words: drawn }))))

const IMPORT = '[--create] [--status={versionStatus}] [--overwrite] [--prune --yes] [--prune-drafts --yes]'
const importing = (file: string, content: Arbitrary<string>): Arbitrary<Partial<Command>> =>
  fc
    .tuple(content, words(`import {product} FILE:${file} ${IMPORT}`))
    .map(([written, drawn]) => ({ words: drawn, files: { [file]: written } }))

const teams = anyOf(
  'team create {teamSlug} --name={name} [--visibility={visibility}] [--plan={plan}]',
  'team update {teamSlug} [--name={name}] [--slug={teamSlug}] [--visibility={visibility}] [--plan={plan}] --yes',
  'team delete {teamSlug} --yes',
)
const products = anyOf(
  'product create {product} --name={name} [--status={status}]',
  'product update {product} [--name={name}] [--slug={productSlug}] [--status={status}] --yes',
  'product delete {product} --yes',
  'changelog update {product} [--name={name}] [--status={status}]',
  'publish {product}',
)
const VERSION = '[--title={title}] [--status={versionStatus}] [--date={date}] [--description={text}]'
const versions = anyOf(
  `version create {product} {label} ${VERSION}`,
  `version update {product} {label} [--label={label}] ${VERSION}`,
  'version update acme/app 1.0.0 --label={usualLabel}',
  'version update acme/app 1.0.0 --label={label}',
  'version update acme/app 1.1.0 --label={usualLabel}',
  'version publish {product} {label}',
  'version draft {product} {label}',
  'version schedule {product} {label} --at={at}',
  'version unschedule {product} {label}',
  'version delete {product} {label} --yes',
  'release {product} {label} [--title={title}] [--date={date}] [--publish]',
)
const CHANGE = '[--type-label={text}] [--description={text}]'
const changes = fc.oneof(
  anyOf(
    `change add {product} {label} {title} --type={type} ${CHANGE} [--position={position}]`,
    `change update {product} {label} {position} [--type={type}] [--title={title}] ${CHANGE}`,
    'change move {product} {label} {position} --position={position}',
    'change delete {product} {label} {position} --yes',
  ),
  fc
    .tuple(words('edit {product} [{label}] [--create]'), values.release)
    .map(([drawn, edited]) => ({ words: drawn, edited })),
)
const keys = anyOf(
  'key create {teamSlug} [--label={keyLabel}] [--product={productSlug}] [--expires={duration}]',
  'key create {teamSlug} [--label={text}] [--product={productSlug}] [--expires={date}]',
  'key rotate {key} [--overlap={duration}]',
  'key disable {key}',
  'key enable {key}',
  'key attach {key} {productSlug}',
  'key detach {key} {productSlug}',
  'key delete {key} --yes',
)
const files = fc.oneof(
  { weight: 2, arbitrary: importing('CHANGELOG.md', values.markdown) },
  importing('releases.json', values.releases),
  fc
    .tuple(values.yaml, words('apply FILE:apply.yml [--prune --yes]'))
    .map(([file, drawn]) => ({ words: drawn, files: { 'apply.yml': file } })),
  {
    weight: 7,
    // Exports of an earlier state, into whatever there is now.
    arbitrary: anyOf(
      'export {product} --format=json --output=FILE:one.json',
      'export {product} --drafts --output=FILE:CHANGELOG.md',
      'import {product} FILE:one.json [--create]',
      'import {product} FILE:CHANGELOG.md [--create]',
      'export --all --output=FILE:all.jsonl',
      'import --all FILE:all.jsonl',
      'undo --last',
    ),
  },
)
const deletions = anyOf(
  'version delete {product} {label} --yes',
  'change delete {product} {label} {position} --yes',
  'product delete {product} --yes',
  'team delete {teamSlug} --yes',
)

const GROUPS = [
  [1, teams],
  [2, products],
  [6, versions],
  [3, changes],
  [2, keys],
  [4, files],
] as const

/** Any command that writes, with a good chance to be accepted after `PREPARED`; or what deletes something and brings it back. */
export const anyCommands: Arbitrary<Command[]> = fc
  .tuple(
    fc.oneof(...GROUPS.map(([weight, group]) => ({ weight, arbitrary: group.map((each) => [each]) })), {
      weight: 2,
      arbitrary: deletions.map((each) => [each, { words: ['undo', '--last'] }]),
    }),
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
