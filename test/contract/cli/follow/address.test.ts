import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'
import { PlayedHost } from '../../../support/servers/played-host.ts'

/** As one line, however it was wrapped. */
const words = (text: string) => text.replace(/\s+/g, ' ')

/** Where nobody is asked beyond this machine. */
const UNSEEN = '--no-check'

describe('an address', () => {
  const box = new Sandbox()
  let before: Record<string, unknown>
  beforeAll(async () => {
    writeFileSync(box.at('plain.md'), '## [1.0.0] - 2026-01-01\n\n### Added\n\n- A thing\n')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
  })
  beforeEach(async () => {
    await box.json('follow', 'acme/app', 'plain.md')
    before = await box.json('follow', 'show', 'acme/app')
  })
  afterAll(() => box.close())

  test.each([
    [['acme/app'], { url: 'https://github.com/acme/app', kind: 'auto' }],
    [
      ['https://github.com/acme/app/releases/tag/v1.0'],
      { url: 'https://github.com/acme/app', kind: 'releases' },
    ],
    [
      ['https://github.com/acme/app/releases', '--tags'],
      { url: 'https://github.com/acme/app', kind: 'tags' },
    ],
    [
      ['https://github.com/acme/app/blob/main/docs/my%20news.md?plain=1#L3'],
      { url: 'https://github.com/acme/app', kind: 'file', ref: 'main', file: 'docs/my news.md' },
    ],
    [['https://github.com/acme/app/blob/main/100%.md'], { kind: 'file', file: '100%.md' }],
  ])('may be what a browser shows of GitHub: %p', async (args, expected) => {
    await box.json('follow', 'acme/app', ...args, UNSEEN)
    expect(await box.json('follow', 'show', 'acme/app')).toMatchObject(expected)
  })

  test('is asked before it is saved: only a clear no is refused, and with --no-check nobody is asked', async () => {
    const host = new PlayedHost('github')
    host.releases = [{ tag: 'v9.0', body: '- Ninth' }]
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: host.handler, development: false })
    const origin = `http://127.0.0.1:${server.port}`
    const follow = (repository: string, ...more: string[]) => {
      const options = ['--host-kind', 'github', '--follow-private', ...more]
      return box.run(['follow', 'acme/app', `${origin}/acme/${repository}`, ...options])
    }
    const missing = await follow('missing')
    expect([missing.status, words(missing.stderr)]).toEqual([
      1,
      expect.stringContaining('shows no repository acme/missing.'),
    ])
    writeFileSync(box.at('token'), 'wrong')
    host.token = 'right'
    const wrong = await follow('app', '--token-file', 'token')
    expect([wrong.status, words(wrong.stderr)]).toEqual([
      1,
      expect.stringContaining('refused the token: expired or wrong.'),
    ])
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
    host.taken()
    expect((await follow('missing', '--no-check')).status).toBe(0)
    expect(host.taken()).toEqual([])
    host.token = null
    for (const [fault, why] of [
      [() => new Response('', { status: 500 }), 'answered with status 500'],
      [() => new Response('', { status: 429 }), 'wants no more requests for now.'],
    ] as const) {
      host.fault = fault
      const { status, stderr } = await follow('app')
      expect([status, words(stderr)]).toEqual([0, expect.stringContaining(why)])
    }
    host.fault = null
    const { status, stderr } = await follow('app')
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('could not be read')])
    const [, command = ''] = /To import it now: (.*)/.exec(stderr) ?? []
    expect((await box.paste(command)).stdout).toContain('1 added')
  })

  test('with a secret in an export is not repeated, of a source, a repository or a hook', async () => {
    await box.json('follow', 'acme/app', 'https://source.example', UNSEEN)
    await box.json('product', 'update', 'acme/app', '--repository', 'https://repository.example/acme/app')
    await box.run(['hook', 'add', 'acme', 'https://hook.example'], { PUBLIC_URL: 'https://news.acme.test' })
    const { stdout: good } = await box.run(['export', '--all'])
    for (const of of ['source', 'repository', 'hook']) {
      const bad = good.replace(`https://${of}.example`, `https://ada:hunter2@${of}.example`)
      expect(bad).not.toBe(good)
      writeFileSync(box.at('all.jsonl'), bad)
      const { status, stdout, stderr } = await box.run(['import', '--all', 'all.jsonl', '--json'])
      expect([status, stderr]).toEqual([1, expect.stringMatching(/all\.jsonl: line \d: .* must be /)])
      expect(stdout + stderr).not.toContain('hunter2')
    }
  })

  test.each([
    ['url: https://example.org/x, tokenFile: nope.txt', 'nope.txt does not exist'],
    ['url: http://127.0.0.1:3000/acme/app', 'FOLLOW_PRIVATE=true'],
    ['url: .', 'is a directory, and no git repository'],
  ])('%s in a file of apply is refused as by follow, with its place', async (follow, why) => {
    writeFileSync(box.at('file.yml'), `teams:\n  acme:\n    products:\n      app: {follow: {${follow}}}\n`)
    const { status, stderr } = await box.run(['apply', 'file.yml'])
    expect([status, words(stderr)]).toEqual([1, expect.stringContaining('file.yml:4:7: ')])
    expect(words(stderr)).toContain(why)
    expect(await box.json('follow', 'show', 'acme/app')).toEqual(before)
  })

  test('may be private, and plain http, with FOLLOW_PRIVATE', async () => {
    const url = 'http://10.0.0.1/acme/app'
    expect((await box.run(['follow', 'acme/app', url, UNSEEN], { FOLLOW_PRIVATE: 'true' })).status).toBe(0)
    expect(await box.json('follow', 'acme/app', url, '--follow-private', UNSEEN)).toMatchObject({ url })
    expect((await box.run(['follow', 'acme/app', 'http://8.8.8.8/x', '--follow-private'])).status).toBe(1)
  })
})
