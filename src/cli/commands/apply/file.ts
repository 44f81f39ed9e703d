import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { ValuePointer } from '@sinclair/typebox/value'
import { LIST_URL_RULE, listUrlOf, mailUrlOf } from '../../../domain/addresses/mail-address.ts'
import { NONE, REPOSITORY_RULE, repositoryOf } from '../../../domain/addresses/repository.ts'
import { HOOK_KINDS } from '../../../domain/hook-kinds.ts'
import { CHAT_URL_RULE, chatUrlOf, DELAY_RULE, hookDelayOf } from '../../../domain/hooks.ts'
import * as words from '../../../domain/records.ts'
import { isSlug, SLUG_RULE } from '../../../domain/slug.ts'
import { EVERY_RULE, isInterval } from '../../../domain/sources.ts'
import { ISO_RULE, parseDuration, parseInstant } from '../../../domain/time/time.ts'
import { errorsOf } from '../../../formats/json.ts'
import { hookName, object, oneOf, slug, textThat } from '../../../formats/schema.ts'
import { plain } from '../../terminal/text.ts'
import { YamlDocument } from './document.ts'

/** The size of a file, which is refused before the parser takes a multiple of it as memory: room for 15,000 teams with five records each. */
export const MOST_APPLY_BYTES = 4_000_000
export const SPLIT = 'Split the file, and apply the parts one by one without --prune.'

/** An entry without a value, such as `app:`, is an empty mapping. Only the type says so: `noteError` skips null. */
const orEmpty = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, title: 'a mapping of names to values' })
const section = <T extends TProperties>(fields: T) => orEmpty(Type.Partial(object(fields)))
const named = <T extends TSchema>(entry: T) => orEmpty(Type.Record(Type.String(), entry))
const choice = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ ...oneOf(values), title: `one of ${values.join(', ')}` })

const name = Type.String({ title: 'a text in quotes' })
const status = choice(words.STATUSES)
const orNone = (name: string, parse: (text: string) => string | null, rule: string) =>
  textThat(`${name}-or-none`, (text) => text === NONE || parse(text) !== null, `${rule}, or ${NONE}`)
const repository = orNone('repository', repositoryOf, REPOSITORY_RULE)
const listUrl = orNone('list-url', listUrlOf, LIST_URL_RULE)
const flag = Type.Boolean({ title: 'true or false' })
const follow = section({
  url: Type.String({ title: `an address or a path, or ${NONE}` }),
  file: name,
  ref: name,
  releases: flag,
  tags: flag,
  tagPrefix: name,
  stable: flag,
  pictures: flag,
  hostKind: choice(words.HOST_KINDS),
  every: textThat('interval', (text) => isInterval(parseDuration(text) ?? 0), `a duration ${EVERY_RULE}`),
  prune: flag,
  paused: flag,
  tokenFile: name,
})
const product = section({
  name,
  status,
  repository,
  follow,
  language: choice([...words.LANGUAGES, NONE] as const),
  subscribeUrl: listUrl,
  changelog: section({ name, status }),
})
const key = section({
  kind: choice(words.KEY_KINDS),
  status: choice(words.KEY_STATUSES),
  products: Type.Array(slug, { title: 'a list of slugs without duplicates', uniqueItems: true }),
  expires: textThat('iso-time', (text) => parseInstant(text) !== null, ISO_RULE),
})
const hook = section({
  kind: choice(HOOK_KINDS),
  name: hookName,
  url: textThat(
    'hook-url',
    (text) => (mailUrlOf(text) ?? chatUrlOf(text)) !== null,
    `${CHAT_URL_RULE}; or mailto: and an address`,
  ),
  unsubscribeUrl: listUrl,
  urlFile: name,
  product: slug,
  events: Type.Array(choice(words.HOOK_EVENTS), {
    title: `a list of ${words.HOOK_EVENTS.join(', ')}`,
    minItems: 1,
  }),
  stable: flag,
  delay: textThat('hook-delay', (text) => hookDelayOf(text) !== null, `a duration ${DELAY_RULE}`),
  status: choice(words.HOOK_STATUSES),
})
const team = section({
  name,
  visibility: choice(words.VISIBILITIES),
  plan: choice(words.PLANS),
  subscribeUrl: listUrl,
  products: named(product),
  keys: named(key),
  hooks: Type.Array(hook, { title: 'a list of hooks' }),
})
const file = section({ teams: named(team) })

/** A record in a file for `apply`. Missing fields stay as they are. */
export type TeamEntry = NonNullable<Static<typeof team>>
export type ProductEntry = NonNullable<Static<typeof product>>
/** The source of a product. The address `none` removes it. */
export type FollowEntry = NonNullable<Static<typeof follow>>
/** A key is identified by its label, which must be unique in its team. */
export type KeyEntry = NonNullable<Static<typeof key>>
/** A hook is identified by its name, or else by its kind, its address and its product. */
export type HookEntry = NonNullable<Static<typeof hook>>

/** An address of a list as it is stored: `none` removes it. */
export const listUrlIn = (text: string | undefined): string | null | undefined =>
  text === undefined ? undefined : text === NONE ? null : listUrlOf(text)

export type ApplyFile = ReturnType<typeof readApplyFile>

/** Reads the YAML. Throws a `Refusal` that lists every problem with its place and path. */
export function readApplyFile(text: string, path: string) {
  const document = new YamlDocument(text, path)
  for (const error of errorsOf(file, document.content)) noteError(error, document)
  const { teams = null } = (document.content as Static<typeof file>) ?? {}
  // With --prune, a file that says nothing would delete everything.
  if (teams === null) document.note([], 'teams is missing; it must be a mapping of slugs to teams')
  checkNames(document, ['teams'], teams, isSlug, `a slug: ${SLUG_RULE}`)
  for (const [slug, entry] of entriesIn(teams)) {
    checkNames(document, ['teams', slug, 'products'], entry.products, isSlug, `a slug: ${SLUG_RULE}`)
    checkNames(document, ['teams', slug, 'keys'], entry.keys, isLabel, LABEL_RULE)
  }
  document.refuseIfAny()
  return { document, teams: entriesIn(teams) }
}

/** Labels that look alike are the same, so that each names one key. */
const isLabel = (label: string): boolean => label === plain(label).trim()
const LABEL_RULE = 'one line that does not start or end with a space'

function checkNames(
  document: YamlDocument,
  names: readonly string[],
  section: object | null | undefined,
  isRight: (name: string) => boolean,
  rule: string,
): void {
  for (const name of Object.keys(section ?? {})) {
    const path = [...names, name]
    if (!isRight(name)) document.note(path, `${path.join('.')} has a wrong name; it must be ${rule}`)
  }
}

export const entriesIn = <T>(section: Record<string, T | null> | null | undefined) =>
  new Map(Object.entries(section ?? {}).map(([name, entry]) => [name, entry ?? ({} as NonNullable<T>)]))

function noteError({ path, type, schema, value }: ValueError, document: YamlDocument): void {
  if (value === null && schema.type === 'object') return
  const names = [...ValuePointer.Format(path)]
  const field = names.join('.') || 'the file'
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(schema.properties).join(', ')
    document.note(names, `${field} is unknown; it must be one of ${known}`)
  } else {
    const part = schema.type === 'object' ? 'name' : 'value'
    document.note(names, `${field} is wrong; it must be ${schema.title}`, part)
  }
}
