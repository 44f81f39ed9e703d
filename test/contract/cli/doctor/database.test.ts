import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/migrations.ts'
import { doctorForEach } from './examined.ts'

const { box, at, examined, only } = doctorForEach()

describe('of the database it says', () => {
  test('that there is none, also where a server may still have it', async () => {
    const none = await only(['--db', 'nowhere/x.db'])
    expect(none).toMatchObject({ state: 'wrong', check: 'database' })
    expect(none.remedy).toEndWith('create it: changelogd migrate --db nowhere/x.db')
    writeFileSync(at('gone.db-wal'), '', { mode: 0o600 })
    expect((await only(['--db', 'gone.db'])).remedy).toContain(`rm ${at('gone.db-wal')}`)
  })

  test('that it is no database, a directory, or another program’s', async () => {
    writeFileSync(at('text.db'), 'notes '.repeat(1_000), { mode: 0o600 })
    expect((await only(['--db', 'text.db'])).message).toContain('not a database')
    mkdirSync(at('directory.db'), { mode: 0o700 })
    const { faults } = await examined(['--db', 'directory.db'])
    expect(faults[0]).toMatchObject({ state: 'wrong', check: 'database' })
    using foreign = new Database(at('foreign.db'))
    foreign.run('CREATE TABLE precious (thing TEXT)')
    chmodSync(at('foreign.db'), 0o600)
    expect((await only(['--db', 'foreign.db'])).message).toContain('not a changelogd database')
  })

  test('that a page of it is damaged, or that it was cut short', async () => {
    const bytes = readFileSync(box.database)
    writeFileSync(box.database, bytes.fill(0xff, 3 * 4_096, 3 * 4_096 + 200))
    const { faults, checks } = await examined()
    expect(faults).toMatchObject([{ state: 'wrong', check: 'integrity' }])
    expect(checks).not.toContain('foreign keys')
    truncateSync(box.database, 20_000)
    expect((await examined()).faults[0]?.remedy).toContain('changelogd restore')
  })

  const altered = (...statements: string[]) => {
    using db = new Database(box.database)
    for (const statement of statements) db.run(statement)
  }

  test('which records lack what they belong to', async () => {
    altered('PRAGMA foreign_keys = OFF', "DELETE FROM team WHERE slug = 'hooli'")
    const found = await only()
    expect(found).toMatchObject({ state: 'wrong', check: 'foreign keys' })
    expect(found.message).toContain('of product without team')
  })

  test('which triggers and indexes it lost, and a remedy that works while a server runs', async () => {
    const range = '/public/teams/acme/products/app/changelog?from=0.1.0'
    expect((await box.seenByApi(range)).status).toBe(200)
    altered(
      ...['change_added', 'change_removed', 'version_added', 'version_edited'].map(
        (name) => `DROP TRIGGER ${name}`,
      ),
      ...['version_range', 'version_precedence', 'product_team'].map((name) => `DROP INDEX ${name}`),
    )
    await box.json('version', 'create', 'acme/app', '9.0.0', '--status', 'published')
    await box.json('change', 'add', 'acme/app', '9.0.0', 'More', '--type', 'added')
    expect((await box.seenByApi(range)).status).toBe(503)
    const { check, message, remedy } = await only()
    expect([check, message]).toEqual(['schema', 'no index product_team, and 6 more'])
    expect((await box.paste(remedy?.replace(/.*: /, '') ?? '')).stderr).toContain('no trigger version_edited')
    expect((await examined()).faults).toEqual([])
    const { status, data } = await box.seenByApi(range)
    expect([status, data?.versions?.map(({ version, changeCount }) => [version, changeCount])]).toEqual([
      200,
      [['9.0.0', 1]],
    ])
  })

  test('which stored counts are wrong, and the remedy says what it has mended', async () => {
    altered("UPDATE version SET change_count = 999999999 WHERE label = '0.1.0'")
    const { check, message, remedy } = await only()
    expect([check, message]).toEqual([
      'contents',
      expect.stringMatching(/^version.change_count is not the number of changes \(rows: \d, such as ver_/),
    ])
    const { stderr } = await box.paste(remedy?.replace(/.*: /, '') ?? '')
    expect(stderr).toStartWith('Repaired: version.change_count is not the number of changes (rows: ')
    expect((await examined()).faults).toEqual([])
    expect((await box.words('migrate --repair')).stderr).toBe('Nothing to repair.\n')
  })

  test.each([
    "kinds = replace(kinds, 'added=1', 'added=999999999')",
    "kinds = kinds || ',breaking=12'",
    'precedence = null',
  ])('which stored counts or order a version cannot have, and a repair mends them: %s', async (wrong) => {
    altered(`UPDATE version SET ${wrong} WHERE label = '0.1.0'`)
    expect((await only()).message).toMatch(
      /^version.kinds or version.precedence is not what the version says/,
    )
    expect((await box.words('migrate --repair')).status).toBe(0)
    expect((await examined()).faults).toEqual([])
  })

  test.each([
    ["UPDATE product SET language = 'zz-not'", 'product.language is unknown'],
    [
      "INSERT INTO hook (id, team_id, kind, status, created_at) SELECT 'hk_1', id, 'fax', 'disabled', 0 FROM team LIMIT 1",
      'hook.kind is unknown',
    ],
    ['UPDATE api_key SET created_at = 9000000000000000000', 'api_key.created_at is out of range'],
    ['UPDATE api_key_token SET expires_at = 9000000000000000000', 'api_key_token.expires_at is out of range'],
  ])(
    'which stored values are impossible, which a repair says that it cannot mend: %s',
    async (statement, fault) => {
      await box.json('key', 'create', 'acme')
      altered(statement)
      expect((await examined()).faults[0]?.message).toStartWith(`${fault} (rows: `)
      const { status, stderr } = await box.words('migrate --repair')
      expect(stderr).toContain(`This cannot be repaired: ${fault} (rows: `)
      expect(status).toBe(1)
    },
  )

  test('that its schema is newer, older, none yet, or not what it says', async () => {
    altered('PRAGMA user_version = 999')
    expect(await only()).toMatchObject({ state: 'wrong', check: 'schema' })
    altered('PRAGMA user_version = 0')
    const older = await only()
    expect(older).toMatchObject({ state: 'warn', check: 'schema' })
    expect(older.remedy).toEndWith(': changelogd migrate')
    // As it was asked: the command can be pasted.
    expect((await only(['--db', box.database])).remedy).toEndWith(`changelogd migrate --db ${box.database}`)
    altered(`PRAGMA user_version = ${SCHEMA_VERSION}`, 'ALTER TABLE changelog DROP COLUMN preamble')
    expect(await only()).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('table changelog'),
    })
    writeFileSync(at('empty.db'), '', { mode: 0o600 })
    expect(await only(['--db', 'empty.db'])).toMatchObject({ state: 'warn', check: 'schema' })
    expect(statSync(at('empty.db')).size).toBe(0)
  })
})
