import { version } from '../../../package.json'
import type { ErrorCode } from '../responses/errors.ts'
import { ChangelogEnvelope, Health, VersionEnvelope } from './response-schemas.ts'

/** What `/openapi.json` says of the routes beyond what they take: who may read, what comes back. */

/** The errors of every route, of both surfaces, and of each. */
const EVERYWHERE: readonly ErrorCode[] = ['method_not_allowed', 'internal_error', 'unavailable']
const PUBLIC_ERRORS: readonly ErrorCode[] = ['unauthorized', 'not_found', 'rate_limited', ...EVERYWHERE]
const KEYED_ERRORS: readonly ErrorCode[] = ['forbidden', ...PUBLIC_ERRORS]

const PUBLIC = { tags: ['public'], security: [{}, { site: [] }] }
const KEYED = { tags: ['keyed'], security: [{ key: [] }, { key: [], site: [] }] }

/** Every operation by its id: how one is let in, the shape of its answer, and what may go wrong. */
export const OPERATIONS = {
  checkHealth: {
    summary: 'Whether the server and its database answer',
    tags: ['operation'],
    security: [],
    answer: Health,
    errors: EVERYWHERE,
  },
  readPublicChangelog: {
    summary: 'The changelog of a published product in a public team',
    ...PUBLIC,
    answer: ChangelogEnvelope,
    errors: ['bad_request', ...PUBLIC_ERRORS],
  },
  readPublicVersion: {
    summary: 'One published version with its changes',
    ...PUBLIC,
    answer: VersionEnvelope,
    errors: PUBLIC_ERRORS,
  },
  readChangelog: {
    summary: 'The changelog of any product the key may read',
    ...KEYED,
    answer: ChangelogEnvelope,
    errors: ['bad_request', ...KEYED_ERRORS],
  },
  readVersion: {
    summary: 'One version with its changes, drafts included',
    ...KEYED,
    answer: VersionEnvelope,
    errors: KEYED_ERRORS,
  },
} as const

export type Operation = keyof typeof OPERATIONS

export const DOCUMENTATION = {
  info: {
    title: 'changelogd',
    version,
    description:
      'Reads product changelogs. Public routes need no credential and are rate limited; keyed routes need an API key and also show drafts. Every answer to a failed request is `{"error":{"code","message"}}`.',
  },
  tags: [
    { name: 'public', description: 'Published changelogs of public teams, without a credential.' },
    { name: 'keyed', description: 'Everything the bearer of an API key may read, drafts included.' },
    { name: 'operation', description: 'For those who run the server.' },
  ],
  components: {
    securitySchemes: {
      key: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'An API key of the team: `Authorization: Bearer clk_…`.',
      },
      site: {
        type: 'http' as const,
        scheme: 'basic',
        description:
          'Asked for on every route but the health check where the server runs with PASSWORD_PROTECTION. Beside an API key it is sent as `X-Site-Authorization: Basic …`, or as `Authorization: Basic …, Bearer …`.',
      },
    },
  },
}
