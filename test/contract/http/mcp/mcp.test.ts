import { describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { connect, message, PROTOCOLS } from '../../../support/servers/mcp.ts'
import { bearer, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const APP = { changelog: 'acme/app' }
const NOT_FOUND = 'No changelog or version was found under these names.'
const SEE_ALL = `${NOT_FOUND} list_changelogs has the names of all.`
const APP_IS_MEANT = `${NOT_FOUND} Did you mean acme/app?`
const missing = (version: string) => `There is no version ${version} in acme/app. Next to it: 2.0.0.`

function fill(seed: Seeder) {
  const acme = seed.team('acme', { name: 'Acme' })
  const app = seed.product(acme, 'app', { name: 'App' })
  const version = (label: string, day: number, given: Parameters<typeof seed.version>[2] = {}) =>
    seed.version(app.changelogId, label, { publishedAt: START + day * DAY, title: label, ...given })
  version('1.0.0', 0, { changes: [{ type: 'added', title: 'Everything' }] })
  version('1.1.0', 1, {
    title: 'Search',
    description: 'Find it <!-- hidden -->',
    changes: [
      { type: 'added', title: 'Search' },
      { type: 'changed', title: '**Breaking:** the client', description: 'Call `open()` first.' },
    ],
  })
  version('2.0.0', 2, {
    changes: Array.from({ length: 300 }, (_, at) => ({
      type: 'fixed',
      title: `Fix ${at}`,
      description: 'words '.repeat(100),
    })),
  })
  version('3.0.0', 3, { status: 'draft', changes: [{ type: 'added', title: 'Secret plans' }] })
  const plans = seed.product(acme, 'plans', { status: 'draft' })
  seed.version(plans.changelogId, '0.1.0', { changes: [{ type: 'added', title: 'Private' }] })
  const tool = seed.product(seed.team('other'), 'tool')
  seed.version(tool.changelogId, '1.0.0', { publishedAt: START })
  seed.version(tool.changelogId, '1.1.0', { publishedAt: START + DAY, yanked: 'Broken' })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  seed.version(secret.changelogId, '1.0.0')
  return {
    full: seed.key(acme).token,
    select: seed.key(acme, { kind: 'SELECT', products: [app.id] }).token,
    disabled: seed.key(acme, { status: 'disabled' }).token,
  }
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string => {
  const [content] = result.content as { type: string; text: string }[]
  return content?.text ?? ''
}

describe('agents', () => {
  const urls = { MCP_ORIGINS: 'https://agents.test', PUBLIC_URL: 'https://acme.test' }
  const site = serverForAll(THE_BINARY, fill, urls)

  const clients = new Map<string, Promise<Client>>()
  const ask = async (name: string, given: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const holder = headers.authorization ?? ''
    const client = clients.get(holder) ?? connect(site.server.url, '2026-07-28', headers)
    clients.set(holder, client)
    const result = await (await client).callTool({ name, arguments: given })
    expect(result.isError ? null : JSON.parse(textOf(result))).toEqual(result.structuredContent ?? null)
    return { ...result, text: textOf(result), value: result.structuredContent as Record<string, unknown> }
  }
  const post = (init: RequestInit, headers: Record<string, string> = {}) =>
    fetch(`${site.server.url}/mcp`, { ...init, headers: { ...(init.headers as object), ...headers } })

  test('find few tools that only read, and the official client checks their answers in every protocol', async () => {
    for (const protocol of PROTOCOLS) {
      const client = await connect(site.server.url, protocol)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        ...['list_changelogs', 'get_changelog', 'get_version', 'compare_versions', 'search'],
      ])
      for (const { annotations, description, inputSchema, outputSchema } of tools) {
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
        expect(description).toBeTruthy()
        expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
      }
      expect(JSON.stringify(tools).length).toBeLessThan(16_500)
      const result = await client.callTool({ name: 'list_changelogs', arguments: {} })
      expect(result.structuredContent).toEqual({
        changelogs: [
          { ...APP, name: 'App changelog', newest: '2.0.0', date: '2026-01-03' },
          // Its newest version is yanked.
          { changelog: 'other/tool', name: 'tool changelog', newest: '1.0.0', date: '2026-01-01' },
        ],
      })
      expect(client.getServerVersion()?.name).toBe('changelogd')
      const unchanging = { listChanged: false }
      expect(client.getServerCapabilities()).toEqual({ tools: unchanging, resources: unchanging })
      await client.close()
    }
  })

  test('learn what an upgrade breaks', async () => {
    const { value } = await ask('compare_versions', { ...APP, from: '1.0.0', breakingOnly: true })
    const change = { title: '**Breaking:** the client', description: 'Call `open()` first.' }
    expect(value).toEqual({
      ...{
        ...APP,
        name: 'App changelog',
        from: '1.0.0',
        to: '2.0.0',
        verdict: '1 major release, 1 breaking change, 0 security fixes, 2 days',
        versionCount: 2,
        kinds: { breaking: 1 },
        unmarked: ['2.0.0'],
      },
      changes: [{ version: '1.1.0', kind: 'changed', breaking: true, ...change }],
    })
    const all = (await ask('compare_versions', { ...APP, from: '1.0.0', to: '2.0.0' })).value
    expect(all.kinds).toEqual({ breaking: 1, added: 1, fixed: 300 })
    expect((all.changes as { kind: string }[]).map(({ kind }) => kind).slice(0, 2)).toEqual([
      'changed',
      'added',
    ])
    const seen: unknown[] = []
    for (let cursor: unknown = '0..'; cursor; ) {
      const part = (await ask('compare_versions', { ...APP, from: '1.0.0', cursor, maxLength: 9_000 })).value
      seen.push(...(part.changes as { title: string }[]).map(({ title }) => title))
      cursor = part.next
    }
    expect([seen.length, new Set(seen).size]).toEqual([302, 302])
  })

  test('read a version whole, in as many answers as it takes', async () => {
    const { value } = await ask('get_version', { ...APP, version: 'v1.1.0' })
    const shown = { version: '1.1.0', title: 'Search', date: '2026-01-02', changeCount: 2 }
    expect(value).toMatchObject({ ...shown, description: 'Find it' })
    const titles: string[] = []
    for (let skip: number | undefined = 0; skip !== undefined; ) {
      const given = { ...APP, version: 'latest', skip, maxLength: 50_000 }
      const part: Record<string, unknown> = (await ask('get_version', given)).value
      expect(part.version).toBe('2.0.0')
      titles.push(...(part.changes as { title: string }[]).map(({ title }) => title))
      skip = part.next as number | undefined
    }
    expect(titles).toEqual(Array.from({ length: 300 }, (_, at) => `Fix ${at}`))
  })

  test('read all versions by their cursor, those with one kind of change, and find changes by words', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { value } = await ask('get_changelog', { ...APP, limit: 1, ...(cursor && { cursor }) })
      seen.push(...(value.versions as { version: string }[]).map(({ version }) => version))
      cursor = value.next as string | undefined
    } while (cursor)
    expect(seen).toEqual(['2.0.0', '1.1.0', '1.0.0'])
    const breaking = await ask('get_changelog', { ...APP, kind: 'breaking' })
    expect(breaking.value.versions).toMatchObject([{ version: '1.1.0', changeCount: 2, omitted: 1 }])
    expect((await ask('get_changelog', { ...APP, cursor: 'x' })).isError).toBe(true)
    const found = await ask('search', { ...APP, query: 'OPEN client' })
    const changes = [{ title: '**Breaking:** the client' }]
    expect(found.value.versions).toMatchObject([{ version: '1.1.0', changes }])
    const titles: string[] = []
    for (let cursor: unknown = '0..'; cursor; ) {
      const { value } = await ask('search', { ...APP, query: 'i', cursor, maxLength: 20_000 })
      for (const version of value.versions as { changes: { title: string }[] }[])
        titles.push(...version.changes.map(({ title }) => title))
      cursor = value.next
    }
    const fixes = Array.from({ length: 300 }, (_, at) => `Fix ${at}`)
    expect(titles).toEqual([...fixes, '**Breaking:** the client', 'Everything'])
  })

  test('get short answers, unless they ask for long ones', async () => {
    for (const [name, given] of [
      ['get_version', { ...APP, version: '2.0.0' }],
      ['compare_versions', { ...APP, from: '1.0.0' }],
    ] as const) {
      const short = (await ask(name, given)).text.length
      const long = (await ask(name, { ...given, maxLength: 60_000 })).text.length
      expect([short <= 6_200, long > 6_200, long <= 62_000]).toEqual([true, true, true])
    }
  })

  test('see the changelogs as resources in Markdown', async () => {
    const client = await connect(site.server.url)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['changelog://acme/app', 'changelog://other/tool'])
    const { contents } = await client.readResource({ uri: 'changelog://acme/app' })
    expect(contents[0]).toMatchObject({ uri: 'changelog://acme/app', mimeType: 'text/markdown' })
    expect((contents[0] as { text: string }).text).toStartWith('# App changelog\n\n## 2.0.0 - 2026-01-03')
    const missing = await client.readResource({ uri: 'changelog://acme/nope' }).catch(String)
    const hidden = await client.readResource({ uri: 'changelog://acme/plans' }).catch(String)
    expect(String(hidden).replace('plans', 'nope')).toBe(String(missing))
    await client.close()
  })

  test('without a key see what the public sees, and hidden and missing are the same', async () => {
    const hidden = [
      ['get_changelog', { changelog: 'acme/plans' }],
      ['get_changelog', { changelog: 'secret/app' }],
      ['get_changelog', { changelog: 'nobody/app' }],
      ['get_version', { changelog: 'secret/app', version: '1.0.0' }],
      ['compare_versions', { changelog: 'secret/app', from: 'x' }],
      ['search', { changelog: 'secret/app', query: 'x' }],
    ] as const
    for (const [name, given] of hidden)
      for (let time = 0; time < 2; time++)
        expect(await ask(name, given)).toMatchObject({
          isError: true,
          text: given.changelog.endsWith('/app') ? APP_IS_MEANT : SEE_ALL,
        })
    for (const version of ['v3.0.0', '3.0.0', '9.9.9'])
      for (const [name, given] of [
        ['get_version', { ...APP, version }],
        ['compare_versions', { ...APP, from: version, to: 'next' }],
      ] as const)
        expect(await ask(name, given)).toMatchObject({ isError: true, text: missing(version) })
    expect((await ask('compare_versions', { ...APP, from: 'first' })).text).toBe(
      'There is no version first in acme/app. `latest` is its newest version, and get_changelog lists all.',
    )
    const all = await Promise.all([
      ask('list_changelogs', {}),
      ask('get_changelog', { ...APP, maxLength: 100_000 }),
      ask('search', { ...APP, query: 'secret' }),
    ])
    for (const { text } of all)
      expect(text).not.toMatch(/secret plans|3\.0\.0|acme\/plans|secret\/app|hidden/i)
  })

  test('with a key see what it may read', async () => {
    const full = bearer(site.filled.full)
    expect((await ask('list_changelogs', {}, full)).value).toEqual({
      changelogs: [
        { ...APP, name: 'App changelog', newest: '2.0.0', date: '2026-01-03' },
        { changelog: 'acme/plans', name: 'plans changelog', newest: '0.1.0', date: '2026-01-02' },
      ],
    })
    const draft = { ...APP, version: '3.0.0' }
    expect((await ask('get_version', draft, full)).value).toMatchObject({
      ...{ draft: true, changes: [{ title: 'Secret plans' }] },
    })
    expect((await ask('get_changelog', { changelog: 'acme/plans' }, full)).isError).toBeFalsy()
    const select = bearer(site.filled.select)
    expect((await ask('list_changelogs', {}, select)).value.changelogs).toHaveLength(1)
    for (const changelog of ['acme/plans', 'acme/nothing', 'secret/app', 'nobody/app'])
      expect((await ask('get_changelog', { changelog }, select)).text).toBe(
        changelog.endsWith('/app') ? APP_IS_MEANT : SEE_ALL,
      )
    const open = ['get_version', { changelog: 'other/tool', version: 'latest' }] as const
    expect((await ask(...open, select)).value).toEqual((await ask(...open)).value)
    // What a key saw is not in the answer to others.
    expect((await ask('get_version', draft)).text).toBe(missing('3.0.0'))
  })

  test('a key that is not valid is refused, and none is asked for', async () => {
    const bodies = new Set<string>()
    for (const token of [site.filled.disabled, `clk_${'a'.repeat(36)}`]) {
      const response = await post(message('tools/list'), bearer(token))
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="changelogd"')
      bodies.add(await response.text())
    }
    expect(bodies.size).toBe(1)
    expect((await post(message('tools/list'), { authorization: 'nonsense' })).status).toBe(401)
    expect((await post(message('tools/list'))).status).toBe(200)
  })

  test('pages of other origins may not use it', async () => {
    for (const origin of ['https://evil.test', 'null', 'https://acme.test.evil.test', 'http://acme.test'])
      for (const init of [message('tools/list'), { method: 'OPTIONS' }])
        expect([origin, (await post(init, { origin })).status]).toEqual([origin, 403])
    for (const origin of ['https://acme.test', 'https://agents.test']) {
      const response = await post(message('tools/list'), { origin })
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      const asked = { 'access-control-request-method': 'POST' }
      const preflight = await post({ method: 'OPTIONS' }, { origin, ...asked })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    }
  })

  test('takes POST and nothing else, and refuses what is no single short message', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await post({ method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
    }
    for (const path of ['/mcp/', '/changelog/acme/app', publicPath('acme', 'app')])
      expect((await fetch(site.server.url + path, message('tools/list'))).status).toBe(405)
    const send = async (body: string, headers: Record<string, string> = {}) => {
      const response = await post({ ...message('x'), body }, headers)
      return [response.status, await response.text()] as const
    }
    const any = expect.any(String)
    expect(await send('{')).toEqual([400, expect.stringContaining('-32700')])
    expect(await send('')).toEqual([400, any])
    expect(await send('[]')).toEqual([400, expect.stringContaining('Batches are not supported.')])
    expect(await send(' '.repeat(65_537))).toEqual([413, any])
    expect(await send('{}', { 'content-type': 'text/plain' })).toEqual([415, any])
    const nested = '['.repeat(30_000) + ']'.repeat(30_000)
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${nested}}}`
    const old = '{"jsonrpc":"1.0","id":1,"method":"ping"}'
    for (const body of ['null', '1', '"x"', '{}', '{"jsonrpc":"2.0"}', old, call])
      expect((await send(body))[0]).toBeLessThan(500)
    for (const [given, fault] of [
      [{}, 'version: Expected required property'],
      [{ version: '1.0.0', more: 1 }, 'more: allowed are changelog, version, skip, maxLength'],
    ] as const)
      expect(await ask('get_version', { ...APP, ...given })).toMatchObject({
        ...{ isError: true, text: `Invalid arguments for get_version: ${fault}` },
      })
    expect((await ask('search', { ...APP, query: 'x', kind: 'x' })).text).toEndWith(
      'kind: allowed are breaking, added, changed, deprecated, removed, fixed, security, other',
    )
  })
})
