import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Checked, check } from '../../../src/sources/check.ts'
import { isTaken, TOO_MANY, takeAll } from '../../../src/transfer/pictures/take.ts'
import { addressesOf } from '../../../src/worker/following/pictures.ts'
import { describeNeeding } from '../../support/needs.ts'
import { png } from '../../support/pictures.ts'
import { scratch } from '../../support/scratch.ts'
import { type Far, far } from '../../support/servers/far.ts'
import { type GitRemote, gitRemoteForEach, hasGitRemote } from '../../support/servers/git-remote.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'
import { givenOf, sourceOf } from '../../support/source.ts'

const SHOT = png(40, 30)
const text = (...addresses: string[]) =>
  `# Changelog\n\n## 1.0.0 - 2026-01-02\n\n${addresses.map((address) => `- ![A](${address})\n`).join('')}`

/** How many pictures can be had where a source has them, and what is said of others. */
async function foundIn(checked: Checked) {
  if (checked.state !== 'fetched') throw new Error('reason' in checked ? checked.reason : checked.state)
  const { input, place } = checked
  if (!place) return { taken: 0, said: [] }
  const takings = await takeAll(place, addressesOf(input.parsed.versions, place))
  const failed = [...takings].filter(([, result]) => typeof result === 'string' && result !== TOO_MANY)
  return {
    taken: takings.values().filter(isTaken).toArray().length,
    said: failed.map((each) => each.join(' ')),
  }
}

describeNeeding('openssl', Bun.which('openssl') !== null, 'a file with pictures beside it', () => {
  let net: Far
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())
  const given = () => givenOf({ network: net.network })

  describe.each(['github', 'gitlab', 'forgejo'] as const)('at %s', (kind) => {
    let host: PlayedHost
    let origin: string
    beforeEach(() => {
      host = new PlayedHost(kind)
      origin = net.https(`${kind}.test`, host.handler)
      host.files.set('main:docs/CHANGELOG.md', text('../img/a%20b.png', 'no.png', '../../up.png'))
      host.files.set('next:docs/CHANGELOG.md', text('../img/a%20b.png'))
    })
    const picture = ({ url }: Request) => /img(?:\/|%2F)a%20b\.png/.test(url)
    const source = (fields = {}) =>
      sourceOf(`${origin}/acme/app`, { hostKind: kind, kind: 'file', file: 'docs/CHANGELOG.md', ...fields })

    test('gives them by its API, from the same branch', async () => {
      const asked: string[] = []
      host.fault = (request) => {
        asked.push(request.url)
        return picture(request)
          ? new Response(SHOT, { headers: { 'content-length': `${SHOT.length}` } })
          : null
      }
      const { taken, said } = await foundIn(await check(source(), {}, given()))
      expect(taken).toBe(1)
      expect(said).toEqual([
        'no.png does not exist',
        '../../up.png is outside the repository or folder of the text',
      ])
      asked.length = 0
      expect((await foundIn(await check(source({ ref: 'next' }), {}, given()))).taken).toBe(1)
      expect(asked.every((url) => url.includes('ref=next'))).toBe(true)
      asked.length = 0
      const without = await foundIn(await check(source({ pictures: false }), {}, given()))
      expect(without).toEqual({ taken: 0, said: [] })
      expect(asked).toHaveLength(1)
    })

    test('does not have what is too large, elsewhere or behind an outage of its host, and reads the text', async () => {
      const away = net.https(`away-${kind}.test`, () => new Response(SHOT))
      for (const [answer, reason] of [
        [() => new Response(Buffer.alloc(10_000_001)), 'has more than 10 MB'],
        [() => Response.redirect(`${away}/a.png`), 'is redirected elsewhere'],
        [() => new Response('no', { status: 403 }), 'does not exist'],
        [
          () => new Response('down', { status: 502 }),
          `cannot be read: ${kind}.test:PORT returned status 502`,
        ],
        [
          () => new Response('<!doctype html>'),
          'is no picture of a kind that is taken: PNG, JPEG, WebP or GIF',
        ],
      ] as const) {
        host.fault = (request) => (picture(request) ? answer() : null)
        const { taken, said } = await foundIn(await check(source({ ref: 'next' }), {}, given()))
        expect([taken, said]).toEqual([
          0,
          [`../img/a%20b.png ${reason.replace('PORT', new URL(origin).port)}`],
        ])
      }
    })
  })

  test('at an address gives those of its folder, with no parameters and no token for others', async () => {
    const requests: string[] = []
    const origin = net.https('files.test', ({ url }) => {
      requests.push(new URL(url).pathname + new URL(url).search)
      if (url.endsWith('.md?v=1'))
        return new Response(text('img/a.png?raw=1#x', '../b.png', '//files.test/c.png'))
      return new Response(SHOT)
    })
    const { taken, said } = await foundIn(await check(sourceOf(`${origin}/x/CHANGELOG.md?v=1`), {}, given()))
    expect(requests).toEqual(['/x/CHANGELOG.md?v=1', '/x/img/a.png'])
    expect([taken, said]).toEqual([1, ['../b.png is outside the repository or folder of the text']])
  })
})

describeNeeding('openssl', Bun.which('openssl') !== null, 'a file in a folder of its host', () => {
  let net: Far
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())

  test('asks for nothing outside it, whatever its addresses and redirects say, and sends its token nowhere else', async () => {
    const asked: string[] = []
    let file = ''
    const note = (request: Request) => {
      const { host, pathname } = new URL(request.url)
      if (!pathname.endsWith('.md')) asked.push(`${host.split(':')[0]} ${pathname}`)
      return pathname
    }
    const away = net.https('away.test', (request) => {
      note(request)
      return new Response(SHOT)
    })
    const origin = net.https('folder.test', (request) => {
      const to = {
        '/x/in.png': '/x/ok.png',
        '/x/out.png': '/private/s.png',
        '/x/far.png': `${away}/x/a.png`,
      }[note(request)]
      if (request.url.endsWith('.md')) return new Response(file)
      return to === undefined ? new Response(SHOT) : Response.redirect(new URL(to, request.url).href)
    })
    const far = new URL(away).host
    const hostile = [
      ...[`%2F%2F${far}/x.png`, '%2Fprivate%2Fs.png', '%2F%2Fu:p@h/x.png', '%2e%2e/private/s.png'],
      ...[
        'a%2F..%2F..%2Fprivate/s.png',
        '%5C%5Ch/x.png',
        '/%2F/s.png',
        '%252e%252e%252fs.png',
        '..%00/x.png',
      ],
      ...[`https%3A%2F%2F${far}/x.png`, 'a%3Ab.png', '%', 'out.png', 'far.png', 'in.png'],
    ]
    file = text(...hostile)
    const token = scratch()
    writeFileSync(join(token.path, 'token'), 'secret')
    const source = sourceOf(`${origin}/x/CHANGELOG.md`, { tokenFile: join(token.path, 'token') })
    const { said } = await foundIn(await check(source, {}, givenOf({ network: net.network })))
    expect(asked.filter((each) => !each.startsWith('folder.test /x/'))).toEqual([])
    expect(asked).toContain('folder.test /x/ok.png')
    expect(said.filter((each) => each.includes('redirected'))).toEqual([
      'out.png is redirected elsewhere',
      'far.png is redirected elsewhere',
    ])
    token[Symbol.dispose]()
  })

  test('of a renamed repository gives pictures from where its host redirects', async () => {
    const host = new PlayedHost('github')
    const origin = net.https('renamed.test', host.handler)
    host.moved = 301
    host.files.set('main:CHANGELOG.md', text('a.png'))
    host.fault = ({ url }) => (url.includes('a.png') ? new Response(SHOT) : null)
    const source = sourceOf(`${origin}/acme/app`, { hostKind: 'github', kind: 'file', file: 'CHANGELOG.md' })
    expect((await foundIn(await check(source, {}, givenOf({ network: net.network })))).taken).toBe(1)
  })
})

describeNeeding('git or openssl', hasGitRemote, 'a git remote with pictures', () => {
  let { repository } = {} as GitRemote
  const { source, ask } = gitRemoteForEach((remote) => {
    ;({ repository } = remote)
  })

  test('gives those of the repository from its mirror, and no link', async () => {
    mkdirSync(join(repository.work, 'docs'), { recursive: true })
    symlinkSync('../img/a.png', join(repository.work, 'docs/link.png'))
    repository.commit({
      'docs/CHANGELOG.md': text(
        '../img/a.png',
        'link.png',
        'no.png',
        'x%0AHEAD.png',
        '../img',
        '../../etc.png',
      ),
      'img/a.png': SHOT,
    })
    const what = source({ kind: 'file', file: 'docs/CHANGELOG.md' })
    const first = await ask(what)
    const { taken, said } = await foundIn(first)
    expect([taken, said]).toEqual([
      1,
      [
        'link.png is no picture of a kind that is taken: PNG, JPEG, WebP or GIF',
        'no.png does not exist',
        '../img does not exist',
        '../../etc.png is outside the repository or folder of the text',
      ],
    ])
    expect((await ask(what, first.memory)).state).toBe('unchanged')
    expect((await foundIn(await ask({ ...what, pictures: false }))).taken).toBe(0)
  })

  test('leaves out a file that is larger than a picture may be, however well it is compressed', async () => {
    repository.commit({
      'CHANGELOG.md': text('a.png', 'b.png'),
      'a.png': Buffer.alloc(64_000_000),
      'b.png': SHOT,
    })
    const { taken, said } = await foundIn(await ask(source({ kind: 'file' })))
    expect([taken, said]).toEqual([1, ['a.png has more than 10 MB']])
  })
})
