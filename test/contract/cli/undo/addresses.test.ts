import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Deleting } from './deleting.ts'

const DELETIONS = [
  'change delete acme/tool 1.1.0 2',
  'version delete acme/tool 1.0.0',
  'product delete acme/tool',
  'team delete acme',
]

/** Deletes something of each kind, one in the other. */
async function deleteAll(at: Deleting, database = at.box.database): Promise<void> {
  for (const line of DELETIONS) {
    const { status, stderr } = await at.box.run([...line.split(' '), '--yes'], { DATABASE_URL: database })
    expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' })
  }
}

/** Brings everything back, the last first, with the database at this address. */
async function bringBackAll(at: Deleting, database: string): Promise<void> {
  const run = (...args: string[]) => at.box.run(args, { DATABASE_URL: database })
  expect(JSON.parse((await run('undo', '--json')).stdout)).toHaveLength(DELETIONS.length)
  for (const _ of DELETIONS) expect((await run('undo', '--last')).stderr).toBe('')
  for (const name of at.kept()) rmSync(join(at.trash, name))
}

/** Makes the files of the trash as 0.2.0 wrote them. */
function asBefore(trash: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(trash, name)
    const [header = '', ...records] = readFileSync(path, 'utf8').split('\n')
    const { deleted, ...format } = JSON.parse(header)
    const { identity: _, ...known } = deleted
    writeFileSync(path, [JSON.stringify({ ...format, deleted: known }), ...records].join('\n'))
  }
}

describe('undo on SQLite', () => {
  test('finds what was deleted through a link to the file or its directory, and the other way round', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    symlinkSync('.', at.box.at('linked'))
    mkdirSync(at.box.at('links'))
    symlinkSync('../changelogd.db', at.box.at('links/site.db'))
    const [throughDirectory, throughFile] = [at.box.at('linked/changelogd.db'), at.box.at('links/site.db')]
    await deleteAll(at)
    await bringBackAll(at, throughDirectory)
    await deleteAll(at, throughDirectory)
    await bringBackAll(at, throughFile)
    await deleteAll(at, throughFile)
    await bringBackAll(at, at.box.database)
    expect(await at.everything()).toBe(before)
  })

  test('finds what was deleted before the database and TRASH_DIR moved together', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    const [old, moved] = ['old', 'moved'].map((name) => at.box.at(name)) as [string, string]
    mkdirSync(old)
    await at.box.json('backup', 'old/x.db')
    const within = (place: string) => ({ DATABASE_URL: join(place, 'x.db'), TRASH_DIR: join(place, 'bin') })
    for (const line of DELETIONS) await at.box.run([...line.split(' '), '--yes'], within(old))
    renameSync(old, moved)
    for (const _ of DELETIONS) expect((await at.box.run(['undo', '--last'], within(moved))).stderr).toBe('')
    expect((await at.box.run(['export', '--all', '--db', 'moved/x.db'])).stdout).toBe(before)
  })

  test('still finds what 0.2.0 has kept, also after a move', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    await deleteAll(at)
    asBefore(at.trash, at.kept())
    mkdirSync(at.box.at('moved'))
    for (const name of ['changelogd.db', 'trash']) renameSync(at.box.at(name), at.box.at(`moved/${name}`))
    await bringBackAll(at, at.box.at('moved/changelogd.db'))
    expect((await at.box.run(['export', '--all', '--db', 'moved/changelogd.db'])).stdout).toBe(before)
  })

  test('lists nothing of another database beside it, and no file that names one which cannot be looked up', async () => {
    await using at = await Deleting.on('SQLite')
    await at.box.json('demo', '--db', 'other.db')
    await deleteAll(at)
    expect(await at.box.json<unknown[]>('undo', '--db', 'other.db')).toEqual([])
    symlinkSync('loop', at.box.at('loop'))
    const path = join(at.trash, at.kept()[0] ?? '')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(at.box.database, at.box.at('loop/x.db')))
    expect((await at.box.run(['undo', '--json'])).status).toBe(0)
  })
})

describe('undo on PostgreSQL', () => {
  test('finds what was deleted, by 0.2.0 too, however the server is addressed, and nothing of another database of it', async () => {
    await using at = await Deleting.on('PostgreSQL')
    await using other = await Deleting.on('PostgreSQL')
    const before = await at.everything()
    const elsewhere = new URL(at.box.database)
    elsewhere.hostname = elsewhere.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
    expect(elsewhere.href).not.toBe(at.box.database)
    await deleteAll(at)
    const { stdout } = await other.box.run(['undo', '--json'], { TRASH_DIR: at.trash })
    expect(JSON.parse(stdout)).toEqual([])
    await bringBackAll(at, elsewhere.href)
    await deleteAll(at, elsewhere.href)
    await bringBackAll(at, at.box.database)
    await deleteAll(at)
    asBefore(at.trash, at.kept())
    await bringBackAll(at, at.box.database)
    expect(await at.everything()).toBe(before)
  })
})
