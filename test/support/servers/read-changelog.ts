import { expect } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { ChangelogEnvelope } from '../../../src/http/api/openapi/response-schemas.ts'
import type { TestServer } from './server.ts'

/** The path of the next page, by a `Link` header. */
export const nextIn = (link: string | null): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1]

/** The versions that a server sends, checked by their schema, and the path of the next page. */
export async function readChangelog(
  server: Pick<TestServer, 'get'>,
  path: string,
  headers: Record<string, string> = {},
) {
  const response = await server.get(path, headers)
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  const body = (await response.json()) as ChangelogEnvelope
  expect([...Value.Errors(ChangelogEnvelope, body)]).toEqual([])
  const { versions } = body.data
  return {
    ...body,
    versions,
    labels: versions.map(({ version }) => version),
    next: nextIn(response.headers.get('link')),
  }
}

/** The labels on a page and on all that follow it, page by page. */
export async function readPages(
  server: Pick<TestServer, 'get'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = path; next; ) {
    const page: { labels: string[]; next: string | undefined } = await readChangelog(server, next, headers)
    pages.push(page.labels)
    next = page.next
    expect(pages.length).toBeLessThan(100)
  }
  return pages
}
