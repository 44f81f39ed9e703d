import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { download, listBackups, refuseFuture, upload } from '../../../src/backups/backups.ts'
import type { Bucket } from '../../../src/backups/bucket.ts'
import { bucketAddressOf } from '../../../src/domain/backups.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { NO_IDENTITY } from '../../../src/store/sqlite/backup/backup.ts'
import { proxyTo } from '../../support/postgres/proxy.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { scratch } from '../../support/scratch.ts'
import { bucketAt, s3Error, startBucket } from '../../support/servers/bucket.ts'
import { killProcess } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

const ABOUT = { databaseId: null, schema: 1, contents: {} }
/** A copy of anything else is not read back. */
const likeDatabase = (bytes: number) => Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(bytes)])
const NEVER = new Promise<Response>(() => {})

let server: Awaited<ReturnType<typeof startBucket>>
const directory = scratch()
const small = join(directory.path, 'small')
/** Nothing makes it shorter, so it is sent in two parts. */
const large = join(directory.path, 'large')
beforeAll(async () => {
  server = await startBucket()
  writeFileSync(small, likeDatabase(100_000))
  writeFileSync(large, likeDatabase(17 * 2 ** 20))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})
beforeEach(() => server.failWith(null))

let serial = 0
const newPlace = () => bucketAddressOf(`s3://copies/faults-${++serial}/`)
const hashOf = async (file: string) => Bun.SHA256.hash(await Bun.file(file).bytes(), 'hex')

/**
 * Copies a file where something goes wrong, until it is mended. Says whether the copy was reported as good; every one
 * that is there afterwards has to be the file.
 */
async function isCopied(file: string, bucket: Bucket, mend: () => void = () => {}): Promise<boolean> {
  const place = newPlace()
  const isReported = await upload({ bucket, place }, file, ABOUT, Date.now()).then(
    () => true,
    (error) => {
      expect(error).toBeInstanceOf(Refusal)
      return false
    },
  )
  mend()
  const sound = bucketAt(server.env.S3_ENDPOINT)
  const copies = await listBackups({ bucket: sound, place })
  if (isReported) expect(copies).toHaveLength(1)
  for (const { name } of copies) {
    const received = join(directory.path, 'received')
    await download({ bucket: sound, place: { ...place, name } }, NO_IDENTITY, received)
    expect(await hashOf(received)).toBe(await hashOf(file))
  }
  return isReported
}

/** How many requests a copy of the file takes. */
async function requestsOf(file: string): Promise<number> {
  const before = server.requests.length
  await upload({ bucket: bucketAt(server.env.S3_ENDPOINT), place: newPlace() }, file, ABOUT, Date.now())
  return server.requests.length - before
}

describe('a copy is good or is not there', () => {
  test.each([
    ['expired credentials', () => s3Error(400, 'ExpiredToken')],
    ['a success that is none', () => new Response('', { headers: { etag: '"0"' } })],
  ])('whichever request is the first to meet %s', async (_, answer) => {
    const count = await requestsOf(small)
    expect(count).toBeGreaterThan(3)
    for (const isForGood of [true, false])
      for (let first = 0; first < count; first++) {
        let seen = 0
        server.failWith((_, forward) => {
          const at = seen++
          return at === first || (isForGood && at > first) ? answer() : forward()
        })
        const isReported = await isCopied(small, bucketAt(server.env.S3_ENDPOINT), () =>
          server.failWith(null),
        )
        if (isForGood) expect(isReported).toBe(false)
      }
  })

  test('although the last step of an upload in parts is answered with a success, and fails', async () => {
    server.failWith(({ method, url }, forward) =>
      method === 'POST' && url.includes('uploadId=') ? s3Error(200, 'InternalError') : forward(),
    )
    expect(await isCopied(large, bucketAt(server.env.S3_ENDPOINT), () => server.failWith(null))).toBe(false)
  })

  test('wherever the connection is cut on the way up', async () => {
    let passed = 0
    let most = Number.POSITIVE_INFINITY
    using passage = await proxyTo(server.env.S3_ENDPOINT, (near, far) => (from, chunk) => {
      if (from === near) passed += chunk.length
      if (passed <= most) return true
      near.destroy()
      far.destroy()
      return false
    })
    const endpoint = new URL(passage.address).origin
    expect(await isCopied(small, bucketAt(endpoint))).toBe(true)
    const total = passed
    for (let part = 0; part < 3; part++) {
      passed = 0
      most = Math.floor((total * part) / 3)
      const isReported = await isCopied(small, bucketAt(endpoint), () => {
        most = Number.POSITIVE_INFINITY
      })
      expect(isReported).toBe(false)
    }
  })

  test('whichever request is never answered', async () => {
    const count = await requestsOf(small)
    for (let first = 0; first < count; first++) {
      let seen = 0
      server.failWith((_, forward) => (seen++ < first ? forward() : NEVER))
      const bucket = bucketAt(server.env.S3_ENDPOINT, 300)
      expect(await isCopied(small, bucket, () => server.failWith(null))).toBe(false)
    }
  })

  test('although the program is killed during the upload', async () => {
    await using box = new Sandbox()
    await box.json('demo')
    const place = 's3://copies/killed/'
    let isSending = false
    server.failWith(({ method }, forward) => {
      if (method === 'GET') return forward()
      isSending = true
      return NEVER
    })
    const child = box.start(['backup', place], server.env)
    await until(() => isSending)
    await killProcess(child)
    server.failWith(null)
    const list = async () =>
      JSON.parse((await box.run(['backup', 'list', place, '--json'], server.env)).stdout)
    expect(await list()).toEqual([])
    expect((await box.run(['backup', place], server.env)).status).toBe(0)
    expect(await list()).toHaveLength(1)
  })
})

test('where a wrong clock has left a copy of the future, none is made that would not be restored', async () => {
  const bucket = bucketAt(server.env.S3_ENDPOINT)
  const place = newPlace()
  const now = Date.now()
  await upload({ bucket, place }, small, ABOUT, now + 3_600_000)
  expect(refuseFuture({ bucket, place }, null, now)).rejects.toThrow(
    'The clock of this machine is wrong, or was',
  )
  expect(await refuseFuture({ bucket, place }, null, now + 3_000_000)).toBeUndefined()
})
