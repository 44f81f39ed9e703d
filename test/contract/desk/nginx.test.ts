import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeNeeding } from '../../support/needs.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { createCertificate } from '../../support/servers/certificates.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { outputOf } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

const GUIDE = join(import.meta.dir, '../../../docs/guides/desk.md')
/** Any port will do. */
const HOST = 'desk.example.com:8443'

/** What the sign-on takes for somebody who has signed in. */
const SESSION = { cookie: 'session=mira' }

/** Debian has it where only the path of an administrator leads. */
const NGINX = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })

describeNeeding('nginx', NGINX !== null, 'the nginx of the guide', () => {
  let box: Sandbox
  let desk: TestDesk
  let port: number
  const signOn = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) => {
      const { pathname } = new URL(url)
      if (pathname !== '/oauth2/auth') return new Response(`sign in as ${headers.get('x-forwarded-user')}`)
      return headers.get('cookie') === SESSION.cookie
        ? new Response(null, { status: 202, headers: { 'x-auth-request-user': 'Mira Okoro' } })
        : new Response(null, { status: 401 })
    },
  })

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    const deskPort = await freePort()
    port = await freePort()
    const guide = await Bun.file(GUIDE).text()
    const [, block = ''] = /<!-- nginx -->\n```nginx\n(.*?)```/s.exec(guide) ?? []
    const [, settings = ''] = /# \/etc\/changelogd\/changelogd\.env\n(.*?)```/s.exec(guide) ?? []
    const { certificate, key } = createCertificate(box.directory, 'desk')
    const server = block
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/\/etc\S+fullchain\.pem/, certificate)
      .replace(/\/etc\S+privkey\.pem/, key)
      .replaceAll('127.0.0.1:3010', `127.0.0.1:${deskPort}`)
      .replaceAll('127.0.0.1:4180', `127.0.0.1:${signOn.port}`)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${box.at(name)};`,
    )
    writeFileSync(
      box.at('nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${box.at('nginx.pid')}; events {}
       http { access_log off; ${places.join(' ')} ${server} }`,
    )
    const env = Object.fromEntries(
      settings
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    const child = box.start(['desk'], { ...env, DESK_URL: `https://${HOST}`, DESK_PORT: String(deskPort) })
    await outputOf(child).address
    desk = TestDesk.behindProxy(child, deskPort, {})
    box.spawn([NGINX ?? '', '-e', 'stderr', '-p', box.directory, '-c', box.at('nginx.conf')])
    await until(() =>
      get('/').then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    await desk.stop()
    await box.close()
    await signOn.stop(true)
  })

  const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`https://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { host: HOST, ...headers },
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
    })

  test('leads somebody who has not signed in to the sign-on, whatever name they send', async () => {
    for (const headers of [{}, { 'x-forwarded-user': 'Mallory' }, { cookie: 'session=x' }]) {
      const { status, headers: found } = await get('/acme/app', headers)
      expect([status, found.get('location')]).toEqual([302, '/oauth2/start?rd=/acme/app'])
    }
    expect(await (await get('/oauth2/start', { 'x-forwarded-user': 'Mallory' })).text()).not.toContain(
      'Mallory',
    )
  })

  test('names who has signed in, and no one else', async () => {
    for (const name of ['x-forwarded-user', 'X_Forwarded_User', 'x-auth-request-user', 'remote-user']) {
      const page = await (await get('/acme/app', { ...SESSION, [name]: 'Mallory' })).text()
      expect([name, page]).toEqual([name, expect.stringContaining('Mira Okoro')])
      expect(page).not.toContain('Mallory')
    }
  })

  test('passes on what they write', async () => {
    const editor = await (await get('/acme/app/new', SESSION)).text()
    const body = new FormData()
    const token = / name="token" value="([^"]*)"/.exec(editor)?.[1] ?? ''
    for (const [name, value] of Object.entries({
      ...{ token, label: '1.0.0', title: '', date: '', opened: 'new', do: 'save' },
      text: `- A change\n\n${'Words. '.repeat(200_000)}`.slice(0, 900_000),
    }))
      body.set(name, value)
    const headers = { ...SESSION, origin: `https://${HOST}` }
    expect((await get('/acme/app/new', headers, { method: 'POST', body })).status).toBe(303)
    expect(await box.json<object[]>('version', 'list', 'acme/app')).toMatchObject([{ version: '1.0.0' }])
    const evil = { ...SESSION, origin: 'https://evil.example' }
    expect((await get('/acme/app/new', evil, { method: 'POST', body })).status).toBe(403)
  })
})
