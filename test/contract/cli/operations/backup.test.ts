import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
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
import { PROGRAM, sandboxForEach } from '../../../support/sandbox.ts'
import { until } from '../../../support/until.ts'

const box = sandboxForEach((fresh) => fresh.json('demo'))
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
    for (let round = 0; round < 5; round++) {
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

  test('never takes the place of the database or of what belongs to it, by whatever name', async () => {
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
    expect(await box.json('team', 'list')).toEqual(teams)
    expect(readFileSync(at('changelogd.db-worker'), 'utf8')).toBe('secrets of hooks')
  })

  test('never takes the place of a database in use', async () => {
    writeFileSync(at('other.db-wal'), 'log')
    expect(await refusedBackup('other.db', '--force')).toContain('looks like a database in use')
  })

  test('goes where a link leads, and not where it leads nowhere', async () => {
    mkdirSync(at('far'))
    writeFileSync(at('far/real.db'), '')
    symlinkSync('far/real.db', at('latest.db'))
    await box.json('backup', 'latest.db', '--force')
    expect((await box.run(['team', 'list', '--db', 'far/real.db'])).status).toBe(0)
    expect(readdirSync(at('far'))).toEqual(['real.db'])
    symlinkSync('nowhere', at('dangling'))
    expect(await refusedBackup('dangling', '--force')).toContain('leads nowhere')
  })

  test('may have a name like an option', async () => {
    expect((await box.run(['backup', '--', '--force'])).status).toBe(0)
    expect(existsSync(at('--force'))).toBe(true)
  })

  test('needs a file: nothing, a directory and a device are none', async () => {
    expect((await box.run(['backup', ''])).status).toBe(2)
    expect((await box.run(['backup'])).status).toBe(2)
    expect(await refusedBackup('.')).toContain('not a file')
    expect(await refusedBackup('/dev/null', '--force')).toContain('not a file')
    expect(await refusedBackup('nowhere/x.db')).toContain('mkdir -p')
    expect(await refusedBackup('changelogd.db/x')).toContain('no directory')
  })

  test('leaves nothing behind when the disk is full', async () => {
    const child = Bun.spawn(['sh', '-c', 'ulimit -f 100; exec "$@"', 'sh', ...PROGRAM, 'backup', 'copy.db'], {
      cwd: box.directory,
      env: box.env,
      stderr: 'pipe',
    })
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toMatch(/^changelogd: Cannot write \S+copy\.db: .+\n$/)
    expect(files()).toEqual(['changelogd.db'])
  })

  // Root may write anywhere, so there is nothing to see.
  if (process.getuid?.() !== 0)
    test('says when it may not write there', async () => {
      mkdirSync(at('closed'), { mode: 0o500 })
      expect(await refusedBackup('closed/x.db')).toContain('Cannot write')
      chmodSync(at('closed'), 0o700)
      expect(readdirSync(at('closed'))).toEqual([])
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

  test('leaves alone what a living one is writing, and what cannot be told', async () => {
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
    const others = ['x.db.partial-0a1b2c3d', 'x.db.partial-0a1b2c3d-1-0a1b', 'notes.partial-1']
    for (const name of others) copyFileSync(box.database, at(`backups/${name}`))
    await box.json('backup', 'backups/tuesday.db')
    expect(files()).toEqual(expect.arrayContaining([...living, ...others, 'tuesday.db']))
    child.kill('SIGCONT')
    expect(await child.exited).toBe(0)
    // Hours later they cannot be in use.
    for (const name of others) utimesSync(at(`backups/${name}`), hoursAgo, hoursAgo)
    await box.json('backup', 'backups/wednesday.db')
    expect(files()).toEqual(['monday.db', 'notes.partial-1', 'tuesday.db', 'wednesday.db'])
  })

  test('leaves alone what other programs have called so, and is not hindered by it', async () => {
    mkdirSync(at('backups'))
    const film = at('backups/film.mp4.partial-0a1b2c3d')
    const directories = ['x.partial-0a1b2c3d', 'x.partial-0a1b2c3d-1-0a1b'].map((name) =>
      at(`backups/${name}`),
    )
    writeFileSync(film, 'precious '.repeat(100))
    for (const path of directories) mkdirSync(path)
    for (const path of [film, ...directories]) utimesSync(path, 1, 1)
    await box.json('backup', 'backups/monday.db')
    expect([film, ...directories].every(existsSync)).toBe(true)
  })

  test('is made also of a database that has an index of its operator, which no restore minds', async () => {
    await box.json('backup', 'sunday.db')
    box.write('CREATE INDEX own ON version (title)')
    await box.json('backup', 'monday.db')
    expect(await box.refusal('restore', 'monday.db', '--yes')).toContain("the index own is not changelogd's")
    for (const command of ['backup verify sunday.db', 'restore sunday.db --yes'])
      expect((await box.run(command.split(' '))).status).toBe(0)
  })

  test('may have a name as long as the file system takes', async () => {
    for (const name of ['x'.repeat(247), 'ü'.repeat(123)]) {
      await box.json('backup', name)
      expect(existsSync(at(name))).toBe(true)
    }
  })

  test('of nothing, of another program’s file and of a damaged one is refused', async () => {
    expect(await refusedBackup('x.db', '--db', 'nothing.db')).toContain('There is no database')
    writeFileSync(at('empty.db'), '')
    expect(await refusedBackup('x.db', '--db', 'empty.db')).toContain('is empty')
    using foreign = new Database(at('foreign.db'))
    foreign.run('CREATE TABLE precious (thing TEXT)')
    expect(await refusedBackup('x.db', '--db', 'foreign.db')).toContain('not one of changelogd')
    using broken = new Database(box.database)
    broken.run('PRAGMA foreign_keys = OFF')
    broken.run("DELETE FROM team WHERE slug = 'acme'")
    broken.close()
    expect(await refusedBackup('x.db')).toContain('changelogd doctor')
  })
})
