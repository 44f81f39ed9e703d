import type { ErrorBody, ErrorCode } from '../errors.ts'
import type { Examples } from './objects.ts'
import type { ChangelogEnvelope, VersionEnvelope } from './response-schemas.ts'

const opening = {
  team: { slug: 'acme', name: 'Acme' },
  product: { slug: 'app', name: 'App' },
  changelog: { id: 'clog_01kddj4p8a0v8r0v5xq0d3c9zf', name: 'App changelog', status: 'published' },
} as const

const summary = {
  id: 'ver_01kdzn3yr8f6hthhm1zpvtwb5g',
  object: 'changelog.version',
  version: '1.2.0',
  title: 'Faster search',
  status: 'published',
  publishedAt: '2026-01-02T03:04:05.678Z',
  changeCount: 2,
} as const

const content = {
  dateKnown: true,
  description: 'Search now covers **attachments**.',
  closing: 'Thanks to everyone who reported slow searches.',
  changes: [
    {
      id: 'chg_01kdzn3yrbe0ssx7r9d4hn2vkc',
      object: 'changelog.change' as const,
      type: 'added',
      typeLabel: 'Added',
      kind: 'added' as const,
      breaking: false,
      title: 'Search in attachments',
      description: null,
    },
    {
      id: 'chg_01kdzn3yrbe0t9n8y5m2w6qj3a',
      object: 'changelog.change' as const,
      type: 'fixed',
      typeLabel: 'Fixed',
      kind: 'fixed' as const,
      breaking: false,
      title: 'Results are sorted by date again',
      description: 'They were sorted by name since `1.1.0`.',
    },
  ],
}

const changelog: ChangelogEnvelope = { data: { object: 'changelog', ...opening, versions: [summary] } }

const changelogWithChanges: ChangelogEnvelope = {
  data: { object: 'changelog', ...opening, versions: [{ ...summary, ...content }] },
}

const version: VersionEnvelope = { data: { ...opening, ...summary, ...content } }

/** Examples of successful responses, by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, Examples>> = {
  ChangelogResponse: {
    versions: { summary: 'The versions', value: changelog },
    changes: { summary: 'With include=changes', value: changelogWithChanges },
  },
  VersionResponse: { version: { summary: 'A version with its changes', value: version } },
  Health: { ok: { summary: 'Everything works', value: { status: 'ok' } } },
}

const MESSAGES: Record<ErrorCode, string> = {
  bad_request: 'limit must be a whole number from 1 to 100.',
  unauthorized: 'The API key is not valid.',
  forbidden: 'This key may not read this product.',
  not_found: 'No changelog or version was found at this address.',
  method_not_allowed: 'This API is read-only: use GET or HEAD.',
  rate_limited: 'Too many requests from this address: try again in 1 second.',
  internal_error: 'The server failed. The error is in its log.',
  unavailable: 'The database does not answer.',
}

export const errorExample = (code: ErrorCode): ErrorBody => ({ error: { code, message: MESSAGES[code] } })
