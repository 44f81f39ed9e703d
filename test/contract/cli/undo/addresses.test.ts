import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
async function bringBackAll(at: Deleting, database: string, env: Record<string, string> = {}): Promise<void> {
  const run = (...args: string[]) => at.box.run(args, { DATABASE_URL: database, ...env })
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
  test('finds what was deleted through a linked directory, and the other way round', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    symlinkSync('.', at.box.at('linked'))
    const linked = at.box.at('linked/changelogd.db')
    await deleteAll(at)
    await bringBackAll(at, linked)
    await deleteAll(at, linked)
    await bringBackAll(at, at.box.database)
    expect(await at.everything()).toBe(before)
  })

  test('finds what was deleted through a link to the file, and the other way round', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    mkdirSync(at.box.at('links'))
    symlinkSync('../changelogd.db', at.box.at('links/site.db'))
    const link = at.box.at('links/site.db')
    await deleteAll(at, link)
    await bringBackAll(at, at.box.database)
    await deleteAll(at)
    await bringBackAll(at, link)
    expect(await at.everything()).toBe(before)
  })

  test.each([{}, { TRASH_DIR: 'bin' }])(
    'finds what was deleted before the database and the trash moved together: %o',
    async (env: Record<string, string>) => {
      await using at = await Deleting.on('SQLite')
      const before = await at.everything()
      mkdirSync(at.box.at('old'))
      await at.box.json('backup', 'old/x.db')
      const [old, moved] = ['old', 'moved'].map((name) => at.box.at(name)) as [string, string]
      const within = (place: string) => ({
        ...env,
        ...(env.TRASH_DIR && { TRASH_DIR: join(place, env.TRASH_DIR) }),
      })
      for (const line of DELETIONS)
        await at.box.run([...line.split(' '), '--yes'], {
          ...within(old),
          DATABASE_URL: join(old, 'x.db'),
        })
      renameSync(old, moved)
      await bringBackAll(at, join(moved, 'x.db'), within(moved))
      expect((await at.box.run(['export', '--all', '--db', 'moved/x.db'])).stdout).toBe(before)
    },
  )

  test('still finds what 0.2.0 has kept, also after a move and through a linked directory', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    await deleteAll(at)
    asBefore(at.trash, at.kept())
    cpSync(at.trash, at.box.at('kept'), { recursive: true })
    symlinkSync('.', at.box.at('linked'))
    await bringBackAll(at, at.box.at('linked/changelogd.db'))
    await deleteAll(at)
    mkdirSync(at.box.at('moved'))
    renameSync(at.box.database, at.box.at('moved/changelogd.db'))
    renameSync(at.box.at('kept'), at.box.at('moved/trash'))
    await bringBackAll(at, at.box.at('moved/changelogd.db'))
    expect((await at.box.run(['export', '--all', '--db', 'moved/changelogd.db'])).stdout).toBe(before)
  })

  test('does not list what was deleted from another database beside it', async () => {
    await using at = await Deleting.on('SQLite')
    await at.box.json('demo', '--db', 'other.db')
    await deleteAll(at)
    expect(await at.box.json<unknown[]>('undo', '--db', 'other.db')).toEqual([])
  })

  test('is not hindered by a file that names a database which may not be looked up', async () => {
    await using at = await Deleting.on('SQLite')
    await deleteAll(at)
    symlinkSync('loop', at.box.at('loop'))
    const [name = ''] = at.kept()
    const path = join(at.trash, name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(at.box.database, at.box.at('loop/x.db')))
    expect((await at.box.run(['undo', '--json'])).status).toBe(0)
  })
})

describe('undo on PostgreSQL', () => {
  test('finds what was deleted, however the server is addressed', async () => {
    await using at = await Deleting.on('PostgreSQL')
    const before = await at.everything()
    const here = new URL(at.box.database)
    const other = new URL(at.box.database)
    other.hostname = here.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
    expect(other.href).not.toBe(here.href)
    await deleteAll(at)
    await bringBackAll(at, other.href)
    await deleteAll(at, other.href)
    await bringBackAll(at, here.href)
    expect(await at.everything()).toBe(before)
  })

  test('still finds what 0.2.0 has kept', async () => {
    await using at = await Deleting.on('PostgreSQL')
    const before = await at.everything()
    await deleteAll(at)
    asBefore(at.trash, at.kept())
    await bringBackAll(at, at.box.database)
    expect(await at.everything()).toBe(before)
  })

  test('does not list what was deleted from another database of the same server', async () => {
    await using at = await Deleting.on('PostgreSQL')
    await using other = await Deleting.on('PostgreSQL')
    await deleteAll(at)
    const { stdout } = await other.box.run(['undo', '--json'], { TRASH_DIR: at.trash })
    expect(JSON.parse(stdout)).toEqual([])
  })
})
