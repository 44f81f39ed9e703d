import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { connect } from 'node:net'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { listening } from '../../../support/servers/process.ts'
import { PLENTY, type Subject, THE_BINARY } from '../../../support/servers/server.ts'
import { startWatchedServer } from '../../../support/servers/watched-server.ts'
import { until } from '../../../support/until.ts'

const filesOf = (pid: string): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`))
  } catch {
    return []
  }
}

test('what is served is what was verified, not what has taken its place meanwhile', async () => {
  if (!existsSync('/proc/self/fd')) return
  await using server = await startWatchedServer(THE_BINARY)
  const bad = server.another('bad')
  using broken = new Database(bad)
  broken.run('DROP TABLE api_key_product')
  broken.run('PRAGMA wal_checkpoint(TRUNCATE)')
  // Without a log, and locked: so that verifying it has to wait.
  const good = server.another('good')
  using locked = new Database(good)
  locked.run('PRAGMA journal_mode = DELETE')
  locked.run('BEGIN EXCLUSIVE')
  renameSync(good, server.database)
  const isVerifying = (pid: string) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').includes(`) S ${server.child.pid} `) &&
    filesOf(pid).includes(server.database)
  await until(() =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .some((pid) => {
        try {
          return isVerifying(pid)
        } catch {
          return false
        }
      }),
  )
  renameSync(bad, server.database)
  locked.run('ROLLBACK')
  await server.logged('no table api_key_product')
  await server.unavailable()
  expect(server.log()).not.toContain('Reopened')
})

test('a server whose program was replaced on the disk still verifies and serves a new database', async () => {
  await using box = new Sandbox()
  const program = box.at('program')
  copyFileSync(PROGRAM[0] ?? '', program)
  const subject: Subject = { name: 'a copy', engine: 'SQLite', command: [program], env: {} }
  await using server = await startWatchedServer(subject)
  const other = server.another('new')
  rmSync(program)
  await Bun.write(program, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  renameSync(other, server.database)
  await server.reopened()
  expect(await server.name()).toBe('new')
})

test('a server that can open no more files still sees that its own are there', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const serve = `ulimit -n 64 && exec '${PROGRAM[0]}' serve --port 0`
  const child = box.spawn(['sh', '-c', serve], PLENTY)
  const url = new URL(await listening(child))
  const open = () => connect(Number(url.port), url.hostname)
  const first = open()
  const health = () =>
    new Promise<string>((resolve) => {
      first.once('data', (data) => resolve(String(data).slice(9, 12)))
      first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    })
  expect(await health()).toBe('200')
  const others = Array.from({ length: 100 }, open)
  try {
    if (existsSync('/proc/self/fd')) await until(() => filesOf(String(child.pid)).length >= 63)
    expect(await health()).toBe('200')
  } finally {
    for (const socket of [first, ...others]) socket.destroy()
  }
})

test('what the server advises when its database was removed brings it back', async () => {
  await using server = await startWatchedServer(THE_BINARY)
  await server.rename('renamed')
  const backup = server.beside('backup.db')
  copyFileSync(server.database, backup)
  rmSync(server.database)
  await server.logged('was removed')
  const advice = /restore a backup: (.+)$/m.exec(server.log())?.[1] ?? ''
  const command = advice.replace('FILE', backup).replace('changelogd restore', `'${PROGRAM[0]}' restore`)
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', `${command} --yes`])
  expect([exitCode, String(stderr)]).toEqual([0, expect.any(String)])
  await server.reopened()
  expect(await server.name()).toBe('renamed')
})
