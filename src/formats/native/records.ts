import { OptionalKind, type Static, type StaticDecode, type TSchema, Type } from '@sinclair/typebox'
import { LIST_URL_RULE, listUrlOf, mailUrlOf } from '../../domain/addresses/mail-address.ts'
import { REPOSITORY_RULE, repositoryOf } from '../../domain/addresses/repository.ts'
import { HOOK_KINDS } from '../../domain/hook-kinds.ts'
import { HOOK_URL_RULE, hookUrlOf, MOST_DELAY_MS } from '../../domain/hooks.ts'
import { IMPORTED_PATTERN } from '../../domain/importing/imported.ts'
import { mapRows } from '../../domain/objects.ts'
import { isPictureId, PICTURE_KINDS, PICTURE_LIMITS } from '../../domain/pictures.ts'
import {
  HOOK_EVENTS,
  HOOK_STATUSES,
  HOST_KINDS,
  type HookNaming,
  KEY_KINDS,
  KEY_STATUSES,
  LANGUAGES,
  LIMITS,
  PLANS,
  SOURCE_KINDS,
  type Source,
  STATUSES,
  VERSION_STATUSES,
  VISIBILITIES,
} from '../../domain/records.ts'
import { SOURCE_RULE, sourceAddress } from '../../domain/sources.ts'
import { CHANGE_TEXTS, mapColumns, shownFact, storedFact } from '../../domain/versions/properties.ts'
import {
  addressThat,
  changeType,
  hookName,
  id,
  object,
  oneOf,
  orNull,
  slug,
  text,
  textThat,
  time,
} from '../schema.ts'

/**
 * Our own format. `export --all` writes JSON Lines:
 *
 *     {"format":"changelogd","version":2}
 *     {"team":{"id":…,"slug":…,"name":…,…}}
 *     {"product":{"id":…,"slug":…,…,"changelog":{…}}}
 *     {"picture":{"id":…,"bytes":…}}
 *     {"version":{"id":…,"version":"1.2.0",…,"changes":[…]}}
 *     {"key":{"id":…,…,"tokens":[…]}}
 *     {"end":{"team":1,"product":1,"version":1,"key":1}}
 *
 * A product or a key belongs to the team before it, a picture or a version to the product before it. The counts at the end tell a
 * truncated file. One product is exported as a JSON document with nested records, as 0.1.0 exported everything.
 */

const description = orNull(text(LIMITS.description, 0))
/** A field that is left out where it has this value. */
const unless = <S extends TSchema>(value: Static<S>, schema: S): S => ({
  ...schema,
  [OptionalKind]: 'Optional',
  default: value,
})

const textOrNone = unless(null, description)
const line = Type.Transform(orNull(text(LIMITS.title, 0)))
  .Decode((value) => storedFact(value))
  .Encode((value) => shownFact(value))

const status = oneOf(STATUSES)
const hashes = 'hashes of imported fields, such as title:0123456789abcdef'
/** Only if it was edited since it was imported. */
const imported = Type.Optional(
  Type.Unsafe<string | null | undefined>(Type.String({ pattern: IMPORTED_PATTERN, title: hashes })),
)

const repository = addressThat('repository', (url) => repositoryOf(url) === url, REPOSITORY_RULE)

/** The source that a product follows. */
const source = object({
  id: id('src'),
  url: addressThat('source', (url) => sourceAddress(url) === url, SOURCE_RULE),
  kind: oneOf(SOURCE_KINDS),
  hostKind: orNull(oneOf(HOST_KINDS)),
  file: orNull(text(LIMITS.title)),
  ref: orNull(text(LIMITS.title)),
  tagDates: Type.Boolean(),
  tagPrefix: orNull(text(LIMITS.title)),
  stable: unless(false, Type.Boolean()),
  pictures: unless(true, Type.Boolean()),
  every: Type.Integer({ title: 'a number of milliseconds' }),
  prune: Type.Boolean(),
  paused: Type.Boolean(),
  tokenFile: orNull(text(LIMITS.title)),
  createdAt: time,
})

const listUrl = addressThat('list-url', (url) => listUrlOf(url) === url, LIST_URL_RULE)

/** A hook, without its secrets. */
const hook = object({
  id: id('hk'),
  /** Null for every product of the team. */
  product: orNull(slug),
  kind: oneOf(HOOK_KINDS),
  /** Null for a chat, whose address is a secret. */
  url: orNull(addressThat('hook', (url) => (mailUrlOf(url) ?? hookUrlOf(url)) === url, HOOK_URL_RULE)),
  status: oneOf(HOOK_STATUSES),
  createdAt: time,
  name: Type.Optional(Type.Unsafe<HookNaming['name']>(hookName)),
  stable: Type.Optional(Type.Unsafe<HookNaming['stable']>(Type.Boolean())),
  unsubscribeUrl: unless(null, orNull(listUrl)),
  delay: Type.Optional(
    Type.Unsafe<HookNaming['delay']>(
      Type.Integer({ minimum: 0, maximum: MOST_DELAY_MS, title: 'a number of milliseconds, at most a day' }),
    ),
  ),
  events: Type.Optional(Type.Unsafe<HookNaming['events']>(Type.Array(oneOf(HOOK_EVENTS), { minItems: 1 }))),
})

/** The fields of each kind of record, in the order they are written. */
export const RECORDS = {
  team: object({
    id: id('team'),
    slug,
    name: text(LIMITS.name),
    visibility: oneOf(VISIBILITIES),
    plan: oneOf(PLANS),
    createdAt: time,
    subscribeUrl: unless(null, orNull(listUrl)),
    hooks: unless([], Type.Array(hook)),
  }),
  product: object({
    id: id('prod'),
    slug,
    name: text(LIMITS.name),
    status,
    createdAt: time,
    /** Slugs that it and its team had. */
    formerNames: unless([], Type.Array(object({ team: slug, product: slug }))),
    repository: unless(null, orNull(repository)),
    language: unless(null, orNull(oneOf(LANGUAGES))),
    subscribeUrl: unless(null, orNull(listUrl)),
    source: unless(null, Type.Unsafe<Source | null>(source)),
    changelog: object({ id: id('clog'), name: text(LIMITS.name), status, preamble: orNull(Type.String()) }),
  }),
  picture: object({
    id: textThat('picture', isPictureId, 'the id of a picture'),
    kind: oneOf(PICTURE_KINDS),
    createdAt: time,
    bytes: Type.Transform(
      Type.String({
        maxLength: Math.ceil(PICTURE_LIMITS.animation / 3) * 4,
        title: 'a WebP or GIF in Base64',
      }),
    )
      .Decode((text): Uint8Array => Buffer.from(text, 'base64'))
      .Encode((bytes) => Buffer.from(bytes).toString('base64')),
  }),
  version: Type.Transform(
    object({
      id: id('ver'),
      version: text(LIMITS.label),
      /** Other labels that it had while it was public. */
      formerLabels: unless([], Type.Array(text(LIMITS.label))),
      title: text(LIMITS.title),
      status: oneOf(VERSION_STATUSES),
      /** A draft that becomes public at `publishedAt`. */
      scheduled: unless(false, Type.Boolean()),
      publishedAt: time,
      dated: Type.Boolean(),
      /** Only for a published version without a known date. */
      dateKnown: Type.Optional(Type.Boolean()),
      createdAt: time,
      ...mapColumns({
        markdown: () => textOrNone,
        flag: () => unless(null, orNull(Type.Boolean())),
        line: () => unless(null, line),
      }),
      // As in all exports, also if there is none.
      description,
      imported,
      /** The markdown that it was read from, if that is known. */
      source: textOrNone,
      changes: Type.Array(
        object({
          id: id('chg'),
          type: changeType,
          typeLabel: Type.Optional(orNull(text(LIMITS.typeLabel))),
          title: text(LIMITS.title),
          ...mapRows(CHANGE_TEXTS, () => Type.Optional(textOrNone)),
          description,
          imported,
        }),
      ),
    }),
  )
    .Decode(({ version: label, dateKnown = true, ...version }) => ({
      ...version,
      label,
      scheduled: version.scheduled && version.status === 'draft',
      dateKnown: version.dated || (dateKnown && version.status === 'published'),
    }))
    .Encode(({ label, dateKnown, ...version }) => ({
      ...version,
      version: label,
      ...(version.status === 'published' && !dateKnown && { dateKnown }),
    })),
  key: object({
    id: id('key'),
    kind: oneOf(KEY_KINDS),
    status: oneOf(KEY_STATUSES),
    label: text(LIMITS.name, 0),
    createdAt: time,
    expiresAt: orNull(time),
    products: Type.Array(slug),
    tokens: Type.Array(
      object({
        hash: Type.String({ pattern: '^[0-9a-f]{64}$', title: 'a SHA-256 in 64 hexadecimal digits' }),
        start: text(LIMITS.label),
        createdAt: time,
        expiresAt: orNull(time),
      }),
    ),
  }),
}

export type RecordKind = keyof typeof RECORDS

export type Decoded<K extends RecordKind> = StaticDecode<(typeof RECORDS)[K]>
export type ExportRecord = { [K in RecordKind]: Record<K, Decoded<K>> }[RecordKind]

const format = Type.Literal('changelogd')
const count = Type.Integer({ minimum: 0 })

/** The first line of a copy of deleted records. */
const DELETED = object({
  /** As messages name it. */
  what: Type.String(),
  /** The name of the database, without a password. */
  database: Type.String(),
  /** The database under any name: the real path of the file, or PostgreSQL's own identifier. */
  identity: Type.Optional(Type.String()),
  /** The ids of everything deleted. The other records only say where it was. */
  ids: Type.Array(Type.String()),
  /** If versions of a product were overwritten: its id, and a hash of their content after that. */
  overwritten: Type.Optional(object({ product: Type.String(), state: Type.String() })),
})
export type Deleted = StaticDecode<typeof DELETED>

/** The counts at the end; without pictures, as a program that does not know them writes it. */
export const endOf = ({ picture, ...counts }: Record<RecordKind, number>) =>
  picture > 0 ? { ...counts, picture } : counts

/** The first line of JSON Lines, and the others: a record, or the counts at the end. */
export const HEADER = object({ format, version: Type.Literal(2), deleted: Type.Optional(DELETED) })
export const LINE = Type.Partial(
  object({
    ...RECORDS,
    end: object({ team: count, product: count, picture: unless(0, count), version: count, key: count }),
  }),
  {
    minProperties: 1,
    maxProperties: 1,
    title: 'an object with one team, product, picture, version, key or end',
  },
)

/** All records nested in one JSON document. */
export const DOCUMENT = object({
  format,
  version: Type.Literal(1),
  teams: Type.Array(
    object({
      ...RECORDS.team.properties,
      keys: Type.Optional(Type.Array(RECORDS.key)),
      products: Type.Array(
        object({
          ...RECORDS.product.properties,
          pictures: Type.Optional(Type.Array(RECORDS.picture)),
          versions: Type.Array(RECORDS.version),
        }),
      ),
    }),
  ),
})
