import { describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { connect, message } from '../../../support/servers/mcp.ts'
import { bearer, fingerprint, startServer, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2025, 0, 1)
const STRIPE = { changelog: 'acme/stripe' }
const NOT_FOUND = 'No changelog or version was found under these names.'
const SEE_ALL = `${NOT_FOUND} list_changelogs has the names of all.`

function fill(seed: Seeder) {
  const acme = seed.team('acme')
  const stripe = seed.product(acme, 'stripe')
  const labels = ['14.0.0', '14.2.0', '15.0.0', '16.0.0', '17.0.0', '17.3.0', '18.0.0']
  for (const [at, label] of labels.entries())
    seed.version(stripe.changelogId, label, {
      publishedAt: START + at * 100 * DAY,
      changes: [
        { type: 'changed', title: `Something else in ${label}` },
        ...(label.endsWith('.0.0') ? [{ type: 'changed', title: `**Breaking:** all of ${label}` }] : []),
        ...(label === '16.0.0' ? [{ type: 'changed', title: 'The old client is deprecated' }] : []),
      ],
    })
  const plans = seed.product(acme, 'strips', { name: 'Secret Plans', status: 'draft' })
  seed.version(plans.changelogId, '1.0.0', { changes: [{ type: 'fixed', title: 'Fix CVE-2026-1 secretly' }] })
  const old = seed.product(acme, 'old', { name: 'Harbor Desk' })
  seed.version(old.changelogId, '1.0.0', { publishedAt: START, dateKnown: false })
  const others = seed.team('others')
  const tool = seed.product(others, 'tool')
  for (let at = 0; at < 30; at++)
    seed.version(tool.changelogId, `1.${at}.0`, {
      publishedAt: START + at,
      changes: [{ type: 'security', title: `Fix CVE-2026-1 in ${at}` }],
    })
  for (const team of [others, seed.team('more')]) seed.product(team, 'twice', { name: 'Double Name' })
  return {
    full: seed.key(acme).token,
    select: seed.key(others, { kind: 'SELECT', products: [tool.id] }).token,
  }
}

interface Answer {
  versions: { changelog?: string; version: string; date?: string; changes: { title: string }[] }[]
  changes: { version: string; breaking?: boolean }[]
  changelogs: { changelog: string }[]
  changelog: string
  from: string
  to: string
  note?: string
  next?: string
}

describe('agents that ask as people do', () => {
  const site = serverForAll(THE_BINARY, fill)
  const clients = new Map<string, Promise<Client>>()
  const ask = async (name: string, given: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const holder = headers.authorization ?? ''
    const client = clients.get(holder) ?? connect(site.server.url, '2026-07-28', headers)
    clients.set(holder, client)
    const result = await (await client).callTool({ name, arguments: given })
    const [content] = result.content as { text: string }[]
    return { text: content?.text ?? '', value: (result.structuredContent ?? {}) as unknown as Answer }
  }
  const versionsOf = ({ value }: { value: Answer }) => value.versions.map(({ version }) => version)

  test('find a changelog by its product, in capitals and by its address as a resource, or the names that are meant', async () => {
    for (const changelog of ['stripe', 'Stripe', ' ACME/Stripe', 'changelog://acme/stripe'])
      expect((await ask('get_version', { changelog, version: 'latest' })).value).toMatchObject({
        ...STRIPE,
        version: '18.0.0',
      })
    for (const [changelog, meant] of [
      ['strip', 'acme/stripe'],
      ['acme/strip', 'acme/stripe'],
      ['acme/srtipe', 'acme/stripe'],
      ['@stripe/stripe-js', 'acme/stripe'],
      ['twice', 'more/twice or others/twice'],
      ['others', 'others/tool or others/twice'],
    ])
      expect((await ask('get_changelog', { changelog })).text).toBe(`${NOT_FOUND} Did you mean ${meant}?`)
    expect((await ask('get_changelog', { changelog: 'xyz' })).text).toBe(SEE_ALL)
    expect((await ask('list_changelogs', { team: 'Acme' })).value.changelogs).toHaveLength(2)
    expect((await ask('list_changelogs', { team: 'nobody' })).value.note).toBe(
      'There are no changelogs that you may list.',
    )
  })

  test('find a changelog by the name that people know it by, and the names that are meant where several have it', async () => {
    for (const changelog of ['Harbor Desk', 'harbor desk '])
      expect((await ask('get_changelog', { changelog })).value.changelog).toBe('acme/old')
    // That of a draft is like a missing one.
    expect((await ask('get_changelog', { changelog: 'Secret Plans' })).text).toBe(SEE_ALL)
    const full = bearer(site.filled.full)
    expect((await ask('get_changelog', { changelog: 'Secret Plans' }, full)).value.changelog).toBe(
      'acme/strips',
    )
    expect((await ask('get_changelog', { changelog: 'Double Name' })).text).toBe(
      `${NOT_FOUND} Did you mean more/twice or others/twice?`,
    )
  })

  test('get suggestions only of what they may list, so that hidden and missing names are alike', async () => {
    // A draft is called `strips`.
    const hidden = (await ask('get_changelog', { changelog: 'acme/strips' })).text
    expect(hidden).toBe(`${NOT_FOUND} Did you mean acme/stripe?`)
    expect((await ask('get_changelog', { changelog: 'acme/stripx' })).text).toBe(hidden)
    const full = bearer(site.filled.full)
    expect((await ask('get_changelog', { changelog: 'strips' }, full)).value.changelog).toBe('acme/strips')
    expect((await ask('get_changelog', { changelog: 'acme/tools' }, full)).text).toBe(SEE_ALL)
    // All of the response, at the first time and at the second.
    const print = async (changelog: string) => {
      const call = message('tools/call', { name: 'get_changelog', arguments: { changelog } })
      return fingerprint(await fetch(`${site.server.url}/mcp`, call))
    }
    for (const names of [
      ['acme/strips', 'acme/stripx'],
      ['strips', 'stripx'],
    ])
      expect(new Set(await Promise.all([...names, ...names].map(print))).size).toBe(1)
    const select = bearer(site.filled.select)
    expect((await ask('get_changelog', { changelog: 'tool' }, select)).value.changelog).toBe('others/tool')
    expect((await ask('get_changelog', { changelog: 'strip' }, select)).text).toBe(SEE_ALL)
  })

  test('compare majors, with latest or with nothing, and the other way round', async () => {
    for (const [from, to, end] of [
      ['14', '17', '17.3.0'],
      ['v14', 'v17', '17.3.0'],
      ['14.x', '17.x', '17.3.0'],
      ['14.2.0', '17.3.0', '17.3.0'],
      ['14', 'latest', '18.0.0'],
      ['14', undefined, '18.0.0'],
      ['17', '14', '17.3.0'],
      ['latest', '14', '18.0.0'],
    ]) {
      const { value } = await ask('compare_versions', {
        ...STRIPE,
        from,
        ...(to && { to }),
        breakingOnly: true,
      })
      const majors = ['15.0.0', '16.0.0', '17.0.0', ...(end === '18.0.0' ? [end] : [])]
      expect([from, to, value.from, value.to, value.changes.map(({ version }) => version)]).toEqual([
        ...[from, to, '14.2.0', end, majors],
      ])
      expect([from, value.note]).toEqual([
        from,
        to === '14' ? 'from is above to. This compares them the other way round.' : undefined,
      ])
    }
    for (const [from, to] of [
      ['latest', 'latest'],
      ['17', '17'],
      ['17.0.0', 'v17.0.0'],
    ])
      expect((await ask('compare_versions', { ...STRIPE, from, to })).text).toBe(
        'from and to are the same version.',
      )
    const pages: string[] = []
    for (let cursor: string | undefined = '0..'; cursor; ) {
      const given = { ...STRIPE, from: 'latest', to: '14', cursor, maxLength: 1_000 }
      const { value } = await ask('compare_versions', given)
      pages.push(...value.changes.map(({ version }) => version))
      cursor = value.next
    }
    expect([pages.length, new Set(pages).size]).toEqual([10, 5])
    const none = await ask('compare_versions', { ...STRIPE, from: '14', kind: 'removed' })
    expect(none.value.note).toBe(
      'Nothing of kind removed was found. Changes of each kind: changed 6, breaking 4.',
    )
  })

  test('read what was released since a date or a version, and up to a date', async () => {
    const get = async (given: object) => versionsOf(await ask('get_changelog', { ...STRIPE, ...given }))
    expect(await get({ since: '17.0.0' })).toEqual(['18.0.0', '17.3.0'])
    expect(await get({ since: '2026-01-01' })).toEqual(['18.0.0', '17.3.0', '17.0.0'])
    expect(await get({ since: '2026-05' })).toEqual(['18.0.0', '17.3.0'])
    expect(await get({ since: '2025', until: '2025' })).toEqual(['16.0.0', '15.0.0', '14.2.0', '14.0.0'])
    expect(await get({ until: '2025-04-11' })).toEqual(['14.2.0', '14.0.0'])
    expect(await get({ until: '2025-04-10' })).toEqual(['14.0.0'])
    expect(await get({ since: '2025', until: '2025', prereleases: 'yes', limit: 1 })).toEqual(['16.0.0'])
    const found = await ask('search', { ...STRIPE, query: 'else', since: '2026', until: '2026-03' })
    expect(versionsOf(found)).toEqual(['17.0.0'])
    expect((await ask('get_changelog', { ...STRIPE, until: 'then' })).text).toStartWith(
      'until must be a date',
    )
    expect((await ask('get_changelog', { ...STRIPE, since: '17.1.0' })).text).toContain(
      'Next to it: 17.0.0, 17.3.0.',
    )
    expect((await ask('get_changelog', { ...STRIPE, since: '2030' })).value).toMatchObject({
      ...{ versions: [], note: 'There are no such versions, or their release dates are not known.' },
    })
    // It has no date.
    expect((await ask('get_changelog', { changelog: 'acme/old', since: '2020' })).value).toMatchObject({
      ...{ versions: [], note: expect.stringContaining('without a known release date') },
    })
  })

  test('learn which kinds there are and where a word stands, where nothing was found', async () => {
    const kind = await ask('get_changelog', { ...STRIPE, kind: 'deprecated' })
    expect(kind.value).toMatchObject({
      versions: [],
      note: 'Nothing of kind deprecated was found. Texts with a word: deprecated 1. Call search with one to see them. Changes of each kind: changed 13, breaking 5.',
    })
    const words = await ask('search', { ...STRIPE, query: 'client behaviour' })
    expect(words.value.note).toBe(
      'Nothing has all these words. Texts with a word: client 1, behaviour 0. Call search with one to see them.',
    )
    const both = await ask('search', { ...STRIPE, query: 'client', kind: 'fixed' })
    expect(both.value.note).toContain('Texts with a word: client 1.')
    expect(both.value.note).toContain('Changes of each kind: changed 1.')
  })

  test('search all changelogs that they may list, from page to page', async () => {
    const all = async (headers: Record<string, string>, given: object = {}) => {
      const found: string[] = []
      let pages = 0
      for (let cursor: string | undefined; pages === 0 || cursor; pages++) {
        const request = { query: 'cve-2026-1', ...given, ...(cursor && { cursor }) }
        const { value, text } = await ask('search', request, headers)
        expect(text.length).toBeLessThan(3_300)
        for (const { changelog, changes } of value.versions)
          found.push(...changes.map(({ title }) => `${changelog}: ${title}`))
        cursor = value.next
      }
      return { found, pages }
    }
    const tool = Array.from({ length: 30 }, (_, at) => `others/tool: Fix CVE-2026-1 in ${29 - at}`)
    const { found, pages } = await all({}, { maxLength: 3_000 })
    expect(found).toEqual(tool)
    expect(pages).toBeGreaterThan(1)
    expect((await all({}, { maxLength: 3_000, kind: 'added' })).found).toEqual([])
    expect((await all(bearer(site.filled.full), { maxLength: 3_000 })).found).toEqual([
      'acme/strips: Fix CVE-2026-1 secretly',
    ])
    expect((await all(bearer(site.filled.select), { maxLength: 3_000 })).found).toEqual(tool)
    const none = await ask('search', { query: 'nothing at all' })
    expect(none.value).toEqual({ versions: [], note: 'Nothing was found.' } as never)
    for (const [given, message] of [
      [{ cursor: '0..' }, 'cursor must be `next` from a previous response.'],
      [{ cursor: '0..secret/x y' }, 'cursor must be `next` from a previous response.'],
      [{ since: '1.0.0' }, 'Without changelog, since must be a date, such as 2025-01-31, 2025-01 or 2025.'],
    ] as const)
      expect((await ask('search', { query: 'x', ...given })).text).toBe(message)
  })
})

test('a search over all changelogs ends after 2,500 versions, goes on, and costs as many requests as its work', async () => {
  const server = await startServer(THE_BINARY, { RATE_LIMIT_BURST: '60', RATE_LIMIT_PER_MINUTE: '1' })
  const { seed } = server
  seed.db.transaction(() => {
    for (const [team, labels] of [
      ['a', 1_500],
      ['b', 1_500],
    ] as const) {
      const { changelogId } = seed.product(seed.team(team), 'app')
      for (let at = 0; at < labels; at++)
        seed.version(changelogId, `1.${at}.0`, {
          publishedAt: START + at,
          title: at === 0 ? 'Needle' : 'Hay',
        })
    }
  })()
  const left = async (init: RequestInit) => {
    const response = await fetch(`${server.url}/mcp`, init)
    const [, count] = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? []
    const { result } = (await response.json()) as { result: { structuredContent: Answer } }
    return { count: Number(count), value: result.structuredContent }
  }
  const search = (given: object) =>
    message('tools/call', { name: 'search', arguments: { query: 'needle', ...given } })
  const first = await left(search({}))
  expect(first.count).toBe(59)
  expect(first.value.versions.map(({ changelog }) => changelog)).toEqual(['a/app'])
  const second = await left(search({ cursor: first.value.next }))
  // 2,000 versions are eight requests.
  expect(second.count).toBe(50)
  expect(second.value.versions.map(({ changelog }) => changelog)).toEqual(['b/app'])
  expect(second.value.next).toBeUndefined()
  const again = await left(search({}))
  expect(again.count).toBe(45)
  expect((await left(search({}))).count).toBe(44)
  expect(await server.stop()).toBe(0)
})

test('where pages list nothing, nothing is searched or suggested without a key', async () => {
  const server = await startServer(THE_BINARY, { PAGES: 'unlisted' })
  const { token } = fillOne(server.seed)
  const client = await connect(server.url)
  const keyed = await connect(server.url, '2026-07-28', bearer(token))
  const ask = async (name: string, given: Record<string, unknown>, by = client) => {
    const { content } = await by.callTool({ name, arguments: given })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  expect(await ask('search', { query: 'fix' })).toBe('This server does not list its changelogs. Name one.')
  for (const changelog of ['app', 'acme/ap', 'acme/none'])
    expect(await ask('get_changelog', { changelog })).toBe(NOT_FOUND)
  expect(await ask('get_changelog', { changelog: 'acme/app' })).toContain('Fix it')
  expect(await ask('search', { query: 'fix' }, keyed)).toContain('Fix it')
  expect(await ask('get_changelog', { changelog: 'acme/ap' }, keyed)).toEndWith('Did you mean acme/app?')
  await Promise.all([client.close(), keyed.close()])
  expect(await server.stop()).toBe(0)
})

function fillOne(seed: Seeder) {
  const team = seed.team('acme')
  const { changelogId } = seed.product(team, 'app')
  seed.version(changelogId, '1.0.0', { changes: [{ type: 'fixed', title: 'Fix it' }] })
  return seed.key(team)
}
