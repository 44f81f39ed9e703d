import { version } from '../../package.json'
import { ERRORS, type ErrorCode, ErrorEnvelope } from './schemas.ts'

/** What `/openapi.json` says beyond the shapes: who may read, what may go wrong. */

/** The errors of every route, of both surfaces, and of each. */
export const EVERYWHERE: readonly ErrorCode[] = ['method_not_allowed', 'internal_error', 'unavailable']
export const PUBLIC_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'not_found',
  'rate_limited',
  ...EVERYWHERE,
]
export const KEYED_ERRORS: readonly ErrorCode[] = ['forbidden', ...PUBLIC_ERRORS]

type ErrorSchemas = Record<number, ReturnType<typeof ErrorEnvelope>>

/** The response schemas of these errors, by status. */
export const errors = (codes: readonly ErrorCode[]): ErrorSchemas =>
  Object.fromEntries(codes.map((code) => [ERRORS[code].status, ErrorEnvelope([code])]))

/** A reading route's description: its summary and how one is let in. */
export const reading = (surface: 'public' | 'keyed', operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: [surface],
  security: surface === 'public' ? [{}, { site: [] }] : [{ key: [] }, { key: [], site: [] }],
})

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
