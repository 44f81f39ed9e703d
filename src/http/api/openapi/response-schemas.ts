import { Kind, type TProperties, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { mapRows } from '../../../domain/objects.ts'
import { STATUSES, VERSION_STATUSES } from '../../../domain/records.ts'
import { SLUG } from '../../../domain/slug.ts'
import { KINDS } from '../../../domain/versions/kinds.ts'
import {
  CHANGE_SIGNS,
  CHANGE_TEXTS,
  type ShownFacts,
  VERSION_FACTS,
  VERSION_TEXTS,
} from '../../../domain/versions/properties.ts'
import { ERRORS, type ErrorCode } from '../../request/errors.ts'

/** Response bodies of the API. Types are inferred, and `/openapi.json` publishes the schemas, named by their `$id`. */

/** Without other fields, for tests of bodies and input of tools. In the document objects are open to later ones. */
const exact = { additionalProperties: false }

export const exactly = <Fields extends TProperties>(fields: Fields) => t.Object(fields, exact)

const component = <Fields extends TProperties>($id: string, description: string, fields: Fields) =>
  t.Object(fields, { ...exact, $id, description })

/** Not a union of literals, which would lose its description in the document. */
const ONE_OF = 'changelogd:OneOf'
TypeRegistry.Set<{ enum: readonly unknown[] }>(ONE_OF, (schema, value) => schema.enum.includes(value))

export const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  t.Unsafe<T[number]>({ [Kind]: ONE_OF, type: 'string', enum: [...values], description })

export const instant = (description: string) =>
  t.String({
    description: `${description} ISO 8601, UTC, with milliseconds.`,
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    examples: ['2026-01-02T03:04:05.678Z'],
  })

const markdown = (description: string) => t.String({ description: `${description} Markdown source.` })

/** Not a union, which would have two descriptions in the document. */
const TEXT_OR_NULL = 'changelogd:TextOrNull'
TypeRegistry.Set(TEXT_OR_NULL, (_, value) => typeof value === 'string' || value === null)

const textOrNull = (description: string) =>
  t.Unsafe<string | null>({ [Kind]: TEXT_OR_NULL, type: ['string', 'null'], description })

const optionalMarkdown = ({ about }: { about: string }) => textOrNull(`${about} Markdown source, or null.`)

const named = ($id: string, slug: string, name: string, description: string) =>
  component($id, description, {
    slug: t.String({ description: `${$id} slug.`, pattern: SLUG.source, examples: [slug] }),
    name: t.String({ description: `${$id} display name.`, examples: [name] }),
  })
const Team = named('Team', 'acme', 'Acme', 'The team that owns the product.')
const Product = named('Product', 'app', 'App', 'The product that the changelog is about.')

const ChangelogInfo = component('ChangelogInfo', 'The changelog itself, without its versions.', {
  id: t.String({ description: 'Changelog identifier.', pattern: '^clog_' }),
  name: t.String({ description: 'Changelog name.', examples: ['App changelog'] }),
  status: oneOf(STATUSES, 'Status of the changelog. Public reads return only `published`.'),
})

export const place = { team: Team, product: Product, changelog: ChangelogInfo }

export const Change = component('Change', 'One change of a version.', {
  id: t.String({ description: 'Change identifier.', pattern: '^chg_' }),
  object: t.Literal('changelog.change'),
  type: t.String({
    description:
      'A lowercase slug: added, changed, deprecated, removed, fixed, security, or one of the author’s own.',
    examples: ['added'],
  }),
  typeLabel: t.String({
    description: 'The heading of the type as the author wrote it, as markdown.',
    examples: ['Added'],
  }),
  kind: oneOf(
    KINDS,
    'The kind of change, by its heading in any language, or by a prefix such as `fix:`. People, packages and parts of the product are `other`.',
  ),
  ...mapRows(CHANGE_SIGNS, ({ about }) => t.Boolean({ description: about })),
  title: markdown('The change in one line.'),
  ...mapRows(CHANGE_TEXTS, optionalMarkdown),
})

export const summary = {
  id: t.String({ description: 'Version identifier; usable as `versionId`.', pattern: '^ver_' }),
  version: t.String({ description: 'Version label.', examples: ['1.2.0'] }),
  title: markdown('Version title.'),
  status: oneOf(VERSION_STATUSES, 'Publication status of the version. Public reads return only `published`.'),
  publishedAt: instant(
    'When the version was published. A draft has its planned date, or its creation time. A version without a date has a time between its neighbors.',
  ),
  // Not Elysia's integer, which would also accept text.
  changeCount: Type.Integer({ minimum: 0, description: 'Number of changes in the version.' }),
}

export const facts = mapRows(VERSION_FACTS, (row) =>
  'of' in row ? t.Boolean({ description: row.about }) : textOrNull(row.about),
) as { [Name in keyof ShownFacts]: TUnsafe<ShownFacts[Name]> }

const content = {
  dateKnown: t.Boolean({
    description:
      'Whether `publishedAt` was given by an author or set at publishing. Otherwise it is only for sorting, and should not be shown.',
  }),
  ...mapRows(VERSION_TEXTS, optionalMarkdown),
  ...facts,
  changes: t.Array(Change, { description: 'The changes, in the author’s order.' }),
}

/** Fields of `include=changes` in words. */
const INCLUDED = Object.keys(content)
  .map((name) => `\`${name}\``)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ')

const VersionSummary = component(
  'VersionSummary',
  `A version. It has ${INCLUDED} only with \`include=changes\`.`,
  { object: t.Literal('changelog.version'), ...summary, ...t.Partial(t.Object(content)).properties },
)

const Changelog = component('Changelog', 'A product’s changelog with its versions, or a page of them.', {
  object: t.Literal('changelog'),
  ...place,
  versions: t.Array(VersionSummary, {
    description: 'Newest `publishedAt` first; with the same `publishedAt`, newest id first.',
  }),
})

const Version = component('Version', 'A version with its changes.', {
  object: t.Literal('changelog.version'),
  ...place,
  ...summary,
  ...content,
})

export const ChangelogEnvelope = component(
  'ChangelogResponse',
  'The changelog, or a page of it: the `Link` header names the next page.',
  { data: Changelog },
)

export const VersionEnvelope = component('VersionResponse', 'The version.', { data: Version })

export const Health = component('Health', 'The check succeeded.', { status: t.Literal('ok') })

export const ErrorEnvelope = component('Error', 'The body of every error.', {
  error: exactly({
    code: oneOf(Object.keys(ERRORS) as ErrorCode[], 'The error, for programs.'),
    message: t.String({ description: 'The error, for people.' }),
  }),
})

export type Returns = Readonly<Record<number, TSchema>>

/** Responses without a body. */
export const Moved = t.Void({
  description:
    'The version has another label now, or another spelling. `Location` is its address. It has no body.',
})
export const NotModified = t.Void({
  description: 'The response has not changed since the one that `If-None-Match` names. It has no body.',
})

const errors = (...codes: ErrorCode[]): Returns =>
  Object.fromEntries(codes.map((code) => [ERRORS[code].status, ErrorEnvelope]))

/** Errors by status: of every route, and of those that read the store. */
export const ERRORS_EVERYWHERE = errors('bad_request', 'method_not_allowed', 'internal_error')
export const STORE_ERRORS = { ...ERRORS_EVERYWHERE, ...errors('unavailable') }
export const PUBLIC_ERRORS = { ...STORE_ERRORS, ...errors('unauthorized', 'not_found', 'rate_limited') }
export const KEYED_ERRORS = { ...PUBLIC_ERRORS, ...errors('forbidden') }

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>
export type VersionEnvelope = Static<typeof VersionEnvelope>
