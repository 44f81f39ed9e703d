/**
 * The query parameters of a changelog, in the order of a reduced target. Described in `openapi/request-schemas.ts`, and
 * taken by `@changelogd/client`, so this file imports nothing.
 */
export const API_PARAMETERS = [
  'limit',
  'cursor',
  'since',
  'include',
  'after',
  'from',
  'to',
  'type',
  'kind',
  'prereleases',
] as const
export type ApiParameter = (typeof API_PARAMETERS)[number]
