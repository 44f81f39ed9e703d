import { SLUG, SLUG_RULE } from '../../domain/slug.ts'
import { KINDS } from '../../domain/versions/kinds.ts'
import { MAX_LIMIT, MAX_TYPES } from '../reading/paging.ts'
import { API_PARAMETERS, type ApiParameter } from '../routes.ts'
import type { ParameterObject, SchemaObject } from './objects.ts'

/** What `/openapi.json` says of the parameters of a route. `reading/paging.ts` checks those in a query. */
export const parametersIn = (path: string, query: readonly string[] = []): ParameterObject[] => [
  ...Object.entries(PATH)
    .filter(([name]) => path.includes(`:${name}`))
    .map(([name, row]) => parameter(name, 'path', row)),
  ...API_PARAMETERS.filter((name) => query.includes(name)).map((name) =>
    parameter(name, 'query', QUERY[name]),
  ),
]

type Row = readonly [description: string, schema?: SchemaObject]

const parameter = (name: string, place: 'path' | 'query', [description, schema]: Row): ParameterObject => ({
  ...{ name, in: place, required: place === 'path', description },
  schema: { type: 'string', ...schema },
})

const such = (...examples: string[]): SchemaObject => ({ examples })

/** Routes answer 404 to an invalid slug as to a missing one. */
const PATH: Record<string, Row> = {
  teamSlug: [
    `Slug of the team that owns the product: ${SLUG_RULE}.`,
    { ...such('acme'), pattern: SLUG.source },
  ],
  productSlug: [
    `Slug of the product whose changelog is read: ${SLUG_RULE}.`,
    { ...such('app'), pattern: SLUG.source },
  ],
  versionId: [
    'Identifier of one version, or its label, or `latest` for the newest published one that is not yanked. A former public label redirects to the current one. So does a label with or without `v`, or without its package (`1.2.0` for `app@1.2.0`) if that is unambiguous. A slash in a label is written as `%2F`.',
    such('latest', '1.2.0', 'ver_01kdzn3yr8f6hthhm1zpvtwb5g'),
  ],
}

const QUERY: Record<ApiParameter, Row> = {
  limit: [
    'Maximum number of versions. The `Link` header names the next page. Default: all versions, or 20 with `include=changes`.',
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
  ],
  cursor: ['Start of the page: an opaque value from the `Link` header of the previous page.'],
  since: [
    'Only versions published at or after this ISO 8601 date or time.',
    such('2026-01-02', '2026-01-02T03:04:05Z'),
  ],
  include: [
    'Adds the changes and the other details of a version to every version. Without `limit`, it means `limit=20`.',
    { const: 'changes' },
  ],
  after: [
    'Only versions above this one in the list, by its label or a former one, with or without `v`. An unknown label is a 404.',
    such('1.2.0'),
  ],
  from: [
    'Only versions above this one, up to `to`. Two semantic versions are compared by precedence, and neither has to exist. Versions with other labels are then left out. A `v` or a package name in front does not matter. Other labels mean the versions between the two in the list, and an unknown one is a 404. If `from` is not below `to`, you get a 400.',
    such('1.2.0'),
  ],
  to: [
    'Only versions up to this one, which is included: see `from`. Default: the highest release that is neither a pre-release nor yanked. If `from` is not below that, the list is empty.',
    such('2.0.0'),
  ],
  type: [
    `With \`include=changes\`: only changes of these types, and versions that have any. Separate at most ${MAX_TYPES} with commas. \`changeCount\` still counts all changes. Long changelogs are searched in parts. A page may have fewer versions than \`limit\`, or none, and still a next page.`,
    such('security,fixed'),
  ],
  kind: [
    `With \`include=changes\`: only changes of these kinds: ${KINDS.join(', ')}. Separate several with commas. \`breaking\` and \`security\` find every change with that field true. \`breaking\` also finds versions whose \`description\` mentions a breaking change. With \`type\` too, a change must match both.`,
    such('breaking,security'),
  ],
  prereleases: ['Skips pre-releases, by their label or as marked by their host.', { const: 'no' }],
}
