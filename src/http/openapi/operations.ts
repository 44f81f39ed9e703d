import { version } from '../../../package.json'
import type { ErrorCode } from '../responses/errors.ts'
import { ChangelogEnvelope, Health, VersionEnvelope } from './response-schemas.ts'

/** What `/openapi.json` says about the routes beyond their parameters: security, responses and errors. */

/** The errors of every route, of the public routes and of the keyed routes. */
const EVERYWHERE: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'internal_error',
  'unavailable',
]
const PUBLIC_ERRORS: readonly ErrorCode[] = ['unauthorized', 'not_found', 'rate_limited', ...EVERYWHERE]
const KEYED_ERRORS: readonly ErrorCode[] = ['forbidden', ...PUBLIC_ERRORS]

const PROBE = { tags: ['operation'], security: [], response: Health }
const PUBLIC = { tags: ['public'], security: [{}, { site: [] }] }
const KEYED = { tags: ['keyed'], security: [{ key: [] }, { key: [], site: [] }] }

/** Every operation by its id, with the schema of its 200 and its possible errors. */
export const OPERATIONS = {
  checkProcess: {
    summary: 'Check whether the server runs, whether or not its database works',
    ...PROBE,
    errors: ['bad_request', 'method_not_allowed', 'internal_error'],
  },
  checkReadiness: { summary: 'Check whether the server and its database work', ...PROBE, errors: EVERYWHERE },
  checkHealth: { summary: 'The same as `/readyz`', ...PROBE, errors: EVERYWHERE },
  readPublicChangelog: {
    summary: 'Read the changelog of a published product in a public team',
    ...PUBLIC,
    response: ChangelogEnvelope,
    errors: PUBLIC_ERRORS,
  },
  readPublicVersion: {
    summary: 'Read one published version with its changes',
    ...PUBLIC,
    response: VersionEnvelope,
    errors: PUBLIC_ERRORS,
  },
  readChangelog: {
    summary: 'Read the changelog of any product the key may read',
    ...KEYED,
    response: ChangelogEnvelope,
    errors: KEYED_ERRORS,
  },
  readVersion: {
    summary: 'Read one version with its changes, including drafts',
    ...KEYED,
    response: VersionEnvelope,
    errors: KEYED_ERRORS,
  },
} as const

export type Operation = keyof typeof OPERATIONS

export const DOCUMENTATION = {
  info: {
    title: 'changelogd',
    version,
    description:
      'Product changelogs, read-only. Public routes need no credential and are rate limited. Keyed routes need an API key and also return drafts. The body of every error is `{"error":{"code","message"}}`.',
  },
  tags: [
    { name: 'public', description: 'Published changelogs of public teams. No credential needed.' },
    { name: 'keyed', description: 'Everything an API key may read, including drafts.' },
    { name: 'operation', description: 'For operators of the server.' },
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
          'Required on every route except the probes if the server runs with PASSWORD_PROTECTION. Together with an API key, send it as `X-Site-Authorization: Basic …` or as `Authorization: Basic …, Bearer …`.',
      },
    },
  },
}
