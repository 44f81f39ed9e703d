import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import start from '../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import { Sandbox } from '../../support/sandbox.ts'

/** Every command that only reads. */
const READING = [
  'team list',
  'team show acme',
  'product list acme',
  'product show acme/app',
  'changelog show acme/app',
  'version list acme/app',
  'version show acme/app 0.1.0',
  'change list acme/app 0.1.0',
  'key list acme',
  'key show key_1',
  'status',
  'status acme/app',
  'export acme/app',
  'export acme/app --output CHANGELOG.md',
  'export --all',
  'get /healthz',
]

const CHANGELOG = '# Changelog\n\n## 1.0.0 - 2026-01-02\n\n### Added\n\n- A thing\n'

let box: Sandbox
/** All files there, but for what Bun keeps in a home. */
const files = () =>
  readdirSync(box.directory)
    .filter((name) => name !== '.bun')
    .sort()

beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.close())

/** A database as 0.1.0 left it. */
function older() {
  using db = new Database(box.database)
  for (const statement of [start, 'PRAGMA application_id = 0x636c6764', 'PRAGMA user_version = 1'])
    db.run(statement)
  db.run("INSERT INTO team VALUES ('team_1', 'acme', 'Acme', 'public', 'paid', 11)")
  db.close()
  return readFileSync(box.database)
}

test('a command that only reads creates nothing, and says how to create a database', async () => {
  for (const line of READING) {
    const { status, stdout, stderr } = await box.words(line)
    expect({ line, status, stdout }).toEqual({ line, status: 1, stdout: '' })
    expect(stderr).toBe(
      `changelogd: There is no database at ${box.database}. To use another database, set --db or DATABASE_URL. To create it: changelogd migrate --db ${box.database}\n`,
    )
    expect(files()).toEqual([])
  }
})

test('a command that only reads leaves an older database as it is, and says how to upgrade it', async () => {
  const before = older()
  for (const line of READING) {
    const { status, stderr } = await box.words(line)
    expect({ line, status }).toEqual({ line, status: 1 })
    expect(stderr).toMatch(/has schema 1\. .* To upgrade it: changelogd migrate --db \S+\n$/)
    expect(readFileSync(box.database)).toEqual(before)
    expect(files()).toEqual(['changelogd.db'])
  }
  await box.json('migrate')
  expect(await box.json<unknown[]>('team', 'list')).toMatchObject([{ slug: 'acme' }])
})

test('completion says nothing and changes nothing where there is no database, or an older one', async () => {
  const offered = () => box.run(['complete', '--', 'team', 'show', ''])
  const silent = await offered()
  expect(silent).toMatchObject({ status: 0, stderr: '' })
  expect(files()).toEqual([])
  const before = older()
  expect(await offered()).toEqual(silent)
  expect(readFileSync(box.database)).toEqual(before)
  await box.json('migrate')
  expect((await offered()).stdout).toContain('acme')
})

test('a command that only reads changes nothing, and leaves no other file', async () => {
  await box.json('demo')
  const before = readFileSync(box.database)
  for (const line of READING.filter((line) => line !== 'key show key_1')) {
    expect({ line, status: (await box.words(line)).status }).toEqual({ line, status: 0 })
    expect(files().filter((name) => name !== 'CHANGELOG.md')).toEqual(['changelogd.db'])
    expect(readFileSync(box.database)).toEqual(before)
  }
})

test('a dry run leaves an older database as it is, and says how to upgrade it', async () => {
  writeFileSync(join(box.directory, 'CHANGELOG.md'), CHANGELOG)
  const before = older()
  const { status, stderr } = await box.words('import acme/app CHANGELOG.md --create --dry-run')
  expect(status).toBe(1)
  expect(stderr).toContain('To upgrade it: changelogd migrate')
  expect(readFileSync(box.database)).toEqual(before)
})
