import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TestDesk } from '../../support/desk/desk.ts'
import { proxyTo } from '../../support/postgres/proxy.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { outputOf } from '../../support/servers/process.ts'
import { rawRequest } from '../../support/servers/raw-request.ts'
import { until } from '../../support/until.ts'

const TEXT = { label: '1.0.0', title: '', date: '', text: '- A change', do: 'save' }

describe('a desk on this machine', () => {
  let box: Sandbox
  let desk: TestDesk

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.start(box)
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })
  const versions = async () => (await box.json<unknown[]>('version', 'list', 'acme/app')).length

  test('an address works once, and nobody comes in without its cookie', async () => {
    const child = box.start(['desk'])
    const { address, lines } = outputOf(child)
    const url = (await address) ?? ''
    expect(new URL(url).hostname).toBe('127.0.0.1')
    const wrong = await fetch(`${url}x`, { redirect: 'manual' })
    expect(wrong.status).toBe(401)
    const first = await fetch(url, { redirect: 'manual' })
    const [cookie = '', ...rules] = first.headers.get('set-cookie')?.split('; ') ?? []
    const location = first.headers.get('location') ?? ''
    expect(rules).toEqual([`Path=${location}`, 'HttpOnly', 'SameSite=Strict'])
    expect(location).toMatch(/^\/[\w-]{32}\/$/)
    const again = await fetch(url, { redirect: 'manual' })
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
    const advice = await again.text()
    expect(advice).toContain('start the desk again')
    // Nobody can press it where no terminal is.
    expect(advice).not.toContain('Enter')
    const { origin } = new URL(url)
    expect((await fetch(origin + location)).status).toBe(401)
    expect((await fetch(origin + location, { headers: { cookie } })).status).toBe(200)
    // Another desk does not know this browser.
    expect((await desk.as({ cookie }).get('/')).status).toBe(401)
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(lines.join('\n')).not.toContain(cookie.split('=')[1] ?? '-')
  })

  test('who is not let in learns nothing about teams and products', async () => {
    for (const path of ['/', '/acme/app', '/acme/none', '/start']) {
      const page = await desk.as({}).get(path)
      expect([path, page.status]).toEqual([path, 401])
      expect(page.text).not.toMatch(/acme|app/i)
      expect(page.html).not.toContain(desk.base)
    }
  })

  test('every response is private, strict and without other origins', async () => {
    for (const path of ['/', '/acme/app', '/acme/app/new', '/acme/none', '/acme/app/new/preview']) {
      const { headers } = await desk.fetch(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; ")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
    const preview = (await desk.fetch('/acme/app/new/preview')).headers.get('content-security-policy') ?? ''
    expect(preview).toContain("frame-ancestors 'self'")
    expect(preview).toEndWith('; sandbox allow-same-origin')
    expect(preview).not.toContain('script-src')
  })

  test('the script is small', async () => {
    const script = await (await fetch(`${desk.origin}/desk.js`)).text()
    expect(Bun.gzipSync(script).length).toBeLessThan(8_192)
  })

  test('no API, agent or feed is served there', async () => {
    for (const path of [
      '/api/v1/public/teams/acme/products/app/changelog',
      '/mcp',
      '/changelog/acme/app/feed.atom',
      '/healthz',
    ])
      expect((await fetch(desk.origin + path, { headers: desk.headers })).status).toBe(404)
  })

  test('a form of another site, without a token or with a wrong one changes nothing', async () => {
    const editor = await desk.get('/acme/app/new')
    const fields = { ...TEXT, token: editor.field('token'), opened: 'new' }
    const others = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]
    for (const headers of others) {
      const refused = await desk.post('/acme/app/new', fields, headers)
      expect([headers, refused.status]).toEqual([headers, 403])
      // It can be read, and not sent on.
      expect([refused.field('text'), refused.html]).toEqual([TEXT.text, expect.not.stringContaining('<form')])
    }
    for (const token of ['', 'x', `${editor.field('token')}x`, editor.field('token').slice(1)])
      expect((await desk.post('/acme/app/new', { ...fields, token })).status).toBe(403)
    expect(await versions()).toBe(0)
  })

  test('a text with an old token is given back, to be saved with one press', async () => {
    const old = await desk.post('/acme/app/new', {
      ...TEXT,
      text: '- <b>Kept</b>',
      token: 'old',
      opened: 'new',
    })
    expect(old.status).toBe(403)
    expect(old.field('text')).toBe('- <b>Kept</b>')
    const saved = await desk.send(old, { ...TEXT, label: '0.1.0', text: old.field('text') }, '/acme/app/new')
    expect(saved.text).toContain('Saved')
    await box.json('version', 'delete', 'acme/app', '0.1.0', '--yes')
  })

  test('a text of a page from before the desk was started again is given back to whoever must enter anew', async () => {
    const text = '- <b>Kept</b>\n- </textarea>'
    for (const path of [`${desk.base}/acme/app/new`, '/an-older-desk/acme/app/new']) {
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...TEXT, text, token: 'old' })) body.set(name, value)
      const headers = { origin: desk.origin, cookie: 'changelogd-desk-old=x' }
      const response = await fetch(desk.origin + path, { method: 'POST', body, headers })
      const page = await response.text()
      expect([response.status, page]).toEqual([401, expect.stringContaining('&lt;b&gt;Kept&lt;/b&gt;')])
      expect(page.match(/<\/textarea>/g)).toHaveLength(1)
      expect(page).not.toMatch(/<form|acme/)
    }
    // Nobody else waits for what is not a text.
    const long = await fetch(desk.origin, {
      method: 'POST',
      body: new Blob(['text=', 'x'.repeat(2_100_000)]),
    })
    expect(long.status).toBe(401)
  })

  test('a request for another host is refused', async () => {
    const { port } = new URL(desk.origin)
    const cookie = desk.headers.cookie ?? ''
    for (const host of [
      'a@desk.example.com',
      `a@127.0.0.1:${port}`,
      '[',
      'evil.example',
      `localhost:${port}`,
      `evil.example:${port}`,
    ]) {
      const answer = await rawRequest(
        Number(port),
        `GET ${desk.base}/ HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`,
      )
      expect(answer).toStartWith('HTTP/1.1 400')
    }
  })

  test('a text of very many changes is refused and given back, before it holds up others', async () => {
    const editor = await desk.get('/acme/app/new')
    const items = (count: number) => Array.from({ length: count }, (_, at) => `- Change ${at}`).join('\n')
    const refused = await desk.send(editor, { ...TEXT, text: items(2_001) })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('The text has 2,001 list items, and the limit here is 2,000.'),
    ])
    expect(refused.field('text')).toBe(items(2_001))
    expect(await versions()).toBe(0)
    const saved = await desk.send(refused, { ...TEXT, label: '0.3.0', text: items(200) }, '/acme/app/new')
    expect(saved.text).toContain('Saved')
    await box.json('version', 'delete', 'acme/app', '0.3.0', '--yes')
  })

  test('a body that is too long or no form is refused', async () => {
    const editor = await desk.get('/acme/app/new')
    const long = { ...TEXT, text: 'x'.repeat(2_100_000), token: editor.field('token'), opened: 'new' }
    const tooLong = await desk.post('/acme/app/new', long)
    expect([tooLong.status, tooLong.field('text')]).toEqual([413, long.text])
    // A body that does not say how long it is.
    const sent = await desk.fetch('/acme/app/new', {
      method: 'POST',
      body: new Blob([new URLSearchParams(long).toString()]).stream(),
      headers: { origin: desk.origin, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(sent.status).toBe(413)
    const json = await desk.fetch('/acme/app/new', {
      method: 'POST',
      body: '{}',
      headers: { origin: desk.origin, 'content-type': 'application/json' },
    })
    expect(json.status).toBe(403)
    expect((await desk.fetch('/acme/app', { method: 'DELETE' })).status).toBe(405)
    expect(await versions()).toBe(0)
  })

  test('two desks at once save what both wrote, and neither over the other', async () => {
    const other = await TestDesk.start(box)
    const saved = await desk.send(await desk.get('/acme/app/new'), { ...TEXT, label: '0.3.0' })
    const [here, there] = [await desk.get(saved.path), await other.get(saved.path)]
    const mine = { ...TEXT, label: '0.3.0', text: '- Mine' }
    await desk.send(here, mine)
    const conflict = await other.send(there, { ...mine, text: '- Theirs' })
    expect([conflict.status, conflict.text]).toEqual([409, expect.stringContaining('Mine')])
    // A token of one is nothing to the other.
    expect((await desk.post(saved.path, { ...mine, token: there.field('token') })).status).toBe(403)
    expect(await other.stop()).toBe(0)
    await box.json('version', 'delete', 'acme/app', '0.3.0', '--yes')
  })
})

describe('a desk behind a proxy', () => {
  let box: Sandbox
  let desk: TestDesk
  let log: readonly string[]
  let port: number
  const settings = {
    DESK_URL: 'https://desk.example.com',
    DESK_USER_HEADER: 'X-Forwarded-User',
    DESK_PROXIES: '127.0.0.1',
    DESK_TEAMS: 'acme',
  }
  const mira = { host: 'desk.example.com', 'x-forwarded-user': 'Mira Okoro' }

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    for (const team of ['acme', 'beta']) {
      await box.json('team', 'create', team, '--name', team)
      await box.json('product', 'create', `${team}/app`, '--name', 'App')
    }
    port = await freePort()
    const child = box.start(['desk'], { ...settings, DESK_PORT: String(port) })
    const output = outputOf(child)
    expect(await output.address).toBe('https://desk.example.com')
    log = output.lines
    desk = TestDesk.behindProxy(child, port, mira)
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const post = (path: string, fields: Record<string, string>, from = desk) =>
    from.post(path, fields, { origin: 'https://desk.example.com' })

  test('only the header of a proxy says who writes, once', async () => {
    expect((await desk.get('/acme/app')).text).toContain('Mira Okoro')
    for (const headers of [
      { host: 'desk.example.com' },
      { ...mira, 'x-forwarded-user': '' },
      { ...mira, 'x-forwarded-user': 'Mira, Mallory' },
      { ...mira, 'x-forwarded-user': '\u007f' },
    ]) {
      const page = await desk.as(headers).get('/acme/app')
      expect([page.status, page.text]).toEqual([401, expect.stringContaining('You are not signed in')])
      expect(page.text).not.toContain('App')
    }
    const twice = await rawRequest(
      port,
      'GET / HTTP/1.1\r\nHost: desk.example.com\r\nX-Forwarded-User: Mira\r\nX-Forwarded-User: Mallory\r\n\r\n',
    )
    expect(twice).toStartWith('HTTP/1.1 401')
  })

  test('a header from any other address counts for nothing', async () => {
    const otherPort = await freePort()
    const own = { DESK_PORT: String(otherPort), DESK_PROXIES: '10.9.8.7' }
    const elsewhere = box.start(['desk'], { ...settings, ...own })
    await outputOf(elsewhere).address
    const other = TestDesk.behindProxy(elsewhere, otherPort, mira)
    expect((await other.get('/')).status).toBe(401)
    elsewhere.kill('SIGINT')
    await elsewhere.exited
  })

  test('a team that one may not write looks as if it did not exist', async () => {
    const hidden = await desk.get('/beta/app')
    const missing = await desk.get('/none/app')
    expect([hidden.status, hidden.html]).toEqual([404, missing.html])
    expect((await desk.get('/')).text).not.toContain('beta')
    const start = await desk.get('/start')
    const refused = await post('/start', { token: start.field('token'), team: 'gamma', name: 'X' })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('only for these teams: acme'),
    ])
    expect(await box.json<unknown[]>('team', 'list')).toHaveLength(2)
  })

  test('a name that had been renamed is not taken, and where it is now is not told to who may not write there', async () => {
    const start = await desk.get('/start')
    const [editor, token] = [await desk.get('/acme/app/new'), start.field('token')]
    await box.json('team', 'update', 'acme', '--slug', 'secret', '--yes')
    const started = await post('/start', { token, team: 'acme', name: 'App' })
    expect([started.status, started.text]).toEqual([422, expect.stringContaining('it was renamed')])
    const saved = await post('/acme/app/new', { ...TEXT, token: editor.field('token'), opened: 'new' })
    expect([saved.status, saved.field('text')]).toEqual([422, TEXT.text])
    expect((await desk.get('/acme/app')).status).toBe(404)
    for (const page of [started, saved]) expect(page.html).not.toContain('secret')
    await box.json('team', 'update', 'secret', '--slug', 'acme', '--yes')
    await box.json('product', 'update', 'acme/app', '--slug', 'console', '--yes')
    const product = await post('/start', { token, team: 'acme', name: 'App' })
    expect([product.status, product.text]).toEqual([422, expect.stringContaining('it was renamed')])
    await box.json('product', 'update', 'acme/console', '--slug', 'app', '--yes')
  })

  test('the name of somebody whose text a command has changed is not shown beside theirs', async () => {
    const saved = await post('/acme/app/new', {
      ...TEXT,
      label: '0.4.0',
      token: (await desk.get('/acme/app/new')).field('token'),
      opened: 'new',
    })
    const editor = await desk.get(saved.path)
    await box.json('version', 'update', 'acme/app', '0.4.0', '--title', 'By a command')
    const conflict = await post(saved.path, {
      ...TEXT,
      label: '0.4.0',
      token: editor.field('token'),
      opened: editor.field('opened'),
    })
    expect(conflict.status).toBe(409)
    expect(conflict.text).not.toMatch(/Mira Okoro, \d/)
    await box.json('version', 'delete', 'acme/app', '0.4.0', '--yes')
  })

  test('a token is for one user', async () => {
    const editor = await desk.get('/acme/app/new')
    const fields = { ...TEXT, token: editor.field('token'), opened: 'new' }
    const tomas = desk.as({ ...mira, 'x-forwarded-user': 'Tomas' })
    expect((await post('/acme/app/new', fields, tomas)).status).toBe(403)
    expect((await post('/acme/app/new', fields)).text).toContain('Saved')
  })

  test('the log, the desk and version show say who wrote last, until a command writes', async () => {
    await until(() =>
      log.some((line) => line.includes('desk.saved user="Mira Okoro" product="acme/app" version="1.0.0"')),
    )
    expect((await desk.get('/acme/app')).text).toMatch(/Mira Okoro, \d/)
    const show = async () => (await box.words('version show acme/app 1.0.0')).stdout
    expect(await show()).toContain('Mira Okoro')
    await box.json('version', 'update', 'acme/app', '1.0.0', '--title', 'Another')
    expect(await show()).not.toContain('Mira Okoro')
    expect((await desk.get('/acme/app')).text).not.toMatch(/Mira Okoro, \d/)
    expect((await box.run(['export', '--all'])).stdout).not.toContain('Mira')
  })
})

test.each([
  [{ DESK_USER_HEADER: 'X-User' }, 'DESK_URL, DESK_PROXIES, DESK_TEAMS, DESK_PORT are not'],
  [{ DESK_URL: 'https://desk.example.com' }, 'DESK_URL needs DESK_USER_HEADER'],
  [{ DESK_HOST: '0.0.0.0' }, 'the desk listens only on this machine'],
  [{ DESK_PORT: '3000' }, 'DESK_PORT and PORT are both 3000'],
  [{ DESK_PORT: '3000', HOST: '0.0.0.0' }, 'DESK_PORT and PORT are both 3000'],
  [
    {
      DESK_URL: 'https://desk.example.com',
      DESK_PORT: '4000',
      DESK_USER_HEADER: 'X-User',
      DESK_PROXIES: '10.0.0.0/8',
      DESK_TEAMS: '*',
    },
    'wider than /24',
  ],
  [{ DESK_TEAMS: 'Acme Inc' }, 'DESK_TEAMS is "Acme Inc", but must be teams separated by commas'],
] as const)('a desk does not start with %p', async (env, reason) => {
  await using box = await Sandbox.on('SQLite')
  const { status, stderr } = await box.run(['desk'], env)
  expect([status, stderr.replace(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(reason)])
  expect(await box.isMissing()).toBe(true)
})

test('a port in use is refused by the name of its setting', async () => {
  await using box = await Sandbox.on('SQLite')
  using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { status, stderr } = await box.run(['desk'], { DESK_PORT: String(taken.port) })
  expect(status).toBe(1)
  expect(stderr.replace(/\s+/g, ' ')).toContain('Set another DESK_PORT or DESK_HOST.')
  expect(stderr).not.toContain('changelogd serve')
})

test('while PostgreSQL is away, a page says so and gives the text back, to be saved once it is there again', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await box.json('team', 'create', 'acme', '--name', 'Acme')
  await box.json('product', 'create', 'acme/app', '--name', 'App')
  using passage = await proxyTo(box.database)
  const desk = await TestDesk.start(box, { DATABASE_URL: passage.address })
  const editor = await desk.get('/acme/app/new')
  await passage.cut()
  const mine = { ...TEXT, title: 'Kept', date: '2026-01-02', text: '- <b>Kept</b>' }
  const away = await desk.send(editor, mine)
  expect([away.status, away.text]).toEqual([503, expect.stringContaining('The database is not available')])
  expect(['label', 'title', 'date', 'text'].map(away.field)).toEqual([
    '1.0.0',
    'Kept',
    '2026-01-02',
    mine.text,
  ])
  expect((await desk.get('/')).status).toBe(503)
  await passage.resume()
  let saved = away
  await until(async () => {
    saved = await desk.send(away, mine, '/acme/app/new')
    return saved.status !== 503
  })
  expect(saved.text).toContain('Saved')
  expect(await desk.stop()).toBe(0)
})
