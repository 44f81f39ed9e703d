import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { ValuePointer } from '@sinclair/typebox/value'
import { NONE, REPOSITORY_RULE, repositoryOf } from '../../../domain/addresses/repository.ts'
import { CHAT_URL_RULE, chatUrlOf } from '../../../domain/hooks.ts'
import {
  HOOK_EVENTS,
  HOOK_KINDS,
  HOOK_STATUSES,
  HOST_KINDS,
  type Instant,
  KEY_KINDS,
  KEY_STATUSES,
  LANGUAGES,
  type Language,
  PLANS,
  STATUSES,
  VISIBILITIES,
} from '../../../domain/records.ts'
import { isSlug, SLUG_RULE } from '../../../domain/slug.ts'
import { EVERY_RULE, isInterval } from '../../../domain/source.ts'
import { ISO_RULE, parseDuration, parseInstant } from '../../../domain/time/time.ts'
import { errorsOf } from '../../../formats/json.ts'
import { hookName, object, oneOf, slug, textThat } from '../../../formats/schema.ts'
import { plain } from '../../terminal/text.ts'
import { type Names, type Naming, YamlDocument, type YamlEntry } from './document.ts'
import { Problems, type SourcePosition } from './problems.ts'

/** The size of a file, which is refused before the parser takes a multiple of it as memory: room for 15,000 teams with five records each. */
export const MOST_BYTES = 4_000_000
export const SPLIT = 'Split it into several files, and apply them one by one without --prune.'

/** An entry without a value, such as `app:`, is an empty mapping. Only the type says so: `noteError` skips null. */
const orEmpty = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, title: 'a mapping of names to values' })
const section = <T extends TProperties>(fields: T) => orEmpty(Type.Partial(object(fields)))
const named = <T extends TSchema>(entry: T) => orEmpty(Type.Record(Type.String(), entry))
const choice = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ ...oneOf(values), title: `one of ${values.join(', ')}` })

const name = Type.String({ title: 'a text in quotes' })
const status = choice(STATUSES)
const changelog = section({ name, status })
const repository = textThat(
  'repository-or-none',
  (text) => text === NONE || repositoryOf(text) !== null,
  `${REPOSITORY_RULE}, or ${NONE}`,
)
const language = choice([...LANGUAGES, NONE] as const)
const flag = Type.Boolean({ title: 'true or false' })
const follow = section({
  url: Type.String({ title: `an address or a path, or ${NONE}` }),
  file: name,
  ref: name,
  releases: flag,
  tags: flag,
  tagPrefix: name,
  hostKind: choice(HOST_KINDS),
  every: textThat('interval', (text) => isInterval(parseDuration(text) ?? 0), `a duration ${EVERY_RULE}`),
  prune: flag,
  paused: flag,
  tokenFile: name,
})
const product = section({ name, status, repository, language, changelog, follow })
const key = section({
  kind: choice(KEY_KINDS),
  status: choice(KEY_STATUSES),
  products: Type.Array(slug, { title: 'a list of slugs' }),
  expires: textThat('iso-time', (text) => parseInstant(text) !== null, ISO_RULE),
})
const hook = section({
  kind: choice(HOOK_KINDS),
  name: hookName,
  url: textThat('hook-url', (text) => chatUrlOf(text) !== null, CHAT_URL_RULE),
  urlFile: name,
  product: slug,
  events: Type.Array(choice(HOOK_EVENTS), { title: `a list of ${HOOK_EVENTS.join(', ')}`, minItems: 1 }),
  status: choice(HOOK_STATUSES),
})
const team = section({
  name,
  visibility: choice(VISIBILITIES),
  plan: choice(PLANS),
  products: named(product),
  keys: named(key),
  hooks: Type.Array(hook, { title: 'a list of hooks' }),
})
const file = section({ teams: named(team) })

type Fields<T extends TSchema, Sections extends string = never> = Omit<NonNullable<Static<T>>, Sections>

/** What a file for `apply` says about a team. Whatever it leaves out stays as it is. */
export interface TeamEntry extends Fields<typeof team, 'products' | 'keys' | 'hooks'> {
  place: SourcePosition
  slug: string
  /** Null if the file has no such section, and so says nothing about them. */
  products: ProductEntry[] | null
  keys: KeyEntry[] | null
  hooks: HookEntry[] | null
}

export interface ProductEntry
  extends Fields<typeof product, 'repository' | 'language' | 'changelog' | 'follow'> {
  place: SourcePosition
  slug: string
  repository?: string | null
  language?: Language | null
  changelog: Fields<typeof changelog>
  follow?: FollowEntry
}

/** What a product follows: nothing any more if the address is `none`. */
export interface FollowEntry extends Fields<typeof follow, 'url' | 'every'> {
  url: string
  every?: number
}

/** A key is identified by its label, which must be unique in its team. */
export interface KeyEntry extends Fields<typeof key, 'expires'> {
  place: SourcePosition
  label: string
  expires?: Instant
}

/** A hook is identified by its name, or else by its kind, its address and its product. */
export interface HookEntry extends Fields<typeof hook> {
  place: SourcePosition
}

const BY_SLUG: Naming = { rule: `a slug: ${SLUG_RULE}`, isRight: isSlug }
/** Labels that look alike are the same, so that each names one key. */
const BY_LABEL: Naming = {
  rule: 'one line that does not begin or end with a space',
  isRight: (label) => label === plain(label).trim(),
}
const NAMINGS: Record<string, Naming> = {
  teams: BY_SLUG,
  'teams.*.products': BY_SLUG,
  'teams.*.keys': BY_LABEL,
}
const namingIn = (names: Names) => NAMINGS[names.map((name, at) => (at === 1 ? '*' : name)).join('.')]

/** Reads the YAML. Throws a `Refusal` that lists every problem with its place and path. */
export function readApplyFile(text: string, path: string): TeamEntry[] {
  const problems = new Problems(path)
  const document = new YamlDocument(text, problems, namingIn)
  for (const error of errorsOf(file, document.content)) noteError(error, document, problems)
  const teams = (document.content as Static<typeof file>)?.teams ?? null
  // With --prune, a file that says nothing would delete everything.
  if (teams === null)
    problems.note(document.find([], 'name'), 'teams is missing: it must be a mapping of slugs to teams')
  problems.refuseIfAny()
  return document.entriesOf(teams ?? {}).map((entry) => teamEntry(document, entry))
}

function noteError(
  { path, type, schema, value }: ValueError,
  document: YamlDocument,
  problems: Problems,
): void {
  if (value === null && schema.type === 'object') return
  const names = [...ValuePointer.Format(path)]
  const field = names.join('.') || 'the file'
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(schema.properties).join(', ')
    problems.note(document.find(names, 'name'), `${field} is unknown: it must be one of ${known}`)
  } else {
    const place = document.find(names, schema.type === 'object' ? 'name' : 'value')
    problems.note(place, `${field} is wrong: it must be ${schema.title}`)
  }
}

function teamEntry(
  document: YamlDocument,
  { name: slug, place, value }: YamlEntry<Static<typeof team>>,
): TeamEntry {
  const { products, keys, hooks, ...fields } = value ?? {}
  return {
    place,
    slug,
    ...fields,
    products: products ? document.entriesOf(products).map(productEntry) : null,
    keys: keys ? document.entriesOf(keys).map(keyEntry) : null,
    hooks:
      hooks?.map((each, at) => ({
        ...each,
        place: document.find(['teams', slug, 'hooks', String(at)], 'value'),
      })) ?? null,
  }
}

function productEntry({ name: slug, place, value }: YamlEntry<Static<typeof product>>): ProductEntry {
  const { changelog, repository, language, follow, ...fields } = value ?? {}
  return {
    place,
    slug,
    ...fields,
    ...(repository !== undefined && { repository: repository === NONE ? null : repositoryOf(repository) }),
    ...(language !== undefined && { language: language === NONE ? null : language }),
    changelog: changelog ?? {},
    ...(follow && { follow: followEntry(follow) }),
  }
}

function followEntry({ url = '', every, ...fields }: NonNullable<Static<typeof follow>>): FollowEntry {
  const length = every === undefined ? null : parseDuration(every)
  return { url, ...fields, ...(length !== null && { every: length }) }
}

function keyEntry({ name: label, place, value }: YamlEntry<Static<typeof key>>): KeyEntry {
  const { expires, ...fields } = value ?? {}
  const instant = expires === undefined ? null : parseInstant(expires)
  return { place, label, ...fields, ...(instant !== null && { expires: instant }) }
}
