import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { contents } from '../../support/database/contents.ts'
import { createOld, OLD_SCHEMAS } from '../../support/database/old-schemas.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

const PUBLIC = '/public/teams/acme/products/app/changelog'

const box = sandboxForEach()
const { at } = box
const refusedRestore = (...args: string[]) => box.refusal('restore', ...args, '--yes')

describe('a backup that is no good is refused, and nothing changes', () => {
  let before: string
  beforeEach(async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    before = contents(box.database)
  })
  afterEach(() => expect(contents(box.database)).toBe(before))

  const altered = (change: (db: Database) => void) => {
    using db = new Database(at('monday.db'))
    change(db)
  }

  test('one that is not there, or no file', async () => {
    expect(await refusedRestore('nothing.db')).toContain('There is no file')
    expect(await refusedRestore('monday.db/x')).toContain('There is no file')
    expect(await refusedRestore('.')).toContain('not a file')
    expect(await refusedRestore('/dev/zero')).toContain('not a file')
    expect(await refusedRestore('-')).toContain('standard input is empty')
  })

  test('the database itself', async () => {
    symlinkSync('changelogd.db', at('link.db'))
    for (const name of ['changelogd.db', 'link.db'])
      expect(await refusedRestore(name)).toContain('the database itself')
  })

  test('one that is no database, or empty', async () => {
    writeFileSync(at('text'), 'these are my notes, and they are longer than a header '.repeat(100))
    expect(await refusedRestore('text')).toContain('not a SQLite database')
    writeFileSync(at('empty'), '')
    expect(await refusedRestore('empty')).toContain('is empty')
  })

  test('one of another program, or of a newer one', async () => {
    altered((db) => db.run('PRAGMA user_version = 999'))
    expect(await refusedRestore('monday.db')).toContain('newer changelogd')
    altered((db) => db.run('PRAGMA application_id = 7'))
    expect(await refusedRestore('monday.db')).toContain(
      'monday.db is a SQLite database, but not a changelogd',
    )
  })

  test('one that was cut short, at whatever length', async () => {
    const whole = readFileSync(at('monday.db'))
    for (const length of [1, 512, 4_096, whole.length - 1]) {
      writeFileSync(at('monday.db'), whole)
      truncateSync(at('monday.db'), length)
      await refusedRestore('monday.db')
    }
  })

  test('one with a damaged page', async () => {
    const bytes = readFileSync(at('monday.db'))
    writeFileSync(at('monday.db'), bytes.fill(0xff, 3 * 4_096, 3 * 4_096 + 200))
    expect(await refusedRestore('monday.db')).toContain('is damaged')
  })

  test.each([
    ['table notes', 'CREATE TABLE notes (text)', null],
    ['index mine', 'CREATE INDEX mine ON team (name)', OLD_SCHEMAS.at(-1)],
    ['trigger evil', 'CREATE TRIGGER evil AFTER UPDATE ON team BEGIN DELETE FROM team; END', OLD_SCHEMAS[0]],
    ['view all_of_it', 'CREATE VIEW all_of_it AS SELECT * FROM version', OLD_SCHEMAS.at(-1)],
  ])('one with the %s of others, also in an older schema', async (part, statement, old) => {
    if (old) rmSync(at('monday.db'))
    if (old) createOld(old, at('monday.db'))
    altered((db) => db.run(statement))
    expect(await refusedRestore('monday.db')).toContain(part)
    expect(await box.refusal('backup', 'verify', 'monday.db')).toContain(part)
  })

  test('one whose contents no command writes, which doctor names too', async () => {
    const message = 'version.title is longer than 1000 characters'
    altered((db) => db.run('UPDATE version SET title = hex(zeroblob(501))'))
    expect(await refusedRestore('monday.db')).toContain(`monday.db is damaged: ${message}`)
    expect(await box.refusal('backup', 'verify', 'monday.db')).toContain(message)
    const { findings } = JSON.parse((await box.words('doctor --db monday.db --json')).stdout)
    const [found] = findings.filter(({ check }: { check: string }) => check === 'contents')
    expect(found).toMatchObject({ state: 'wrong', message: expect.stringContaining(message) })
  })

  test('one on standard input, at its first bytes, before the rest has come', async () => {
    for (const bytes of [Buffer.from('notes'), Bun.zstdCompressSync(new Uint8Array(1_000_000))]) {
      const child = Bun.spawn([...PROGRAM, 'restore', '-', '--yes'], {
        env: box.env,
        stdin: 'pipe',
        stderr: 'pipe',
      })
      child.stdin.write(bytes)
      await child.stdin.flush()
      expect(await new Response(child.stderr).text()).toContain('Standard input is not a SQLite')
      expect(await child.exited).toBe(1)
    }
  })
})

describe('a database whose content cannot be replaced is left alone', () => {
  beforeEach(async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
  })

  test('with what to do instead, which then works', async () => {
    using foreign = new Database(at('foreign.db'))
    foreign.run('CREATE TABLE precious (thing TEXT)')
    foreign.close()
    copyFileSync(at('monday.db'), at('cut.db'))
    truncateSync(at('cut.db'), 20_000)
    copyFileSync(at('monday.db'), at('newer.db'))
    using newer = new Database(at('newer.db'))
    newer.run('PRAGMA journal_mode = WAL')
    newer.run('PRAGMA user_version = 999')
    newer.close()
    for (const name of ['foreign.db', 'cut.db', 'newer.db']) {
      const before = readFileSync(at(name))
      const told = await refusedRestore('monday.db', '--db', name)
      expect(told).toContain('Stop the server')
      expect(readFileSync(at(name))).toEqual(before)
      const remedy = /after: (.*)\n/.exec(told)?.[1] as string
      expect(await Bun.spawn(['sh', '-c', remedy]).exited).toBe(0)
      await box.json('restore', 'monday.db', '--db', name)
      expect(contents(at(name))).toBe(contents(at('monday.db')))
      expect(readFileSync(at(`${name}.unreadable/${name}`))).toEqual(before)
    }
  })

  test('nor is one created beside the worker state of a newer program, until that is moved away', async () => {
    await box.run(['hook', 'add', 'acme', 'https://example.org/hook'], {
      PUBLIC_URL: 'https://news.acme.test',
    })
    await box.json('backup', 'monday.db', '--force')
    const state = `${box.database}-worker`
    using worker = new Database(state)
    worker.run('PRAGMA user_version = 999')
    worker.close()
    const before = contents(box.database)
    expect(await refusedRestore('monday.db')).toContain('A newer changelogd created')
    expect(contents(box.database)).toBe(before)
    renameSync(box.database, at('changelogd.db.newer'))
    const told = await refusedRestore('monday.db')
    expect(told).toContain('with the state of the worker and the secrets of hooks. Run the newer program.')
    expect(existsSync(box.database)).toBe(false)
    expect(await Bun.spawn(['sh', '-c', /mv .*/.exec(told)?.[0] as string]).exited).toBe(0)
    expect((await box.words('restore monday.db')).stderr).toContain('changelogd hook rotate')
    expect(existsSync(`${state}.newer`)).toBe(true)
  })

  test('and none is created where a server may still have one that was removed, until that is given up', async () => {
    const before = await box.seenByApi(PUBLIC)
    rmSync(box.database)
    expect(existsSync(`${box.database}-wal`)).toBe(true)
    const told = await refusedRestore('monday.db')
    expect(told).toContain('A server may still be using it')
    expect(existsSync(box.database)).toBe(false)
    expect(await Bun.spawn(['sh', '-c', /rm .*/.exec(told)?.[0] as string]).exited).toBe(0)
    expect((await box.words('restore monday.db')).stderr).toContain('serves it within a second')
    // Until it notices that its file was removed, the server has the old one open.
    await box.json('version', 'publish', 'acme/app', '0.2.0')
    await until(async () => (await box.seenByApi(PUBLIC)).data?.versions?.length === 2)
    await box.json('version', 'draft', 'acme/app', '0.2.0')
    await until(async () => Bun.deepEquals(await box.seenByApi(PUBLIC), before))
  })
})
