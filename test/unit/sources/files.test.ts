import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { check } from '../../../src/sources/check.ts'
import { scratch } from '../../support/scratch.ts'
import { givenOf, labels, sourceOf } from '../../support/source.ts'

const TEXT = '# Changelog\n\n## 1.1.0 - 2026-02-03\n\n- More\n\n## 1.0.0 - 2026-01-02\n\n- First\n'
const fixture = (name: string) => readFileSync(join(import.meta.dir, '../../fixtures', name), 'utf8')

describe('a file at an address', () => {
  let answer: (request: Request) => Response
  let server: Bun.Server<undefined>
  let requests: Request[]
  beforeEach(() => {
    requests = []
    const fetch = (request: Request) => {
      requests.push(request)
      return answer(request)
    }
    server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
  })
  afterEach(() => server.stop(true))
  const at = (path: string) => sourceOf(`http://127.0.0.1:${server.port}${path}`)

  test.each([
    ['/CHANGELOG.md', () => TEXT, '1.1.0'],
    [
      '/docs/changes.rst',
      () => 'Changes\n=======\n\n1.1.0 (2026-02-03)\n------------------\n\n- More\n',
      '1.1.0',
    ],
    ['/releases.json', () => fixture('github.json'), null],
    ['/releases.json?per_page=100', () => fixture('gitlab.json'), null],
    ['/Changes', () => 'Revision history for App\n\n1.02 2026-01-02\n    - Fixed\n', '1.02'],
    [
      '/changelog',
      () =>
        'hello (2.10-3) unstable; urgency=medium\n\n  * More.\n\n -- Ada <a@b.c>  Fri, 02 Jan 2026 03:04:05 +0000\n',
      '2.10-3',
    ],
  ])('is read in any format of import: %s', async (path, text, first) => {
    answer = () => new Response(text())
    const found = labels(await check(at(path), {}, givenOf()))
    if (first === null) expect(found.length).toBeGreaterThan(0)
    else expect(found[0]).toBe(first)
  })

  test('is asked for by its ETag, else by the time of its last change, and else compared', async () => {
    for (const [header, value, condition] of [
      ['etag', '"abc"', 'if-none-match'],
      ['last-modified', 'Mon, 16 Nov 2026 12:00:00 GMT', 'if-modified-since'],
    ] as const) {
      answer = ({ headers }) =>
        headers.get(condition) === value
          ? new Response(null, { status: 304 })
          : new Response(TEXT, { headers: { [header]: value } })
      const source = at('/CHANGELOG.md')
      const { memory } = await check(source, {}, givenOf())
      expect((await check(source, memory, givenOf())).state).toBe('unchanged')
      expect(requests.at(-1)?.headers.get(condition)).toBe(value)
      expect((await check(source, memory, givenOf({ full: true }))).state).toBe('fetched')
    }
    answer = () => new Response(TEXT)
    const { memory } = await check(at('/CHANGELOG.md'), {}, givenOf())
    expect((await check(at('/CHANGELOG.md'), memory, givenOf())).state).toBe('unchanged')
  })

  test('fails if it is said to be unchanged although nobody asked for that', async () => {
    answer = () => new Response(TEXT)
    const { memory } = await check(at('/CHANGELOG.md'), {}, givenOf())
    answer = () => new Response(null, { status: 304 })
    for (const known of [{}, memory])
      expect(labels(await check(at('/CHANGELOG.md'), known, givenOf()))).toMatch(
        /^failed: 127\.0\.0\.1:\d+ returned status 304 to an unconditional request\.$/,
      )
  })

  test.each<[string, () => Response, string]>([
    ['is gone', () => new Response('no', { status: 404 }), 'There is no file at'],
    ['is empty', () => new Response(' \n'), 'is empty'],
    ['has become a web page', () => new Response('<!-- x -->\n<!DOCTYPE HTML>\n<title>Hi'), 'is a web page'],
    ['has no version', () => new Response('# Hello\n\nNothing here.\n'), 'no version found'],
    ['is not text', () => new Response(new Uint8Array([0x1f, 0x8b, 0xff])), 'is not UTF-8'],
    [
      'is larger than 20 MB',
      () => new Response(new Uint8Array(21 * 1024 * 1024)),
      'larger than 20,971,520 bytes',
    ],
    [
      'has more than 20,000 versions',
      () => new Response(Array.from({ length: 20_001 }, (_, at) => `## 1.0.${at}\n\n- One\n\n`).join('')),
      'CHANGELOG.md: more than 20,000 versions.',
    ],
  ])('that %s fails and changes nothing', async (_, fault, words) => {
    answer = () => new Response(TEXT)
    const { memory } = await check(at('/CHANGELOG.md'), {}, givenOf())
    answer = fault
    const checked = await check(at('/CHANGELOG.md'), memory, givenOf())
    expect(checked).toMatchObject({ state: 'failed', memory })
    expect(labels(checked)).toContain(words)
  })

  test('without a length that ends with the connection is taken only if it comes twice alike', async () => {
    const bodies = [TEXT, TEXT.slice(0, 40), TEXT, TEXT]
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${bodies.shift()}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const source = sourceOf(`http://127.0.0.1:${port}/CHANGELOG.md`)
    expect(labels(await check(source, {}, givenOf()))).toMatch(/^failed: .* may be incomplete\.$/)
    expect(labels(await check(source, {}, givenOf()))).toEqual(['1.1.0', '1.0.0'])
    server.close()
  })

  test('that is an export of changelogd is refused by name', async () => {
    answer = () => new Response(fixture('everything-0.1.0.json'))
    expect(labels(await check(at('/everything.json'), {}, givenOf()))).toContain('cannot be followed')
  })

  test('is not asked for at a private address unless that is allowed', async () => {
    answer = () => new Response(TEXT)
    const checked = await check(at('/CHANGELOG.md'), {}, givenOf({ allowPrivate: false }))
    expect(checked).toMatchObject({
      state: 'failed',
      remedy: 'To allow private addresses, set FOLLOW_PRIVATE=true.',
    })
    expect(requests).toEqual([])
  })

  test('of a server that is no host is told by its content', async () => {
    answer = ({ url }) =>
      url.endsWith('/notes') ? new Response(TEXT) : new Response('<html>Not here', { status: 404 })
    expect(labels(await check(at('/notes'), {}, givenOf()))).toEqual(['1.1.0', '1.0.0'])
  })

  test('stops with the reason of the signal', async () => {
    const controller = new AbortController()
    answer = () => {
      controller.abort('stopping')
      return new Response(TEXT)
    }
    const given = givenOf({ signal: controller.signal })
    await expect(check(at('/CHANGELOG.md'), {}, given)).rejects.toBe('stopping')
  })
})

describe('a file of this machine', () => {
  test('is read again when it changes, is replaced or is asked for', async () => {
    using place = scratch()
    const path = join(place.path, 'CHANGELOG.md')
    const source = sourceOf(path)
    writeFileSync(path, TEXT)
    let { state, memory } = await check(source, {}, givenOf())
    expect(state).toBe('fetched')
    expect((await check(source, memory, givenOf())).state).toBe('unchanged')
    utimesSync(path, 1, 1)
    ;({ state, memory } = await check(source, memory, givenOf()))
    expect(state).toBe('unchanged')
    writeFileSync(`${path}.new`, TEXT.replace('More', 'Less'))
    utimesSync(`${path}.new`, 1, 1)
    renameSync(`${path}.new`, path)
    ;({ state, memory } = await check(source, memory, givenOf()))
    expect(state).toBe('fetched')
    expect((await check(source, memory, givenOf({ full: true }))).state).toBe('fetched')
  })

  test('fails if it is missing, a directory without a repository, another thing, or cannot be read', async () => {
    using place = scratch()
    const path = join(place.path, 'CHANGELOG.md')
    expect(labels(await check(sourceOf(path), {}, givenOf()))).toBe(`failed: There is no file ${path}.`)
    mkdirSync(path)
    expect(labels(await check(sourceOf(path), {}, givenOf()))).toStartWith('failed: ')
    rmSync(path, { recursive: true })
    Bun.spawnSync(['mkfifo', path])
    expect(labels(await check(sourceOf(path), {}, givenOf()))).toBe(`failed: ${path} is a FIFO, not a file.`)
    expect(labels(await check(sourceOf('/proc/self/mem'), {}, givenOf()))).toStartWith(
      'failed: Cannot read /proc/self/mem',
    )
  })
})

test('a file of the database is not read: closing it would end the locks of this process', async () => {
  using place = scratch()
  const database = join(place.path, 'x.db')
  for (const path of [database, `${database}-wal`, `${database}-worker`]) {
    writeFileSync(path, TEXT)
    expect(await check(sourceOf(path), {}, givenOf({ database }))).toMatchObject({
      state: 'failed',
      reason: `${path} belongs to the database.`,
    })
  }
})
