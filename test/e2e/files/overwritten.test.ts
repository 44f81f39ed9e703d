import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, linkSync, readFileSync, rmSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'
import { killProcess, listening } from '../../support/servers/process.ts'
import { PROGRAMS } from '../../support/servers/server.ts'
import { contents, startWatchedServer } from '../../support/servers/watched-server.ts'
import { until } from '../../support/until.ts'

const KNOWN = PROGRAMS.filter(({ engine }) => engine === 'SQLite')

const run = (...command: string[]) => expect(Bun.spawnSync(command).exitCode).toBe(0)

describe.each(KNOWN)('when its database is overwritten, $name', (subject) => {
  test('serves what was copied over it also after it has recovered the log', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    const logged = new Database(server.database)
    logged.run("UPDATE team SET name = 'logged'")
    logged.close()
    rmSync(`${server.database}-shm`)
    await server.reopened()
    expect(await server.name()).toBe('logged')
    copyFileSync(other, server.database)
    await server.reopened(2)
    expect(await server.name()).toBe('new')
    await server.end()
    expect(contents(server.database)).toEqual(['ok', 'new'])
  })

  test('notices a copy of the same size with the same time of its last write', async () => {
    await using server = await startWatchedServer(subject)
    const other = server.another('new')
    await server.looked()
    run('touch', '-r', server.database, other)
    run('cp', '-p', other, server.database)
    await server.reopened()
    expect(await server.name()).toBe('new')
  })

  test('notices that an older copy was put back right after a command', async () => {
    await using server = await startWatchedServer(subject)
    run('cp', '-p', server.database, server.beside('copy.db'))
    await server.looked()
    await server.rename('renamed')
    expect(await server.name()).toBe('renamed')
    run('cp', '-p', server.beside('copy.db'), server.database)
    await server.reopened()
    expect(await server.name()).toBe('old')
    expect(await server.end()).toHaveLength(2)
  })

  test('goes on when only the mode of the file was changed, or it was given a second name', async () => {
    await using server = await startWatchedServer(subject)
    for (const change of [
      () => chmodSync(server.database, 0o640),
      () => linkSync(server.database, server.beside('second.db')),
    ]) {
      await server.looked()
      change()
      // What would be confirmed by the second look is not suspected by the first.
      for (let time = 0; time < 2; time++) await server.looked()
    }
    await server.rename('renamed')
    expect(await server.name()).toBe('renamed')
    expect(await server.end()).toEqual([''])
  })
})

/** A sandbox with a database whose team is called "old", and another with a team "new". */
async function twoDatabases() {
  const box = new Sandbox()
  for (const [file, name] of [
    ['changelogd.db', 'old'],
    ['other.db', 'new'],
  ] as const) {
    await box.json('demo', '--db', box.at(file))
    await box.json('team', 'update', 'acme', '--name', name, '--db', box.at(file))
  }
  const start = async () => {
    const child = box.start(['serve', '--port', '0'])
    return { child, url: await listening(child) }
  }
  const name = async (url: string) => {
    const response = await fetch(`${url}/api/v1/public/teams/acme/products/changelogd/changelog`)
    const { data } = (await response.json()) as { data?: { team: { name: string } } }
    return data?.team.name ?? response.status
  }
  return { box, start, name }
}

test('after a crash, the server serves what is copied over its database, and ends without a trace in it', async () => {
  const { box, start, name } = await twoDatabases()
  await using _ = box
  const first = await start()
  await box.json('team', 'update', 'acme', '--name', 'logged')
  await killProcess(first.child)
  expect(existsSync(`${box.database}-wal`)).toBe(true)
  const { child, url } = await start()
  expect(await name(url)).toBe('logged')
  copyFileSync(box.at('other.db'), box.database)
  await until(async () => (await name(url)) === 'new')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(contents(box.database)).toEqual(['ok', 'new', 'Hooli'])
})

test('a command that is killed while it copies the log does not hide what is copied over the database then', async () => {
  const { box, start, name } = await twoDatabases()
  await using _ = box
  const { child, url } = await start()
  await name(url)
  const changes = '- A change of some length, which takes its place in the log.\n'.repeat(20)
  const versions = Array.from({ length: 3_000 }, (_, at) => `## 1.${at}.0\n\n### Added\n\n${changes}`)
  await Bun.write(box.at('many.md'), `# Changelog\n\n${versions.join('\n')}`)
  const isCopying = () => {
    const index = readFileSync(`${box.database}-shm`)
    return index.readUInt32LE(128) > index.readUInt32LE(96)
  }
  await box.killedWhen(isCopying, ['import', 'acme/changelogd', box.at('many.md')])
  // The next look.
  await fetch(`${url}/healthz`)
  copyFileSync(box.at('other.db'), box.database)
  await until(async () => (await name(url)) === 'new')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(contents(box.database)).toEqual(['ok', 'new', 'Hooli'])
})
