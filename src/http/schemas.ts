import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { STATUSES, VERSION_STATUSES } from '../domain/records.ts'
import { SLUG_RULE } from '../domain/slug.ts'

/**
 * The API's shapes, each written here and nowhere else: routes are checked by them, types are inferred from
 * them, and `/openapi.json` publishes them.
 */

const exact = { additionalProperties: false }

/** One of some words. A union of literals would say the same, but lose its description in the document. */
const ONE_OF = 'changelogd:OneOf'
TypeRegistry.Set<{ enum: readonly unknown[] }>(ONE_OF, (schema, value) => schema.enum.includes(value))

const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  t.Unsafe<T[number]>({ [Kind]: ONE_OF, type: 'string', enum: [...values], description })

const instant = (description: string) =>
  t.String({
    description: `${description} ISO 8601, UTC, with milliseconds.`,
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    examples: ['2026-01-02T03:04:05.678Z'],
  })

const markdown = (description: string) => t.String({ description: `${description} Markdown source.` })

const optionalMarkdown = (description: string) =>
  t.Union([markdown(description), t.Null()], { description: `${description} Markdown source, or null.` })

const Team = t.Object(
  {
    slug: t.String({ description: 'Team slug.', examples: ['acme'] }),
    name: t.String({ description: 'Team display name.', examples: ['Acme'] }),
  },
  exact,
)

const Product = t.Object(
  {
    slug: t.String({ description: 'Product slug.', examples: ['app'] }),
    name: t.String({ description: 'Product display name.', examples: ['App'] }),
  },
  exact,
)

const Changelog = t.Object(
  {
    id: t.String({ description: 'Changelog identifier.', pattern: '^clog_' }),
    name: t.String({ description: 'Changelog name.' }),
    status: oneOf(STATUSES, 'Status of the changelog. Public reads yield only `published`.'),
  },
  exact,
)

export const Change = t.Object(
  {
    id: t.String({ description: 'Change identifier.', pattern: '^chg_' }),
    object: t.Literal('changelog.change'),
    type: t.String({
      description:
        'A lowercase slug: added, changed, deprecated, removed, fixed, security, or another of the author’s.',
      examples: ['added'],
    }),
    title: markdown('What changed, in a line.'),
    description: optionalMarkdown('What changed, at length.'),
  },
  exact,
)

const summary = {
  id: t.String({ description: 'Version identifier; usable as `versionId`.', pattern: '^ver_' }),
  version: t.String({ description: 'Version label.', examples: ['1.2.0'] }),
  title: markdown('Version title.'),
  status: oneOf(VERSION_STATUSES, 'Publication status of the version. Public reads yield only `published`.'),
  publishedAt: instant('When the version was, or is dated to be, published.'),
  // A plain integer: Elysia's own would also take text.
  changeCount: Type.Integer({ minimum: 0, description: 'Number of changes in the version.' }),
}

const content = {
  description: optionalMarkdown('What the version is about.'),
  changes: t.Array(Change, { description: 'The changes, in the author’s order.' }),
}

export const VersionSummary = t.Object(
  {
    object: t.Literal('changelog.version'),
    ...summary,
    description: t.Optional(content.description),
    changes: t.Optional(content.changes),
  },
  {
    ...exact,
    description: 'A version. `description` and `changes` stand in it only with `include=changes`.',
  },
)

export const ChangelogEnvelope = t.Object(
  {
    data: t.Object(
      {
        object: t.Literal('changelog'),
        team: Team,
        product: Product,
        changelog: Changelog,
        versions: t.Array(VersionSummary, { description: 'Newest `publishedAt` first, ties by newest id.' }),
      },
      exact,
    ),
  },
  { ...exact, description: 'The changelog. With `limit`, the next page’s address is in the `Link` header.' },
)

export const VersionEnvelope = t.Object(
  {
    data: t.Object(
      {
        object: t.Literal('changelog.version'),
        team: Team,
        product: Product,
        changelog: Changelog,
        ...summary,
        ...content,
      },
      exact,
    ),
  },
  { ...exact, description: 'The version.' },
)

export const Health = t.Object({ status: t.Literal('ok') }, { ...exact, description: 'Both answer.' })

/** Every error the API can answer with: its status, its code, and when it comes. */
export const ERRORS = {
  bad_request: { status: 400, when: 'A query parameter has a value that is not allowed.' },
  unauthorized: { status: 401, when: 'The credential is missing, malformed, unknown, expired or disabled.' },
  forbidden: { status: 403, when: 'The key is valid, but for another team or for other products.' },
  not_found: {
    status: 404,
    when: 'There is no such changelog or version; on public routes, none that is published in a public team.',
  },
  method_not_allowed: { status: 405, when: 'The method is none of those in the `Allow` header.' },
  rate_limited: { status: 429, when: 'Too many requests from this address: wait for `Retry-After` seconds.' },
  internal_error: { status: 500, when: 'A fault of the server. The message tells nothing of its cause.' },
  unavailable: { status: 503, when: 'The database does not answer: try again after `Retry-After` seconds.' },
} as const

export type ErrorCode = keyof typeof ERRORS

export const ErrorEnvelope = (codes: readonly ErrorCode[]) =>
  t.Object(
    {
      error: t.Object(
        {
          code: oneOf(codes, 'What went wrong, for programs.'),
          message: t.String({ description: 'What went wrong, for people.' }),
        },
        exact,
      ),
    },
    { ...exact, description: codes.map((code) => ERRORS[code].when).join(' ') },
  )

export const ProductParams = t.Object({
  teamSlug: t.String({ description: `Slug of the team that owns the product: ${SLUG_RULE}.` }),
  productSlug: t.String({ description: `Slug of the product whose changelog is read: ${SLUG_RULE}.` }),
})

export const VersionParams = t.Object({
  ...ProductParams.properties,
  versionId: t.String({ description: 'Identifier of one version.' }),
})

/**
 * A whole number in a query. It arrives as text and is checked as text, so that `1e1` and `0x5` are none; it is
 * described as the integer it means.
 */
const INTEGER_TEXT = 'changelogd:IntegerText'
TypeRegistry.Set<{ minimum: number; maximum: number }>(
  INTEGER_TEXT,
  ({ minimum, maximum }, value) =>
    typeof value === 'string' &&
    /^(0|[1-9]\d{0,8})$/.test(value) &&
    Number(value) >= minimum &&
    Number(value) <= maximum,
)

/** Parameters that are not named here are ignored. */
export const ChangelogQuery = t.Object(
  {
    limit: t.Optional(
      t.Unsafe<string>({
        [Kind]: INTEGER_TEXT,
        type: 'integer',
        minimum: 1,
        maximum: 100,
        error: 'limit must be a whole number from 1 to 100.',
        description: 'At most so many versions; the `Link` header then names the next page. Without it: all.',
      }),
    ),
    cursor: t.Optional(
      t.String({ description: 'Where to go on: opaque, from the `Link` header of the page before.' }),
    ),
    since: t.Optional(
      t.String({
        description: 'Only versions published at or after this moment, an ISO 8601 date or time.',
        examples: ['2026-01-02', '2026-01-02T03:04:05Z'],
      }),
    ),
    include: t.Optional(
      t.Literal('changes', {
        error: 'include must be "changes".',
        description: 'Adds `description` and `changes` to every version.',
      }),
    ),
  },
  { additionalProperties: true },
)

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>
export type VersionEnvelope = Static<typeof VersionEnvelope>
export type ChangelogQuery = Static<typeof ChangelogQuery>
export type ErrorBody = { error: { code: ErrorCode; message: string } }
