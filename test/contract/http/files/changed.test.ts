import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
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

import start from '../../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import { Sandbox } from '../../../support/sandbox.ts'
import { killProcess, listening } from '../../../support/servers/process.ts'
import { THE_BINARY, TWO_THREADS } from '../../../support/servers/server.ts'
import { contents, startWatchedServer } from '../../../support/servers/watched-server.ts'
import { until } from '../../../support/until.ts'

describe('when its files change, a server', () => {
  test.each([[['-shm']], [['-wal', '-shm']]])(
    'sees commits again after %j were removed, and none is lost',
    async (suffixes) => {
      await using server = await startWatchedServer(THE_BINARY)
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
    },
  )

  test('serves the database that replaced its own; changes in the log stay with the old one', async () => {
    await using server = await startWatchedServer(TWO_THREADS)
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

  test('serves nothing while its database is gone, and the one that is put there', async () => {
    await using server = await startWatchedServer(TWO_THREADS)
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
    // The thread that says so may look later than the one that noticed, when another file is there.
    const removed = expect.stringMatching(
      /^Lost the database: \S+ was (?:removed\. .*changelogd restore FILE --db \S+|replaced by another file\.)$/,
    )
    const reopened = `Reopened the database ${server.database}.`
    expect(await server.end()).toEqual([removed, reopened, removed, reopened])
  })

  test('serves nothing but a whole database of this schema', async () => {
    await using server = await startWatchedServer(THE_BINARY)
    const whole = server.another('whole')
    const bad = server.beside('bad.db')
    const written = (...statements: string[]) => {
      using db = new Database(bad)
      for (const statement of statements) db.run(statement)
    }
    const bads: Record<string, () => void> = {
      'not a database': () => writeFileSync(bad, 'notes '.repeat(1_000)),
      'the database is empty': () => writeFileSync(bad, ''),
      'not a changelogd database': () => written('CREATE TABLE precious (thing TEXT)'),
      'schema: 1; this program needs': () =>
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
    await using server = await startWatchedServer(THE_BINARY)
    mkdirSync(server.beside('elsewhere'))
    renameSync(server.another('new'), server.beside('elsewhere/real.db'))
    symlinkSync('elsewhere/real.db', server.beside('link'))
    renameSync(server.beside('link'), server.database)
    await server.reopened()
    expect(await server.name()).toBe('new')
    await server.rename('renamed')
    expect(await server.name()).toBe('renamed')
    expect(contents(server.beside('elsewhere/real.db'))).toEqual(['ok', 'renamed'])
  })

  test('goes on serving when its database was only touched, has another mode or a second name', async () => {
    await using server = await startWatchedServer(THE_BINARY)
    const changes = [
      () => utimesSync(server.database, 1, 1),
      () => chmodSync(server.database, 0o640),
      () => linkSync(server.database, server.beside('second.db')),
    ]
    for (const [at, change] of changes.entries()) {
      change()
      await until(async () => (await server.get('/healthz')).status === 200)
      await server.rename(`name ${at}`)
      await until(async () => (await server.name()) === `name ${at}`)
    }
    await server.end()
    expect(contents(server.database)).toEqual(['ok', 'name 2'])
  })

  test('ended at once after its database was replaced, leaves no log that would be added to the new one', async () => {
    await using server = await startWatchedServer(THE_BINARY)
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
    if (!existsSync('/proc/self/fd')) return
    await using server = await startWatchedServer(THE_BINARY)
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
