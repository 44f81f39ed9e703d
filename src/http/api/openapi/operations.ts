import { version } from '../../../../package.json'
import { mapRows } from '../../../domain/objects.ts'
import {
  ChangelogEnvelope,
  ERRORS_EVERYWHERE,
  Health,
  KEYED_ERRORS,
  Moved,
  NotModified,
  PUBLIC_ERRORS,
  STORE_ERRORS,
  VersionEnvelope,
} from './response-schemas.ts'

/** The texts and responses of `/openapi.json`. Its parameters are those of the routes, in `routes.ts`. */

const PROBE = { tags: ['operation'], security: [] }
/** The key is never listed with `site`: both are sent in `Authorization`, and clients would overwrite one. */
const PUBLIC = { tags: ['public'], security: [{}, { site: [] }] }
const KEYED = { tags: ['keyed'], security: [{ key: [] }, { key: [], siteHeader: [] }] }

export const OPERATIONS = {
  checkProcess: {
    summary: 'Check whether the server is running, even without its database',
    description: 'For supervisors. Never needs a credential.',
    returns: { 200: Health, ...ERRORS_EVERYWHERE },
    ...PROBE,
  },
  checkReadiness: {
    summary: 'Check whether the server and its database work',
    description: 'For load balancers and monitoring. Never needs a credential.',
    returns: { 200: Health, ...STORE_ERRORS },
    ...PROBE,
  },
  checkHealth: {
    summary: 'The same as /readyz',
    description: 'An older name for that probe.',
    returns: { 200: Health, ...STORE_ERRORS },
    ...PROBE,
  },
  readPublicChangelog: {
    summary: 'Read the changelog of a published product in a public team',
    description:
      'Returns the published versions, newest first. Without parameters, it returns all versions without their changes. Hidden changelogs return the same 404 as missing ones.',
    returns: { 200: ChangelogEnvelope, 304: NotModified, ...PUBLIC_ERRORS },
    ...PUBLIC,
  },
  readPublicVersion: {
    summary: 'Read one published version with its changes',
    description:
      'Returns the version with that id or label, or the newest release (`latest`), with its description and changes. Hidden versions return the same 404 as missing ones.',
    returns: { 200: VersionEnvelope, 302: Moved, 304: NotModified, ...PUBLIC_ERRORS },
    ...PUBLIC,
  },
  readChangelog: {
    summary: 'Read the changelog of any product the key may read',
    description:
      'Returns the same fields as the public route, and also drafts, locked changelogs and private teams.',
    returns: { 200: ChangelogEnvelope, 304: NotModified, ...KEYED_ERRORS },
    ...KEYED,
  },
  readVersion: {
    summary: 'Read one version with its changes, including drafts',
    description: 'Returns the same fields as the public route, and also drafts.',
    returns: { 200: VersionEnvelope, 302: Moved, 304: NotModified, ...KEYED_ERRORS },
    ...KEYED,
  },
}

export type Operation = keyof typeof OPERATIONS

const DESCRIPTION = `Product changelogs, read-only. Public routes need no credential and are rate limited. Keyed routes need an API key and also return drafts.

**Methods.** Every route answers GET, and HEAD with the same status and headers and no body.

**Caching.** Changelogs and versions have a strong \`ETag\`. Send it back as \`If-None-Match\`, and unchanged content returns 304 without a body. HEAD does the same.

**Browsers.** Public routes allow every origin (CORS), answer preflight requests, and expose \`ETag\`, \`Link\`, \`RateLimit\`, \`RateLimit-Policy\`, \`Retry-After\` and \`X-Request-Id\` to scripts. Keyed routes are for programs, not for pages of other origins.

**Errors.** The body of every error is \`{"error":{"code","message"}}\`.

**Compatibility.** New releases may add fields, parameters and values of \`type\` to \`v1\`: ignore those you do not know.`

/** Without an address, the server is where the document is. */
export const describeServer = (publicUrl: string) => ({
  info: {
    title: 'changelogd',
    version,
    summary: 'The changelogs of your teams’ products, as JSON.',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this server', ...(publicUrl !== '' && { url: publicUrl }) },
  },
  servers: [{ url: publicUrl || '/', description: 'This server.' }],
})

export const TAGS = [
  { name: 'public', description: 'Published changelogs of public teams. No credential needed.' },
  { name: 'keyed', description: 'Everything an API key may read, including drafts.' },
  { name: 'operation', description: 'For operators of the server.' },
  { name: 'webhooks', description: 'What `changelogd hook add` sends to an address of yours.' },
]

const WITH_PASSWORD = 'On servers that run with PASSWORD_PROTECTION, every route except the probes needs it'

export const SECURITY_SCHEMES = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the team: `Authorization: Bearer clk_…`.',
  },
  site: {
    type: 'http',
    scheme: 'basic',
    description: `The password of the site. ${WITH_PASSWORD}.`,
  },
  siteHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Site-Authorization',
    description: `The password of the site together with an API key: \`X-Site-Authorization: Basic …\`, with the same value that \`Authorization\` would have. ${WITH_PASSWORD}.`,
  },
}

const HEADERS = {
  ETag: 'Identifies this response. Send it as `If-None-Match` to get a 304 while nothing has changed.',
  'Cache-Control': 'Who may cache the response, and for how long.',
  Location: 'The address of the version by its own label.',
  Link: 'The next page, with `rel="next"`. Absent on the last page.',
  'Content-Language':
    'The language of the product, with `include=changes`. Absent if it has none of its own.',
  'Access-Control-Allow-Origin': 'Always `*` on public routes, so pages of every origin can read them.',
  'RateLimit-Policy': 'On public routes, the limit: `q` requests in `w` seconds.',
  RateLimit:
    'On public routes, the remaining requests (`r`), and the seconds until all are available again (`t`).',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'WWW-Authenticate': 'The authentication scheme of the missing credential.',
  Allow: 'The allowed methods.',
} as const

export type HeaderName = keyof typeof HEADERS

export const headerComponents = () =>
  mapRows(HEADERS, (description, name) => ({
    description,
    schema: { type: name === 'Retry-After' ? 'integer' : 'string' },
  }))

export const headers = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
