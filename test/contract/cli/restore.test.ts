import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { newId } from '../../../src/domain/id.ts'
import { SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts'
import { contents } from '../../support/database/contents.ts'
import { logBytes } from '../../support/database/steps.ts'
import { startWriter } from '../../support/database/writer.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'
import { seeder } from '../../support/seed.ts'
import { until } from '../../support/until.ts'

const PUBLIC = '/public/teams/acme/products/app/changelog'
const KEYED = '/teams/acme/products/app/changelog'

const box = sandboxForEach()
const { at, files } = box
const refusedRestore = (...args: string[]) => box.refusal('restore', ...args, '--yes')

/** Makes a database with so many versions of a team's product, and gives its contents. */
function fill(path: string, slug: string, versions: number): string {
  const seed = seeder(path)
  seed.db.transaction(() => {
    const { changelogId } = seed.product(seed.team(slug), 'app')
    const changes = Array.from({ length: 5 }, () => ({ type: 'added', title: slug.repeat(20) }))
    for (let count = 0; count < versions; count++) seed.version(changelogId, newId('ver'), { changes })
  })()
  seed.db.close()
  return contents(path)
}

interface Counts {
  teams: number
  products: number
  versions: number
  keys: number
}

interface Restored {
  kept: string | null
  restored: Counts
  replaced: Counts | null
  migrations: number
}

describe('a restore', () => {
  test('is what a running server says at its next request, keys included', async () => {
    const { token } = await box.json<{ token: string }>('demo')
    expect((await box.seenByApi(KEYED, token)).status).toBe(200)
    await box.json('backup', 'monday.db')
    const monday = await box.seenByApi(PUBLIC)

    await box.json('team', 'update', 'acme', '--name', 'Tuesday')
    await box.json('version', 'delete', 'acme/app', '0.1.0', '--yes')
    const keys = await box.json<{ id: string; label: string }[]>('key', 'list', 'acme')
    await box.json('key', 'delete', keys.find(({ label }) => label === 'demo')?.id as string, '--yes')
    const later = await box.json<{ token: string }>('key', 'create', 'acme', '--label', 'later')
    expect((await box.seenByApi(KEYED, token)).status).toBe(401)
    expect((await box.seenByApi(KEYED, later.token)).status).toBe(200)

    const { kept } = await box.json<Restored>('restore', 'monday.db', '--yes')
    // It is in the file itself, though the server has that open.
    copyFileSync(box.database, at('alone.db'))
    expect(contents(at('alone.db'))).toBe(contents(at('monday.db')))
    expect(await box.seenByApi(PUBLIC)).toEqual(monday)
    expect((await box.seenByApi(KEYED, token)).status).toBe(200)
    expect((await box.seenByApi(KEYED, later.token)).status).toBe(401)

    await box.json('restore', kept as string, '--yes')
    expect((await box.seenByApi(PUBLIC)).data?.team?.name).toBe('Tuesday')
    expect((await box.seenByApi(KEYED, token)).status).toBe(401)
    expect((await box.seenByApi(KEYED, later.token)).status).toBe(200)
  })

  test('says what goes and what comes, keeps what was there in a file of its owner, and leaves nothing else', async () => {
    await box.demo()
    const { teams, products, versions, keys } = await box.json<Counts>('backup', 'monday.db')
    await box.json('team', 'create', 'more', '--name', 'More')
    const [backup, before] = [readFileSync(at('monday.db')), contents(box.database)]
    const asked = await box.words('restore monday.db')
    expect(asked.status).toBe(1)
    const rest = `${products} products, ${versions} versions, ${keys} keys)`
    expect(asked.stderr).toContain(`changelogd.db (${teams + 1} teams, ${rest} with`)
    expect(asked.stderr).toContain(`monday.db (${teams} teams, ${rest}`)
    expect(asked.stderr).toContain('--yes')
    expect(contents(box.database)).toBe(before)
    const told = await box.json<Restored>('restore', 'monday.db', '--yes')
    expect(told).toMatchObject({
      restored: { teams, products, versions, keys },
      replaced: { teams: teams + 1, products, versions, keys },
    })
    const kept = told.kept as string
    expect(kept).toMatch(/changelogd\.db\.before-restore-\d{8}T\d{9}Z$/)
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(contents(kept)).toBe(before)
    expect(contents(box.database)).toBe(contents(at('monday.db')))
    expect(readFileSync(at('monday.db'))).toEqual(backup)
    expect(files()).toEqual(['changelogd.db', kept.slice(dirname(kept).length + 1), 'monday.db'])
    // It counts as before.
    await box.json('change', 'add', 'acme/app', '0.1.0', '--type', 'fixed', 'One more')
    expect(await box.json('version', 'show', 'acme/app', '0.1.0')).toMatchObject({ changeCount: 2 })
  })

  test('makes a database where there is none, for its owner only, without asking', async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    const told = await box.json<Restored>('restore', 'monday.db', '--db', 'new/deep/x.db')
    expect(told).toMatchObject({ replaced: null, kept: null })
    expect(readdirSync(at('new/deep'))).toEqual(['x.db'])
    expect(statSync(at('new')).mode & 0o777).toBe(0o700)
    expect(statSync(at('new/deep/x.db')).mode & 0o777).toBe(0o600)
    expect(contents(at('new/deep/x.db'))).toBe(contents(box.database))
  })

  test('goes through a link to the database', async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    mkdirSync(at('far'))
    symlinkSync('far/real.db', at('link.db'))
    expect(await refusedRestore('monday.db', '--db', 'link.db')).toContain('is a broken link')
    await box.run(['migrate', '--db', 'far/real.db'])
    const { kept } = await box.json<Restored>('restore', 'monday.db', '--yes', '--db', 'link.db')
    expect(dirname(kept as string)).toEndWith('/far')
    expect(contents(at('far/real.db'))).toBe(contents(box.database))
  })

  test('loses nothing that another process writes until then: it is in what is kept', async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    const { child } = await startWriter(box, box.database, 5)
    const { kept } = await box.json<Restored>('restore', 'monday.db', '--yes')
    const wrote = /wrote (\d+)/.exec(await new Response(child.stdout).text())?.[1]
    expect(Number(wrote)).toBeGreaterThan(0)
    using copy = new Database(kept as string, { readonly: true })
    expect(copy.query("SELECT name FROM team WHERE slug = 'written'").get()).toEqual({ name: wrote })
    expect(contents(box.database)).toBe(contents(at('monday.db')))
  })

  test('cut off leaves all of the old or all of the new', async () => {
    const old = fill(box.database, 'old', 600)
    const fresh = fill(at('source.db'), 'new', 600)
    await box.json('backup', 'new.db', '--db', 'source.db')
    await box.json('backup', 'old.db')

    // While the new content is being written: `bun run proof battery` kills it at any moment. One that was done before it
    // could be killed is tried again.
    await until(async () => {
      const isWriting = () => logBytes(box.database) > 250_000
      const reached = await box.killedWhen(isWriting, ['restore', 'new.db', '--yes'])
      const now = contents(box.database)
      expect(now === old || now === fresh).toBe(true)
      if (now === fresh) await box.json('restore', 'old.db', '--yes')
      for (const name of files()) if (/partial|before-restore/.test(name)) rmSync(at(name))
      return reached && now === old
    })
    await box.json('restore', 'new.db', '--yes')
    expect(contents(box.database)).toBe(fresh)
  })

  test('that finds no room changes nothing and leaves nothing behind', async () => {
    fill(box.database, 'old', 500)
    await box.json('backup', 'monday.db')
    fill(box.database, 'more', 500)
    const before = contents(box.database)
    // As if the disk were full: first at the copy of the backup, then only at that of what is replaced.
    for (const blocks of [100, Math.ceil(statSync(at('monday.db')).size / 512) + 1]) {
      const script = `ulimit -f ${blocks}; exec "$@"`
      const child = Bun.spawn(['sh', '-c', script, 'sh', ...PROGRAM, 'restore', 'monday.db', '--yes'], {
        cwd: box.directory,
        env: box.env,
        stderr: 'pipe',
      })
      expect(await child.exited).toBe(1)
      const copied = (await new Response(child.stderr).text()).includes('Cannot restore')
      expect(copied).toBe(blocks === 100)
      expect(files()).toEqual(['changelogd.db', 'monday.db'])
      expect(contents(box.database)).toBe(before)
    }
  })

  test('brings a backup of an older schema to this program’s, and leaves the backup as it was', async () => {
    await box.demo()
    // As it was before the first migration: marked as changelogd's, and nothing in it yet.
    using older = new Database(at('older.db'))
    older.run('PRAGMA application_id = 0x636c6764')
    older.close()
    const bytes = readFileSync(at('older.db'))
    const told = await box.json<Restored>('restore', 'older.db', '--yes')
    expect(told).toMatchObject({ migrations: SCHEMA_VERSION, restored: { teams: 0, keys: 0 } })
    expect(await box.json<unknown[]>('team', 'list')).toEqual([])
    expect(readFileSync(at('older.db'))).toEqual(bytes)
  })

  test('takes the log along that was copied with a live database', async () => {
    const seed = seeder(at('live.db'))
    seed.team('logged')
    mkdirSync(at('copied'))
    for (const suffix of ['', '-wal']) copyFileSync(at(`live.db${suffix}`), at(`copied/live.db${suffix}`))
    seed.db.close()
    const before = ['', '-wal'].map((suffix) => readFileSync(at(`copied/live.db${suffix}`)))
    await box.json('restore', 'copied/live.db', '--yes')
    expect(await box.json<object[]>('team', 'list')).toMatchObject([{ slug: 'logged' }])
    expect(['', '-wal'].map((suffix) => readFileSync(at(`copied/live.db${suffix}`)))).toEqual(before)
    expect(readdirSync(at('copied')).sort()).toEqual(['live.db', 'live.db-wal'])
  })

  test('of a database that is being written to is one state of it, or refused', async () => {
    await box.json('migrate', '--db', 'live.db')
    await startWriter(box, at('live.db'))
    const { status, stderr } = await box.run(['restore', 'live.db', '--db', 'x.db'])
    // Whichever way it notices: that the file changes, or that the copy is not whole.
    if (status !== 0) expect(stderr).toMatch(/is being written to|is damaged/)
    else {
      using db = new Database(at('x.db'))
      const [row] = db.query('SELECT (SELECT count(*) FROM version) AS versions, name FROM team').values()
      expect(String(row?.[0])).toBe(row?.[1] as string)
    }
  })
})
