import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Column, getTableColumns, getTableName } from 'drizzle-orm'
import { readConfig } from '../../../../src/config/config.ts'
import { createHandler } from '../../../../src/http/handler.ts'
import type { Handler } from '../../../../src/http/request/context.ts'
import { SQLITE_TABLES } from '../../../../src/store/tables/sqlite.ts'
import { noting, openHandlerOn } from '../../../support/servers/handler.ts'
import {
  bearer,
  ENGINES,
  fingerprint,
  keyedPath,
  PLENTY,
  publicPath,
} from '../../../support/servers/server.ts'

const MOMENT = Date.UTC(2026, 11, 1, 9)
const DAY = 86_400_000
const PICTURE = `${'a'.repeat(32)}-2x1`
const PAGE = '/changelog/acme/app'
const SOURCE = `# Why\n\nAt length.\n\n## Fixes\n\n- [x] Fix #12\n\n## How\n\nSo.\n`

/** What each kind of address shows, of a product with some of everything. */
const TARGETS = [
  publicPath('acme', 'app', '?include=changes'),
  publicPath('acme', 'app', '?after=before'),
  publicPath('acme', 'app', '/versions/1.1.0'),
  keyedPath('acme', 'app'),
  PAGE,
  `${PAGE}.md`,
  `${PAGE}/1.1.0`,
  `${PAGE}/feed.atom`,
  `${PAGE}/CHANGELOG.md`,
  `${PAGE}/badge.svg`,
  `${PAGE}/pictures/${PICTURE}.webp`,
]
const OTHERS = ['/changelog/acme', '/changelog/old/app', publicPath('acme', 'lib'), '/changelog/acme/lib']

/** Tables that have a part in what pages of a product show. */
const {
  teams,
  products,
  changelogs,
  versions,
  changes,
  versionSources,
  formerLabels,
  formerAddresses,
  pictures,
  keys,
} = SQLITE_TABLES

describe.each(ENGINES)('what is kept across commits on %s', (engine) => {
  const settings = { PUBLIC_URL: 'https://news.acme.test' }
  let now = MOMENT
  const reads: unknown[] = []
  let server: Awaited<ReturnType<typeof openHandlerOn>>
  let afresh: Handler
  const ids = { token: '', app: '', lib: '', team: '', version: '', last: '', product: '' }

  beforeAll(async () => {
    const names = ['readChangelog', 'readVersion', 'readOverview', 'readNeighbors'] as const
    const noted = noting(names, (...given) => void reads.push(given.slice(1, 3).join('/')))
    server = await openHandlerOn(engine, () => now, settings, noted)
    const { seed, store } = server
    const config = readConfig({}, { ...PLENTY, ...settings, CACHE_MAX_BYTES: '0' })
    afresh = createHandler({ config, store, logger: { log: () => {}, report: () => {} } })
    ids.team = seed.team('acme')
    const app = seed.product(ids.team, 'app', { repository: 'https://github.com/acme/app' })
    ids.app = app.changelogId
    ids.product = app.id
    const changes = [
      { type: 'fixed', typeLabel: 'Fixes', description: 'For good.', title: 'Fix #12' },
      { type: 'added', title: 'More' },
    ]
    const versions = [0, 1, 2].map((at) =>
      seed.version(ids.app, `1.${at}.0`, {
        ...{ changes, publishedAt: MOMENT - (9 - at) * DAY, closing: 'The end.', source: SOURCE },
        description: `![shot](pictures/${PICTURE}.webp)`,
      }),
    )
    ids.version = versions[1] as string
    ids.lib = seed.product(ids.team, 'lib').changelogId
    ids.last = seed.version(ids.lib, '0.1.0')
    seed.formerLabel(ids.app, 'before', versions[0] as string)
    const bytes = engine === 'SQLite' ? "x'5249'" : String.raw`'\x5249'`
    seed.db.run(`INSERT INTO picture VALUES ('${ids.app}', '${PICTURE}', 'png', 1, null, ${bytes})`)
    seed.db.run(`INSERT INTO former_address VALUES ('old', 'app', '${ids.product}')`)
    ids.token = seed.key(ids.team).token
  })
  afterAll(() => server[Symbol.dispose]())
  beforeEach(() => {
    reads.length = 0
  })

  const run = async (sql: string) => {
    server.seed.db.run(sql)
    await server.store.ping()
  }
  const headersFor = (target: string): Record<string, string> =>
    target.includes('/v1/teams/') ? bearer(ids.token) : {}
  const kept = async (target: string) => fingerprint(await server.get(target, headersFor(target)))
  const made = async (target: string) => {
    const request = new Request(`http://localhost${target}`, { headers: headersFor(target) })
    return fingerprint(await afresh(request, () => ({ address: '127.0.0.9', port: 1 })))
  }
  /** The addresses where the server says something else than one that keeps nothing; and what that one says. */
  const compared = async () => {
    const [wrong, prints]: [string[], string[]] = [[], []]
    for (const target of [...TARGETS, ...OTHERS]) {
      const print = await made(target)
      if ((await kept(target)) !== print) wrong.push(target)
      prints.push(print)
    }
    return { wrong, prints: prints.join('\n') }
  }

  const rows = (): [Parameters<typeof getTableName>[0], string][] => [
    [versionSources, `version_id = '${ids.version}'`],
    [formerLabels, `changelog_id = '${ids.app}'`],
    [pictures, `changelog_id = '${ids.app}'`],
    [teams, `id = '${ids.team}'`],
    [products, `id = '${ids.product}'`],
    [changelogs, `id = '${ids.app}'`],
    [versions, `id = '${ids.version}'`],
    [changes, `version_id = '${ids.version}'`],
    [formerAddresses, `product_id = '${ids.product}'`],
    [keys, `team_id = '${ids.team}'`],
  ]
  /** What cannot be any text, and what it is again afterwards; null for what others refer to or only triggers write. */
  const special = (): Record<string, [string, string?] | null> => ({
    'team.id': null,
    'team.slug': ["'acme2'", "'acme'"],
    'team.visibility': ["'private'", "'public'"],
    'team.plan': ["'free'"],
    'team.subscribe_url': ["'https://acme.test/news'"],
    'product.id': null,
    'product.team_id': null,
    'product.slug': ["'app2'", "'app'"],
    'product.status': ["'locked'", "'published'"],
    'product.language': ["'de'"],
    'product.subscribe_url': ["'https://acme.test/app'"],
    'product.repository': ["'https://github.com/acme/other'"],
    'changelog.id': null,
    'changelog.product_id': null,
    'changelog.revision': null,
    'changelog.status': ["'locked'", "'published'"],
    'version.id': null,
    'version.changelog_id': [`'${ids.lib}'`, `'${ids.app}'`],
    'version.label': ["'1.1.5'", "'1.1.0'"],
    'version.status': ["'draft'", "'published'"],
    'version.kinds': ['null'],
    'version.pictures': ["'[]'", `'["${PICTURE}"]'`],
    'version.prerelease': ['true', 'null'],
    'change.version_id': [`'${ids.last}'`, `'${ids.version}'`],
    'change.position': ['-position'],
    'version_source.version_id': [`'${ids.last}'`, `'${ids.version}'`],
    'former_label.changelog_id': [`'${ids.lib}'`, `'${ids.app}'`],
    'former_label.version_id': [`'${ids.version}'`],
    'former_label.label': ["'now'", "'before'"],
    'former_address.product_id': null,
    'picture.changelog_id': [`'${ids.lib}'`, `'${ids.app}'`],
    'picture.id': ["'b'", `'${PICTURE}'`],
    'picture.kind': ["'jpeg'"],
    'api_key.id': null,
    'api_key.team_id': null,
    'api_key.kind': ["'SELECT'", "'FULL'"],
    'api_key.status': ["'disabled'", "'active'"],
    'api_key.expires_at': ['1', 'null'],
  })
  const another = ({ name, dataType }: Column): string => {
    if (dataType === 'boolean') return `not ${name}`
    if (dataType === 'number') return `coalesce(${name}, 0) + 1`
    if (dataType === 'string') return `coalesce(${name}, '') || '.'`
    return engine === 'SQLite' ? "x'5250'" : String.raw`'\x5250'`
  }

  test('what a commit to another product left as it was is not made again, and has the same tag', async () => {
    await compared()
    reads.length = 0
    const before = await Promise.all(TARGETS.map(kept))
    expect(before.filter((print) => !print.startsWith('{"status":200'))).toEqual([])
    await run(`UPDATE version SET title = 'Another' WHERE id = '${ids.last}'`)
    expect(await Promise.all(TARGETS.map(kept))).toEqual(before)
    expect(reads.filter((read) => read === 'acme/app')).toEqual([])
    expect((await compared()).wrong).toEqual([])
  })

  test('each column of what is shown is seen at once when anyone writes it, and put back', async () => {
    let { prints } = await compared()
    const unseen: string[] = []
    for (const [table, where] of rows())
      for (const column of Object.values(getTableColumns(table))) {
        const name = `${getTableName(table)}.${column.name}`
        const values = special()[name] === undefined ? [another(column)] : special()[name]
        for (const [at, value] of (values ?? []).entries()) {
          const moved = where.replace(ids.app, ids.lib).replace(ids.version, ids.last)
          const of = at > 0 && where.startsWith(column.name) ? moved : where
          await run(`UPDATE ${getTableName(table)} SET ${column.name} = ${value} WHERE ${of}`)
          const found = await compared()
          expect([name, value, found.wrong]).toEqual([name, value as string, []])
          if (at === 0 && found.prints === prints) unseen.push(name)
          prints = found.prints
        }
      }
    expect(unseen).toMatchInlineSnapshot(`
      [
        "version_source.hash",
        "picture.kind",
        "picture.created_at",
        "picture.unshown_at",
        "team.plan",
        "team.created_at",
        "product.created_at",
        "changelog.preamble",
        "version.dated",
        "version.created_at",
        "version.imported",
        "version.kinds",
        "version.precedence",
        "version.pictures",
        "version.edition",
        "version.derived_by",
        "change.imported",
        "former_address.product_slug",
        "api_key.label",
        "api_key.created_at",
      ]
    `)
  })

  test('what is added and removed is seen at once, and so is the moment of a scheduled version', async () => {
    const { seed } = server
    const differs = async (act: () => unknown) => {
      const { prints } = await compared()
      await act()
      await server.store.ping()
      const found = await compared()
      expect(found.wrong).toEqual([])
      expect(found.prints === prints).toBe(false)
    }
    let added = ''
    await differs(() => {
      added = seed.version(ids.app, '2.0.0', { publishedAt: MOMENT - DAY, source: SOURCE })
    })
    const change = `'x', '${added}', 1, 'added', 'New'`
    await differs(() => run(`INSERT INTO change (id, version_id, position, type, title) VALUES (${change})`))
    await differs(() => run("DELETE FROM change WHERE id = 'x'"))
    await differs(() => run(`DELETE FROM picture WHERE changelog_id = '${ids.app}'`))
    await differs(() => run(`DELETE FROM former_label WHERE changelog_id = '${ids.app}'`))
    await differs(() => seed.formerLabel(ids.app, 'before', added))
    await differs(() => run(`DELETE FROM version WHERE id = '${added}'`))
    await differs(() => seed.version(ids.app, '3.0.0', { status: 'published', publishedAt: MOMENT - DAY }))
    await run("UPDATE version SET status = 'scheduled' WHERE label = '3.0.0'")
    for (const moment of [MOMENT - DAY - 1, MOMENT, MOMENT - DAY - 1])
      await differs(() => {
        now = moment
      })
    await differs(() => run(`DELETE FROM product WHERE id = '${ids.product}'`))
  })
})
