import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { noting, openHandler } from '../../../support/servers/handler.ts'
import { publicPath } from '../../../support/servers/server.ts'

const ENCODINGS = ['zstd', 'br', 'gzip', 'identity']

describe('a response in several encodings', () => {
  let reads = 0
  const server = openHandler(
    {},
    noting(['readChangelog', 'readOverview'], () => reads++),
  )
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  server.seed.db.transaction(() => {
    for (let at = 0; at < 300; at++)
      server.seed.version(changelogId, `1.${at}`, {
        changes: [{ type: 'added', title: `Ein “${at}” ${'lang '.repeat(20)}` }],
      })
  })()
  afterAll(() => server[Symbol.dispose]())
  beforeEach(() => {
    server.seed.db.run('UPDATE version SET created_at = created_at + 1')
    reads = 0
  })

  const get = async (path: string, encoding: string) => {
    const response = await server.get(path, { 'accept-encoding': encoding })
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    return response
  }
  const decoders: Record<string, (body: Uint8Array<ArrayBuffer>) => Uint8Array> = {
    zstd: Bun.zstdDecompressSync,
    br: (body) => require('node:zlib').brotliDecompressSync(body),
    gzip: Bun.gunzipSync,
    identity: (body) => body,
  }
  const fieldsOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'ratelimit')
  const textOf = async (response: Response, encoding: string) =>
    new TextDecoder().decode(decoders[encoding]?.(new Uint8Array(await response.arrayBuffer())))

  const paths = [
    publicPath('acme', 'app'),
    '/changelog/acme/app',
    publicPath('acme', 'app', '?include=changes'),
  ]

  test.each(paths)(
    '%s is read and made once, whether they are asked for together or one after another',
    async (path) => {
      const together = await Promise.all(ENCODINGS.map((encoding) => get(path, encoding)))
      const once = reads
      expect(once).toBeGreaterThan(0)
      const texts = await Promise.all(
        together.map((response, at) => textOf(response, ENCODINGS[at] as string)),
      )
      expect(new Set(texts).size).toBe(1)

      server.seed.db.run('UPDATE version SET created_at = created_at + 1')
      reads = 0
      for (const [at, encoding] of ENCODINGS.entries()) {
        const response = await get(path, encoding)
        expect(fieldsOf(response)).toEqual(fieldsOf(together[at] as Response))
        expect(await textOf(response, encoding)).toBe(texts[0] as string)
      }
      expect(reads).toBe(once)
    },
  )

  test('is made anew in each of them once the data has changed', async () => {
    const [path = ''] = paths
    const before = await textOf(await get(path, 'gzip'), 'gzip')
    server.seed.version(changelogId, '2.0')
    const after = await textOf(await get(path, 'br'), 'br')
    expect([before.includes('"2.0"'), after.includes('"2.0"')]).toEqual([false, true])
  })

  test('is not kept if the data changes while it is encoded again', async () => {
    const [path = ''] = paths
    for (let turns = 0; turns < 200; turns += 5) {
      server.seed.db.run('UPDATE version SET created_at = created_at + 1')
      await get(path, 'br')
      const asked = get(path, 'gzip')
      for (let at = 0; at < turns; at++) await null
      server.seed.version(changelogId, `3.${turns}`)
      await asked
      expect(await textOf(await get(path, 'gzip'), 'gzip')).toContain(`"3.${turns}"`)
    }
  })
})
