import { afterAll, beforeAll, beforeEach } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { Bucket } from '../../../src/backups/bucket.ts'

/** What goes wrong between a program and its bucket. */
export type Fault = (request: Request, forward: () => Promise<Response>) => Promise<Response> | Response

/** A server with one bucket, `copies`, behind a proxy that can be told to fail. */
export async function startBucket() {
  const directory = mkdtempSync(join(tmpdir(), 'bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'copies', configs: [] }],
  })
  const { port } = await server.run()
  let fault: Fault | null = null
  const requests: string[] = []
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 2 ** 30,
    idleTimeout: 120,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push(`${request.method} ${pathname}${search}`)
      const body = request.body ? await request.arrayBuffer() : null
      const forward = () =>
        fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
          method: request.method,
          headers: request.headers,
          body,
          // The server may close an idle connection while a request is on its way.
          keepalive: false,
        })
      return fault ? fault(request, forward) : forward()
    },
  })
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    requests,
    failWith: (next: Fault | null) => {
      fault = next
    },
    [Symbol.asyncDispose]: async () => {
      await proxy.stop(true)
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** That bucket, as the program addresses it. */
export const bucketAt = (endpoint: string, stallMs?: number) =>
  new Bucket(
    'copies',
    { endpoint, region: 'x', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: '' },
    stallMs,
  )

/** An error as S3 sends it. */
export const s3Error = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

export type TestBucket = Awaited<ReturnType<typeof startBucket>>

/** One server for the tests of a file. `begun` gets it before each, with a place of the test's own. */
export function bucketForEach(begun: (bucket: TestBucket, place: string) => void): void {
  let bucket: TestBucket
  let serial = 0
  beforeAll(async () => {
    bucket = await startBucket()
  })
  afterAll(() => bucket[Symbol.asyncDispose]())
  beforeEach(() => {
    bucket.failWith(null)
    begun(bucket, `s3://copies/${++serial}/`)
  })
}
