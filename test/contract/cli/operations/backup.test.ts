import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/migrations.ts'
import { startWriter } from '../../../support/database/writer.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'
import { until } from '../../../support/until.ts'

const box = sandboxForEach((fresh) => fresh.demo())
const { at, files } = box
const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
const refusedBackup = (...args: string[]) => box.refusal('backup', ...args)

describe('a backup', () => {
  test('is the whole database in one file for its owner only, and says what is in it', async () => {
    const told = await box.json('backup', 'copy.db')
    using db = new Database(box.database)
    const count = (table: string) => db.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0]
    expect(told).toMatchObject({
      file: at('copy.db'),
      teams: count('team'),
      products: count('product'),
      versions: count('version'),
      keys: count('api_key'),
      schema: SCHEMA_VERSION,
    })
    db.close()
    expect(told.bytes).toBe(statSync(at('copy.db')).size)
    expect(statSync(at('copy.db')).mode & 0o777).toBe(0o600)
    expect(files()).toEqual(['changelogd.db', 'copy.db'])
    const status = (await box.words('status')).stdout
    const ofCopy = (await box.run(['status', '--db', 'copy.db'])).stdout
    expect(ofCopy).toBe(status.replace(at('changelogd.db'), at('copy.db')))
    expect((await box.words('backup other.db')).stdout).toMatch(
      /^Backed up \d+ teams, \d+ products, \d+ versions, \d+ keys to \S+other\.db: \d+ kB in \d+ ms\.\n$/,
    )
  })

  test('taken while another process writes without a pause is one state of the data', async () => {
    const writer = await startWriter(box, box.database)
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      await box.json('backup', `${round}.db`)
      using copy = new Database(at(`${round}.db`), { readonly: true })
      const seen = copy
        .query<{ versions: number; changes: number; name: string }, []>(
          `SELECT count(DISTINCT v.id) AS versions, count(*) AS changes, t.name FROM team t
           JOIN product p ON p.team_id = t.id JOIN changelog c ON c.product_id = p.id
           JOIN version v ON v.changelog_id = c.id JOIN change g ON g.version_id = v.id WHERE t.slug = 'written'`,
        )
        .get()
      expect(seen?.changes).toBe((seen?.versions ?? 0) * 3)
      expect(Number(seen?.name)).toBe(seen?.versions as number)
      counts.push(seen?.versions ?? 0)
      await until(() => writer.count() > (counts.at(-1) as number))
    }
    // It was written to all the time: no two backups are alike.
    expect(new Set(counts).size).toBe(counts.length)
  })

  test('does not replace a file that is there, unless told to', async () => {
    writeFileSync(at('notes'), 'precious')
    expect(await refusedBackup('notes')).toContain('--force')
    expect(readFileSync(at('notes'), 'utf8')).toBe('precious')
    await box.json('backup', 'notes', '--force')
    expect((await box.run(['team', 'list', '--db', 'notes'])).status).toBe(0)
    expect(statSync(at('notes')).mode & 0o777).toBe(0o600)
  })

  test('never takes the place of the database, of what belongs to it by whatever name, or of one in use', async () => {
    const teams = await box.json('team', 'list')
    symlinkSync('changelogd.db', at('link.db'))
    linkSync(box.database, at('twin.db'))
    symlinkSync(box.directory, at('round'))
    const names = ['changelogd.db', 'link.db', 'twin.db', 'round/changelogd.db', './x/../changelogd.db']
    const parts = ['changelogd.db-wal', 'changelogd.db-shm', 'round/changelogd.db-journal']
    writeFileSync(at('changelogd.db-worker'), 'secrets of hooks')
    linkSync(at('changelogd.db-worker'), at('twin'))
    const notes = ['', '-wal', '-shm', '-journal'].map((end) => `changelogd.db-worker${end}`)
    for (const name of [...names, ...parts, ...notes, 'twin'])
      expect(await refusedBackup(name, '--force')).toContain('belongs to the database itself')
    writeFileSync(at('other.db-wal'), 'log')
    expect(await refusedBackup('other.db', '--force')).toContain('looks like a database in use')
    expect(await box.json('team', 'list')).toEqual(teams)
    expect(readFileSync(at('changelogd.db-worker'), 'utf8')).toBe('secrets of hooks')
  })

  test('goes where a link leads, and not where it is a broken link', async () => {
    mkdirSync(at('far'))
    writeFileSync(at('far/real.db'), '')
    symlinkSync('far/real.db', at('latest.db'))
    await box.json('backup', 'latest.db', '--force')
    expect((await box.run(['team', 'list', '--db', 'far/real.db'])).status).toBe(0)
    expect(readdirSync(at('far'))).toEqual(['real.db'])
    symlinkSync('nowhere', at('dangling'))
    expect(await refusedBackup('dangling', '--force')).toContain('is a broken link')
  })

  test('may have a name like an option, and one as long as the file system takes', async () => {
    for (const name of ['--force', 'x'.repeat(247), 'ü'.repeat(123)]) {
      expect((await box.run(['backup', '--', name])).status).toBe(0)
      expect(existsSync(at(name))).toBe(true)
    }
    expect(await refusedBackup('nowhere/x.db')).toContain('mkdir -p')
  })

  test('removes what a killed one has left in that directory, whatever its name was', async () => {
    mkdirSync(at('backups'))
    const begun = () => readdirSync(at('backups')).some((name) => name.includes('.partial-'))
    // One that was done before it could be killed is tried again.
    await until(() => box.killedWhen(begun, ['backup', 'backups/monday.db', '--force']))
    expect(begun()).toBe(true)
    await box.json('backup', 'backups/tuesday.db')
    expect(begun()).toBe(false)
  })

  test('leaves alone what a living one is writing, what cannot be told, and what other programs have called so', async () => {
    mkdirSync(at('backups'))
    const files = () => readdirSync(at('backups')).sort()
    const parts = () => files().filter((name) => name.includes('.partial-'))
    let child = box.start(['backup', 'backups/monday.db'])
    // Stopped while it is writing; one that was done before is tried again.
    await until(async () => {
      await until(() => parts().length > 0 || child.exitCode !== null)
      child.kill('SIGSTOP')
      if (parts().length > 0) return true
      child.kill('SIGKILL')
      child = box.start(['backup', 'backups/monday.db', '--force'])
      return false
    })
    const living = parts()
    const recent = ['x.db.partial-0a1b2c3d-1-0a1b']
    const foreign = ['film.mp4.partial-0a1b2c3d', 'notes.partial-1', 'y.partial-0a1b2c3d-1-0a1b']
    for (const name of recent) copyFileSync(box.database, at(`backups/${name}`))
    for (const name of foreign.slice(0, 2)) writeFileSync(at(`backups/${name}`), 'precious '.repeat(100))
    mkdirSync(at(`backups/${foreign[2]}`))
    for (const name of foreign) utimesSync(at(`backups/${name}`), 1, 1)
    await box.json('backup', 'backups/tuesday.db')
    expect(files()).toEqual(expect.arrayContaining([...living, ...recent, ...foreign, 'tuesday.db']))
    child.kill('SIGCONT')
    expect(await child.exited).toBe(0)
    // Hours later they cannot be in use.
    for (const name of recent) utimesSync(at(`backups/${name}`), hoursAgo, hoursAgo)
    await box.json('backup', 'backups/wednesday.db')
    expect(files()).toEqual([...foreign, 'monday.db', 'tuesday.db', 'wednesday.db'].sort())
  })

  test('is made also of a database that has an index of its operator, which no restore minds', async () => {
    await box.json('backup', 'sunday.db')
    box.write('CREATE INDEX own ON version (title)')
    await box.json('backup', 'monday.db')
    expect(await box.refusal('restore', 'monday.db', '--yes')).toContain("the index own is not changelogd's")
    for (const command of ['backup verify sunday.db', 'restore sunday.db --yes'])
      expect((await box.run(command.split(' '))).status).toBe(0)
  })

  test('of nothing, of another program’s file and of a damaged one is refused', async () => {
    expect(await refusedBackup('x.db', '--db', 'nothing.db')).toContain('There is no database')
    writeFileSync(at('empty.db'), '')
    expect(await refusedBackup('x.db', '--db', 'empty.db')).toContain('is empty')
    using foreign = new Database(at('foreign.db'))
    foreign.run('CREATE TABLE precious (thing TEXT)')
    expect(await refusedBackup('x.db', '--db', 'foreign.db')).toContain('not a changelogd database')
    using broken = new Database(box.database)
    broken.run('PRAGMA foreign_keys = OFF')
    broken.run("DELETE FROM team WHERE slug = 'acme'")
    broken.close()
    expect(await refusedBackup('x.db')).toContain('changelogd doctor')
  })
})
