import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts'
import { refused } from '../../support/commands/refused.ts'
import { contents } from '../../support/database/contents.ts'
import { createOld, OLD_SCHEMAS } from '../../support/database/old-schemas.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'

const [old] = OLD_SCHEMAS.slice(-1)
if (!old) throw new Error('there is no older schema')

const box = sandboxForEach()
const { at } = box
const backups = () => readdirSync(dirname(box.database)).filter((name) => name.endsWith('.backup'))

/** Makes the database look as one that a newer program has upgraded. */
function makeNewer(): void {
  using db = new Database(box.database)
  db.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
}

test('every command that upgrades a database names the backup that it has made', async () => {
  createOld(old, box.database)
  const { status, stderr } = await box.words('team update acme --name New')
  expect(status).toBe(0)
  const [name] = backups()
  expect(stderr).toBe(
    `Upgraded ${box.database} from schema ${old.schema} to ${SCHEMA_VERSION}. The backup from before the upgrade is ${at(String(name))}\n`,
  )
  expect(name).toMatch(new RegExp(`^changelogd\\.db\\.schema-${old.schema}-\\d{8}T\\d{9}Z\\.backup$`))
})

test('migrate gives scripts the path of the backup, which is beside the real file', async () => {
  createOld(old, box.database)
  symlinkSync(box.database, at('link.db'))
  const migrated = await box.json<{ backup: string }>('migrate', '--db', at('link.db'))
  expect(migrated).toMatchObject({ steps: SCHEMA_VERSION - old.schema, schema: SCHEMA_VERSION })
  expect(migrated.backup).toBe(at(String(backups()[0])))
  expect(await box.json('migrate')).toMatchObject({ steps: 0, backup: null })
})

test('migrate keeps a copy of an older file of the worker, with which an older program goes on', async () => {
  createOld(old, box.database)
  const file = `${box.database}-worker`
  const migrations = join(import.meta.dir, '../../../drizzle/bookkeeping')
  using worker = new Database(file, { create: true })
  for (const name of ['0000_sources.sql', '0001_hooks.sql'])
    worker.run(readFileSync(join(migrations, name), 'utf8'))
  worker.run('PRAGMA user_version = 2')
  worker.run("INSERT INTO worker_hook_secret (hook_id, secret, created_at) VALUES ('hok_1', 'whsec_x', 1)")
  worker.close()
  expect(await box.words('migrate')).toMatchObject({ status: 0 })
  const [copy = ''] = backups().filter((name) => name.startsWith('changelogd.db-worker.schema-2-'))
  expect(statSync(at(copy)).mode & 0o777).toBe(0o600)
  {
    using db = new Database(file)
    db.run('PRAGMA user_version = 99')
  }
  const line = `mv ${file} ${file}.newer && cp `
  expect((await box.words('follow list')).stderr).toContain(`${line}${file}.schema-`)
  expect(await box.runProgram(['sh', '-ec', `${line}${at(copy)} ${file}`])).toMatchObject({ status: 0 })
  using back = new Database(file, { readonly: true })
  expect(back.query('SELECT secret FROM worker_hook_secret').values()).toEqual([['whsec_x']])
  expect(back.query('PRAGMA user_version').values()).toEqual([[2]])
})

test('a restore that upgrades the database first names that backup too', async () => {
  await box.json('migrate')
  await box.json('backup', 'monday.db')
  rmSync(box.database)
  createOld(old, box.database)
  const { status, stderr } = await box.words('restore monday.db --yes')
  expect(status).toBe(0)
  expect(stderr).toContain(`The backup from before the upgrade is ${at(String(backups()[0]))}\n`)
  expect(stderr).toContain('To go back to the old content')
})

test('a database that is newer than the program is refused with the way back, and that way leads back', async () => {
  createOld(old, box.database)
  const before = contents(box.database)
  const { backup } = await box.json<{ backup: string }>('migrate')
  makeNewer()
  const way = `mv ${box.database} ${box.database}.newer && changelogd restore ${backup} --db ${box.database}`
  for (const line of ['status', 'serve', 'migrate', 'doctor']) {
    const { status, stdout, stderr } = await box.words(line)
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('of a newer changelogd')
    expect(stdout + stderr).toContain(way)
  }
  const script = way.replace(' changelogd ', ' "$0" ')
  expect(await box.runProgram(['sh', '-ec', script, ...PROGRAM])).toMatchObject({ status: 0 })
  expect(await box.json('team', 'list')).toHaveLength(2)
  expect(contents(backup)).toBe(before)
})

test('without a backup that the program can use, a backup from before is what helps', async () => {
  await box.json('migrate')
  makeNewer()
  await Bun.write(at(`changelogd.db.schema-${SCHEMA_VERSION + 1}-20261115T101112345Z.backup`), 'newer too')
  const line = refused(await box.words('status'), 'restore a backup from before the upgrade')
  expect(line).not.toContain('.backup')
})
