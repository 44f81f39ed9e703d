import { mapRows } from '../../../domain/objects.ts'
import {
  CHANGE_TEXTS,
  NO_CHANGE_TEXTS,
  NO_VERSION_PROPERTIES,
  VERSION_TEXTS,
} from '../../../domain/versions/properties.ts'
import type { ChangelogInfo, VersionContent, VersionSummary } from '../../../store/store.ts'
import type { ErrorBody, ErrorCode } from '../../request/errors.ts'
import { changelogEnvelope, versionEnvelope } from '../json.ts'
import type { Examples } from './components.ts'
import type { ChangelogEnvelope } from './response-schemas.ts'

const INFO: ChangelogInfo = {
  team: { slug: 'acme', name: 'Acme' },
  product: { slug: 'app', name: 'App' },
  changelog: { id: 'clog_01kddj4p8a0v8r0v5xq0d3c9zf', name: 'App changelog', status: 'published' },
  settings: { language: null, repository: null, subscribeUrl: null, teamSubscribeUrl: null },
}

const SUMMARY: VersionSummary = {
  id: 'ver_01kdzn3yr8f6hthhm1zpvtwb5g',
  label: '1.2.0',
  title: 'Faster search',
  status: 'published',
  publishedAt: Date.parse('2026-01-02T03:04:05.678Z'),
  changeCount: 2,
}

const CONTENT: VersionContent = {
  ...SUMMARY,
  dateKnown: true,
  createdAt: SUMMARY.publishedAt,
  kinds: null,
  ...NO_VERSION_PROPERTIES,
  ...mapRows(VERSION_TEXTS, ({ example }) => example),
  changes: [
    {
      id: 'chg_01kdzn3yrbe0ssx7r9d4hn2vkc',
      type: 'added',
      title: 'Search in attachments',
      ...NO_CHANGE_TEXTS,
    },
    {
      id: 'chg_01kdzn3yrbe0t9n8y5m2w6qj3a',
      type: 'fixed',
      title: 'Results are sorted by date again',
      ...mapRows(CHANGE_TEXTS, ({ example }) => example),
    },
  ],
}

const listOf = (version: VersionSummary | VersionContent): ChangelogEnvelope =>
  changelogEnvelope({ ...INFO, versions: [version], next: null })

export const VERSION = versionEnvelope({ ...INFO, version: CONTENT })

/** Examples of successful responses, by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, Examples>> = {
  ChangelogResponse: {
    versions: { summary: 'The versions', value: listOf(SUMMARY) },
    changes: { summary: 'With include=changes', value: listOf(CONTENT) },
  },
  VersionResponse: {
    version: { summary: 'A version with its changes', value: VERSION },
  },
  Health: { ok: { summary: 'Everything works', value: { status: 'ok' } } },
}

const MESSAGES: Record<ErrorCode, string> = {
  bad_request: 'limit must be a whole number from 1 to 100.',
  unauthorized: 'The API key is not valid.',
  forbidden: 'This key cannot read this product.',
  not_found: 'No changelog or version was found at this address.',
  method_not_allowed: 'This API is read-only. Use GET or HEAD.',
  rate_limited: 'Too many requests from this address. Try again in 1 second.',
  internal_error: 'The server failed. The error is in its log.',
  unavailable: 'The database is not responding.',
}

export const errorExample = (code: ErrorCode): ErrorBody => ({ error: { code, message: MESSAGES[code] } })
