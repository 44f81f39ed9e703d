import { expect } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { ChangelogEnvelope } from '../../../src/http/openapi/response-schemas.ts'
import type { TestServer } from './server.ts'

/** The versions that a server sends, checked by their schema, and the `Link` to the next page. */
export async function readChangelog(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const response = await server.get(path, headers)
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  const body = (await response.json()) as ChangelogEnvelope
  expect([...Value.Errors(ChangelogEnvelope, body)]).toEqual([])
  return { versions: body.data.versions, link: response.headers.get('link') }
}
