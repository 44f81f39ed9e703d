import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { png } from '../../../support/pictures.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { listening } from '../../../support/servers/process.ts'
import { GATED } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

describe('preview', () => {
  const box = new Sandbox()

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    await box.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published', '--date', '2026-01-02')
    const text = ['--title', 'Second *release*', '--description', 'Now with `code`.']
    await box.json('version', 'create', 'acme/app', '2.0.0', ...text)
    const add = ['change', 'add', 'acme/app', '2.0.0']
    await box.json(...add, '--type', 'added', 'Search in **all** documents')
    await box.json(...add, '--type', 'fixed', 'A bug', '--description', 'It was\n\n    deep.')
    await box.json(...add, '--type', 'added', 'Dark mode')
  })
  afterAll(() => box.close())

  const web = async (args: readonly string[] = [], env: Record<string, string> = {}) => {
    const child = box.start(['preview', 'acme/app', ...args, '--web'], env)
    return { child, url: await listening(child) }
  }
  /** Opens the address, as a browser does: the cookie it gets, and where the page is. */
  const opened = async (url: string) => {
    const first = await fetch(url, { redirect: 'manual' })
    const cookie = first.headers.get('set-cookie')?.split('; ')[0] ?? ''
    return { cookie, page: new URL(first.headers.get('location') ?? '', url) }
  }

  test('a pipe gets plain text: heading, state, description and the changes by type', async () => {
    expect((await box.words('preview acme/app')).stdout).toBe(`2.0.0 Second release
--------------------

draft

Now with code.

Added
  * Search in all documents
  * Dark mode

Fixed
  * A bug

    It was

    +-
    | deep.
    +-
`)
    expect((await box.words('preview acme/app 1.0.0')).stdout).toBe('1.0.0\n-----\n\n2026-01-02\n')
    await box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', '2099-12-01T09:00Z')
    expect((await box.words('preview acme/app')).stdout).toContain('\n2099-12-01, scheduled\n')
    await box.json('version', 'unschedule', 'acme/app', '2.0.0')
  })

  test('a terminal gets colours and its own width, but no colours with NO_COLOR', async () => {
    const shown = (env: Record<string, string>) => box.onTerminal(['preview', 'acme/app'], env, 20)
    const coloured = await shown({})
    expect(coloured).toContain('\x1b[1m')
    expect(Bun.stripANSI(coloured)).toMatch(/Search in all\s+documents/)
    expect(Bun.stripANSI(coloured)).not.toContain('Search in all documents')
    expect(await shown({ NO_COLOR: '1' })).not.toContain('\x1b[')
  })

  test('what an author wrote cannot control the terminal', async () => {
    const evil = '\x1b]0;title\x07 &#27;[31m \x9b31m \u202e end'
    await box.json('version', 'create', 'acme/app', '3.0.0', '--title', evil, '--description', evil)
    await box.json('change', 'add', 'acme/app', '3.0.0', '--type', 'added', evil, '--description', evil)
    const { stdout } = await box.words('preview acme/app 3.0.0')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    expect(stdout).toContain('end')
    await box.json('version', 'delete', 'acme/app', '3.0.0', '--yes')
  })

  test('without a version: the unreleased draft, else the newest draft, else the newest version', async () => {
    const version = async () => (await box.json<{ version: string }>('preview', 'acme/app')).version
    expect(await version()).toBe('2.0.0')
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--date', '2020-01-01')
    expect(await version()).toBe('Unreleased')
    await box.json('version', 'delete', 'acme/app', 'Unreleased', '--yes')
    await box.json('product', 'create', 'acme/bare', '--name', 'Bare')
    expect(await box.refusal('preview', 'acme/bare')).toContain('changelogd edit acme/bare')
  })

  test('--web shows the page with its drafts to the browser that opens the address first, and to no other', async () => {
    const { child, url } = await web(['2.0.0'])
    const { origin } = new URL(url)
    const page = `${origin}/changelog/acme/app/2.0.0`
    expect(new URL(url).hostname).toBe('127.0.0.1')
    for (const other of [page, `${origin}/`, `${origin}/preview/x`, `${url}x`]) {
      const response = await fetch(other, { headers: { cookie: 'changelogd-preview=x' } })
      expect([other, response.status]).toEqual([other, 403])
      expect(await response.text()).not.toContain('Search')
    }

    const first = await fetch(url, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([303, '/changelog/acme/app/2.0.0'])
    const [cookie = '', ...rules] = first.headers.get('set-cookie')?.split('; ') ?? []
    expect(cookie).toMatch(/^changelogd-preview-[\w-]{32}=[\w-]{32}$/)
    expect(rules).toEqual(['Path=/changelog/acme', 'HttpOnly', 'SameSite=Strict'])
    const shown = await fetch(page, { headers: { cookie } })
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await shown.text()).toContain('Search in <strong>all</strong> documents')
    const all = await fetch(`${origin}/changelog/acme/app`, { headers: { cookie } })
    expect(await all.text()).toContain('Second <em>release</em>')

    expect((await fetch(url, { redirect: 'manual' })).status).toBe(403)
    expect((await fetch(page)).status).toBe(403)
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
  })

  test('--web shows what is written meanwhile, and changes nothing that the public sees', async () => {
    const { child, url } = await web()
    const { cookie, page } = await opened(url)
    const text = async () => (await fetch(page, { headers: { cookie } })).text()
    expect(await text()).not.toContain('Meanwhile')
    await box.json('change', 'add', 'acme/app', '2.0.0', '--type', 'added', 'Meanwhile')
    await until(async () => (await text()).includes('Meanwhile'))
    expect((await box.seenByApi('/public/teams/acme/products/app/changelog')).status).toBe(404)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('--web shows pictures of drafts to its browser alone, also with a public address', async () => {
    writeFileSync(box.at('shot.png'), png(40, 30))
    const { markdown } = await box.json<{ markdown: string }>('picture', 'add', 'acme/app', 'shot.png')
    await box.json('version', 'create', 'acme/app', '3.0.0', '--description', markdown)
    const { child, url } = await web(['3.0.0'], { PUBLIC_URL: 'https://changes.example' })
    const { cookie, page } = await opened(url)
    const shown = await (await fetch(page, { headers: { cookie } })).text()
    const [, source = ''] = /<img[^>]* src="([^"]*\/pictures\/[^"]*)"/.exec(shown) ?? []
    const picture = new URL(source, url)
    expect(picture.origin).toBe(new URL(url).origin)
    const seen = await fetch(picture, { headers: { cookie } })
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await fetch(picture)).status).toBe(403)
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    await box.json('version', 'delete', 'acme/app', '3.0.0', '--yes')
  })

  test('--web works where the site has a password and no pages', async () => {
    const { child, url } = await web(['2.0.0'], { ...GATED, PAGES: 'off' })
    const { cookie, page } = await opened(url)
    const shown = await fetch(page, { headers: { cookie } })
    expect(shown.status).toBe(200)
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
  })
})
