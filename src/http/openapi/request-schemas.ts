import { Kind, type TSchema, TypeRegistry } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { SLUG_RULE } from '../../domain/slug.ts'
import { KINDS } from '../../domain/versions/kinds.ts'
import type { ApiParameter } from '../routes.ts'
import { INCLUDED } from './response-schemas.ts'

/** Parameters of the API. Routes check requests by these schemas, and types are inferred. */

/** The largest number of types in a filter. */
export const MAX_TYPES = 20

export const ProductParams = t.Object({
  teamSlug: t.String({
    description: `Slug of the team that owns the product: ${SLUG_RULE}.`,
    examples: ['acme'],
  }),
  productSlug: t.String({
    description: `Slug of the product whose changelog is read: ${SLUG_RULE}.`,
    examples: ['app'],
  }),
})

export const VersionParams = t.Object({
  ...ProductParams.properties,
  versionId: t.String({
    description:
      'Identifier of one version, or its label, or `latest` for the newest published one that is not yanked. A label that it had before while it was public redirects to the label it has now. So does one with or without its `v`, and one without its package (`1.2.0` for `app@1.2.0`) where that is unambiguous. A slash in a label is written as `%2F`.',
    examples: ['latest', '1.2.0', 'ver_01kdzn3yr8f6hthhm1zpvtwb5g'],
  }),
})

/** An integer in a query, checked as text, so that `1e1` and `0x5` are refused. */
const INTEGER_TEXT = 'changelogd:IntegerText'
TypeRegistry.Set<{ minimum: number; maximum: number }>(
  INTEGER_TEXT,
  ({ minimum, maximum }, value) =>
    typeof value === 'string' &&
    /^(0|[1-9]\d{0,8})$/.test(value) &&
    Number(value) >= minimum &&
    Number(value) <= maximum,
)

const text = (description: string, ...examples: string[]) =>
  t.Optional(t.String({ description, ...(examples.length > 0 && { examples }) }))

/** Other parameters are ignored. */
export const ChangelogQuery = t.Object(
  {
    limit: t.Optional(
      t.Unsafe<string>({
        [Kind]: INTEGER_TEXT,
        type: 'integer',
        minimum: 1,
        maximum: 100,
        error: 'limit must be a whole number from 1 to 100.',
        description:
          'Maximum number of versions. The `Link` header names the next page. Default: all versions, or 20 with `include=changes`.',
      }),
    ),
    cursor: text('Start of the page: an opaque value from the `Link` header of the previous page.'),
    since: text(
      'Only versions published at or after this ISO 8601 date or time.',
      '2026-01-02',
      '2026-01-02T03:04:05Z',
    ),
    include: t.Optional(
      t.Literal('changes', {
        error: 'include must be "changes".',
        description: `Adds ${INCLUDED} to every version. Without \`limit\`, it means \`limit=20\`.`,
      }),
    ),
    after: text(
      'Only versions that are newer, in the order of the list, than the one with this label, with or without its `v`, or the one that had it before. A label that does not exist is a 404.',
      '1.2.0',
    ),
    from: text(
      'Only what changed from the version with this label, exclusive, to that of `to`. If both are semantic versions (a `v`, or a package in front, aside), by their precedence, whether or not they exist: a maintenance release lies where its number lies, and versions with other labels are left out. Otherwise what is between the two in the list, and a label that does not exist is a 404. A `from` that is not below `to` is a 400.',
      '1.2.0',
    ),
    to: text(
      'Only versions up to the one with this label, inclusive; see `from`. Default: the highest release that is neither a pre-release nor yanked. If `from` is not below that, the list is empty.',
      '2.0.0',
    ),
    type: text(
      `With \`include=changes\`: only changes of these types, with commas between them (at most ${MAX_TYPES}), and only versions that have any. \`changeCount\` still counts all changes. Long changelogs are searched in parts: a page may have fewer versions than \`limit\`, even none, and a next page.`,
      'security,fixed',
    ),
    kind: text(
      `With \`include=changes\`: only changes of these kinds, with commas between them: ${KINDS.join(', ')}. \`breaking\` is every change with \`breaking: true\`, \`security\` every one with \`security: true\`; with \`breaking\`, versions whose \`description\` says that something breaks are there too. Otherwise as \`type\`; with both, a change must be of one of the types and one of the kinds.`,
      'breaking,security',
    ),
    prereleases: t.Optional(
      t.Literal('no', {
        error: 'prereleases must be "no".',
        description: 'Leaves out pre-releases, by their label or by what the host of the releases says.',
      }),
    ),
  } satisfies Record<ApiParameter, TSchema>,
  { additionalProperties: true },
)

export type ChangelogQuery = Static<typeof ChangelogQuery>
