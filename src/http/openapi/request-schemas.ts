import { Kind, TypeRegistry } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { SLUG_RULE } from '../../domain/slug.ts'

/** What the API takes. Routes are checked by these schemas, and types inferred. */

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

export type ChangelogQuery = Static<typeof ChangelogQuery>
