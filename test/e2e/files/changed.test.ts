import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'

import start from '../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import { Sandbox } from '../../support/sandbox.ts'
import { killProcess, listening } from '../../support/servers/process.ts'
import { PROGRAMS } from '../../support/servers/server.ts'
import { contents, startWatchedServer } from '../../support/servers/watched-server.ts'

const KNOWN = PROGRAMS.filter(({ engine }) => engine === 'SQLite')

describe.each(KNOWN)('when its files change, $name', (subject) => {
  for (const suffixes of [['-shm'], ['-wal', '-shm'], ['-wal']])
    test(`sees commits again after ${suffixes.join(' and ')} was removed, and none is lost`, async () => {
      await using server = await startWatchedServer(subject)
      for (const suffix of suffixes) rmSync(server.database + suffix)
      // By a program that leaves it in the log.
      const other = new Database(server.database)
      other.run("UPDATE team SET name = 'at once'")
      other.close()
      await server.reopened()
      expect(await server.name()).toBe('at once')
      await server.rename('later')
      expect(await server.name()).toBe('later')
      const log = await server.end()
      expect(log).toHaveLength(2)
      expect(log[0]).toMatch(/^Lost the database: \S+changelogd\.db-(wal|shm) was (removed|replaced)\.$/)
      expect(log[1]).toEndWith(`Reopened the database ${server.database}.`)
      expect(contents(server.database)).toEqual(['ok', 'later'])
    })

  test('serves the database that replaced its own; changes in the log stay with the old one', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    using logged = new Database(server.database)
    logged.run("UPDATE team SET name = 'logged'")
    expect(await server.name()).toBe('logged')
    renameSync(server.database, server.beside('moved.db'))
    renameSync(other, server.database)
    logged.close()
    await server.reopened()
    expect(await server.name()).toBe('new')
    await server.rename('newer')
    expect(await server.name()).toBe('newer')
    expect(await server.end()).toHaveLength(2)
    expect(contents(server.database)).toEqual(['ok', 'newer'])
    expect(contents(server.beside('moved.db'))).toEqual(['ok', 'logged'])
  })

  test('serves what is copied over its database, in whatever mode, also right after a command', async () => {
    await using server = await startWatchedServer(subject)
    const one = server.another('one')
    using source = new Database(server.another('two'))
    source.run('VACUUM INTO ?', [server.beside('backup.db')])
    for (const [at, file] of [one, server.beside('backup.db'), one].entries()) {
      await server.rename('renamed')
      copyFileSync(file, server.database)
      await server.reopened(at + 1)
      const name = file === one ? 'one' : 'two'
      expect(await server.name()).toBe(name)
      await server.rename(`${name} renamed`)
      expect(await server.name()).toBe(`${name} renamed`)
    }
    expect(await server.end()).toHaveLength(6)
    expect(contents(server.database)).toEqual(['ok', 'one renamed'])
  })

  test('serves nothing while its database is gone, and the one that is put there', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    renameSync(server.database, server.beside('away.db'))
    await server.unavailable()
    renameSync(server.beside('away.db'), server.database)
    await server.reopened()
    expect(await server.name()).toBe('old')
    rmSync(server.database)
    await server.unavailable()
    renameSync(other, server.database)
    await server.reopened(2)
    expect(await server.name()).toBe('new')
    const removed = expect.stringMatching(
      /^Lost the database: \S+ was removed\. .*changelogd restore FILE --db \S+$/,
    )
    const reopened = `Reopened the database ${server.database}.`
    expect(await server.end()).toEqual([removed, reopened, removed, reopened])
  })

  test('serves nothing but a whole database of this schema', async () => {
    await using server = await startWatchedServer(subject)
    const whole = server.another('whole')
    const bad = server.beside('bad.db')
    const written = (...statements: string[]) => {
      using db = new Database(bad)
      for (const statement of statements) db.run(statement)
    }
    const bads: Record<string, () => void> = {
      'not a database': () => writeFileSync(bad, 'notes '.repeat(1_000)),
      'the database is empty': () => writeFileSync(bad, ''),
      'not one of changelogd': () => written('CREATE TABLE precious (thing TEXT)'),
      'older than this program': () =>
        written(start, 'PRAGMA application_id = 0x636c6764', 'PRAGMA user_version = 1'),
      malformed: () => {
        copyFileSync(whole, bad)
        truncateSync(bad, statSync(bad).size - 8_192)
      },
      'no table api_key_product': () => {
        copyFileSync(whole, bad)
        written('DROP TABLE api_key_product')
      },
    }
    for (const [reason, make] of Object.entries(bads)) {
      make()
      renameSync(bad, server.database)
      await server.logged(reason)
      await server.unavailable()
    }
    renameSync(whole, server.database)
    await server.reopened()
    expect(await server.name()).toBe('whole')
  })

  test('serves the database that its link leads to now', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    mkdirSync(server.beside('elsewhere'))
    renameSync(other, server.beside('elsewhere/real.db'))
    symlinkSync('elsewhere/real.db', server.beside('link'))
    renameSync(server.beside('link'), server.database)
    await server.reopened()
    expect(await server.name()).toBe('new')
    await server.rename('renamed')
    expect(await server.name()).toBe('renamed')
    expect(contents(server.beside('elsewhere/real.db'))).toEqual(['ok', 'renamed'])
  })

  test('serves what is copied over its database between two requests', async () => {
    await using server = await startWatchedServer(subject)
    copyFileSync(server.another('new'), server.database)
    await server.reopened()
    expect(await server.name()).toBe('new')
    expect(await server.end()).toEqual([
      `Lost the database: ${server.database} was overwritten.`,
      `Reopened the database ${server.database}.`,
    ])
  })

  test('goes on serving when its database was only touched, with changes in the log or without', async () => {
    await using server = await startWatchedServer(subject)
    await server.looked()
    utimesSync(server.database, 1, 1)
    await server.reopened()
    expect(await server.name()).toBe('old')
    using other = new Database(server.database)
    other.run("UPDATE team SET name = 'logged'")
    await server.looked()
    utimesSync(server.database, 2, 2)
    await server.reopened(2)
    expect(await server.name()).toBe('logged')
    other.close()
    await server.rename('renamed')
    expect(await server.name()).toBe('renamed')
  })

  test('serves neither of two databases that are mixed, until the log of the old one is removed', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    using logged = new Database(server.database)
    logged.run("UPDATE team SET name = 'logged'")
    await server.looked()
    const before = await Bun.file(other).bytes()
    copyFileSync(other, server.database)
    await server.logged(`rm ${server.database}-wal ${server.database}-shm`)
    await server.unavailable()
    expect(await Bun.file(server.database).bytes()).toEqual(before)
    for (const suffix of ['-wal', '-shm']) rmSync(server.database + suffix)
    await server.reopened()
    expect(await server.name()).toBe('new')
  })

  for (const isNoticed of [true, false])
    test(`ended ${isNoticed ? 'after' : 'before'} it has noticed that its database was overwritten, leaves every file as it is`, async () => {
      await using server = await startWatchedServer(subject)
      using logged = new Database(server.database)
      logged.run("UPDATE team SET name = 'logged'")
      await server.looked()
      copyFileSync(server.another('new'), server.database)
      if (isNoticed) await server.logged('was overwritten')
      const state = () =>
        Promise.all(['', '-wal'].map((suffix) => Bun.file(server.database + suffix).bytes()))
      const before = await state()
      await server.end()
      expect(await state()).toEqual(before)
    })

  test('ended at once after its database was replaced, leaves no log that would be added to the new one', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    using logged = new Database(server.database)
    logged.run("UPDATE team SET name = 'logged'")
    renameSync(server.database, server.beside('moved.db'))
    renameSync(other, server.database)
    logged.close()
    await server.end()
    expect(contents(server.database)).toEqual(['ok', 'new'])
    expect(contents(server.beside('moved.db'))).toEqual(['ok', 'logged'])
  })

  test('has no more files open after it has reopened the database many times', async () => {
    const files = (pid: number) =>
      readdirSync(`/proc/${pid}/fd`).filter((file) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${file}`).includes('changelogd.db')
        } catch {
          return false
        }
      }).length
    await using server = await startWatchedServer(subject)
    if (!existsSync('/proc/self/fd')) return
    const before = files(server.child.pid)
    for (let time = 1; time <= 5; time++) {
      renameSync(server.another(`${time}`), server.database)
      await server.reopened(time)
      expect(await server.name()).toBe(`${time}`)
    }
    expect(files(server.child.pid)).toBeLessThanOrEqual(before)
  })
})

test('a key that is disabled is refused after the database was moved and linked to, whatever stayed there', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const key = await box.json<{ id: string; token: string }>('key', 'create', 'acme', '--label', 'x')
  const status = async () => (await box.seenByApi('/teams/acme/products/app/changelog', key.token)).status
  const first = box.start(['serve', '--port', '0'])
  await listening(first)
  await box.json('team', 'update', 'acme', '--name', 'Logged')
  await killProcess(first)
  expect(existsSync(`${box.database}-shm`)).toBe(true)
  mkdirSync(box.at('elsewhere'))
  for (const name of ['changelogd.db', 'changelogd.db-wal'])
    renameSync(box.at(name), box.at(`elsewhere/${name}`))
  symlinkSync('elsewhere/changelogd.db', box.database)
  expect(await status()).toBe(200)
  await box.json('key', 'disable', key.id)
  expect(await status()).toBe(401)
})
