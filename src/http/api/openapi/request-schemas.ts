import { Kind, type TSchema, TypeRegistry } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { SLUG_RULE } from '../../../domain/slug.ts'
import { KINDS } from '../../../domain/versions/kinds.ts'
import type { ApiParameter } from '../../api-parameters.ts'

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
      'Identifier of one version, or its label, or `latest` for the newest published one that is not yanked. A former public label redirects to the current one. So does a label with or without `v`, or without its package (`1.2.0` for `app@1.2.0`) if that is unambiguous. A slash in a label is written as `%2F`.',
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
        description:
          'Adds the changes and the other details of a version to every version. Without `limit`, it means `limit=20`.',
      }),
    ),
    after: text(
      'Only versions above this one in the list, by its label or a former one, with or without `v`. An unknown label is a 404.',
      '1.2.0',
    ),
    from: text(
      'Only versions above this one, up to `to`. Two semantic versions are compared by precedence, and neither has to exist. Versions with other labels are then left out. A `v` or a package name in front does not matter. Other labels mean the versions between the two in the list, and an unknown one is a 404. If `from` is not below `to`, you get a 400.',
      '1.2.0',
    ),
    to: text(
      'Only versions up to this one, which is included: see `from`. Default: the highest release that is neither a pre-release nor yanked. If `from` is not below that, the list is empty.',
      '2.0.0',
    ),
    type: text(
      `With \`include=changes\`: only changes of these types, and versions that have any. Separate at most ${MAX_TYPES} with commas. \`changeCount\` still counts all changes. Long changelogs are searched in parts. A page may have fewer versions than \`limit\`, or none, and still a next page.`,
      'security,fixed',
    ),
    kind: text(
      `With \`include=changes\`: only changes of these kinds: ${KINDS.join(', ')}. Separate several with commas. \`breaking\` and \`security\` find every change with that field true. \`breaking\` also finds versions whose \`description\` mentions a breaking change. With \`type\` too, a change must match both.`,
      'breaking,security',
    ),
    prereleases: t.Optional(
      t.Literal('no', {
        error: 'prereleases must be "no".',
        description: 'Skips pre-releases, by their label or as marked by their host.',
      }),
    ),
  } satisfies Record<ApiParameter, TSchema>,
  { additionalProperties: true },
)

export type ChangelogQuery = Static<typeof ChangelogQuery>
