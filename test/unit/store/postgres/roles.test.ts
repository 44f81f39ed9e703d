import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { SQL } from 'bun'
import { SCHEMA_VERSION } from '../../../../src/store/postgres/migrations.ts'
import { refused } from '../../../support/commands/refused.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { lossyProxyTo } from '../../../support/postgres/lost-commit.ts'
import { proxyTo } from '../../../support/postgres/proxy.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { killProcess, linesOf, listening, outputOf } from '../../../support/servers/process.ts'
import { until } from '../../../support/until.ts'

beforeAll(async () => {
  await postgres()
})

/** The address of the same database for a role that may only read, and its password. */
async function readerOf(address: string): Promise<{ reader: string; password: string }> {
  await using sql = new SQL(address, { max: 1 })
  const [name, password] = [`reader_${new URL(address).pathname.slice(1)}`, 'se-cr-et']
  await sql.unsafe(`create role ${name} login password '${password}'`)
  await sql.unsafe(`grant select on all tables in schema public to ${name}`)
  const url = new URL(address)
  url.username = name
  url.password = password
  return { reader: url.href, password }
}

describe('a role that can only SELECT', () => {
  test('is enough to serve and to read, and is refused what writes', async () => {
    await using box = await Sandbox.on('PostgreSQL')
    await box.json('demo')
    const { reader, password } = await readerOf(box.database)
    const child = box.start(['serve', '--port', '0'], { DATABASE_URL: reader })
    const output = outputOf(child)
    const url = await listening(child, output)
    const path = '/api/v1/public/teams/acme/products/app/changelog'
    expect((await fetch(url + path)).status).toBe(200)
    expect((await box.run(['status'], { DATABASE_URL: reader })).stdout).toContain('acme/app')
    const denied = await box.run(['team', 'create', 'new', '--name', 'New'], { DATABASE_URL: reader })
    expect(refused(denied, 'permission denied', 'Use a role with the permission')).not.toContain(password)
    await killProcess(child)
    expect(output.lines.join('\n')).not.toContain(password)
  })

  test('is enough for a server whose worker has a database setting of its own, and gets no secrets of hooks', async () => {
    await using box = await Sandbox.on('PostgreSQL')
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    writeFileSync(box.at('log.md'), '## 1.0.0 - 2026-01-02\n\n- A change\n')
    await box.json('follow', 'acme/app', 'log.md', '--create', '--publish')
    await box.run(['hook', 'add', 'acme', 'https://example.org/hook'], {
      PUBLIC_URL: 'https://news.acme.test',
    })
    const { reader } = await readerOf(box.database)
    await using owner = new SQL(box.database, { max: 1 })
    await owner.unsafe(`revoke all on worker_hook_secret from ${new URL(reader).username}`)
    const roles = { DATABASE_URL: reader, WORKER_DATABASE_URL: box.database }
    const child = box.start(['serve', '--port', '0', '--worker'], roles)
    const url = await listening(child)
    await until(async () => (await (await fetch(`${url}/changelog/acme/app`)).text()).includes('A change'))
    const shown = await box.run(['follow', 'list', '--json'], { DATABASE_URL: reader })
    expect(JSON.parse(shown.stdout)).toMatchObject([{ product: 'acme/app', failing: null }])
    const hooks = await box.run(['hook', 'list', '--json'], { DATABASE_URL: reader })
    expect(JSON.parse(hooks.stdout)).toMatchObject([{ name: 'acme/example.org', needsSecret: false }])
    await using sql = new SQL(reader, { max: 1 })
    expect(await sql`select * from worker_hook_secret`.catch((error) => error.message)).toContain('denied')
    await killProcess(child)
  })

  test('that loses it while a server runs is an outage for that server, not a defect', async () => {
    await using box = await Sandbox.on('PostgreSQL')
    await box.json('demo')
    const { reader } = await readerOf(box.database)
    await using owner = new SQL(box.database, { max: 1 })
    const role = new URL(reader).username
    await using child = box.start(['serve', '--port', '0'], { DATABASE_URL: reader })
    const url = await listening(child)
    const read = (limit: number) =>
      fetch(`${url}/api/v1/public/teams/acme/products/app/changelog?limit=${limit}`)
    await owner.unsafe(`revoke select on version from ${role}`)
    const { status, headers } = await read(1)
    expect([status, headers.has('retry-after')]).toEqual([503, true])
    await owner.unsafe(`grant select on version to ${role}`)
    expect((await read(1)).status).toBe(200)
  })

  test('cannot migrate: serve refuses, and names the command', async () => {
    await using box = await Sandbox.on('PostgreSQL', { isBare: true })
    const { reader } = await readerOf(box.database)
    const result = await box.run(['serve', '--port', '0'], { DATABASE_URL: reader })
    refused(result, 'must be migrated', 'changelogd migrate')
    expect(await box.isMissing()).toBe(true)
  })
})

test('a role that may change the rows of all tables is enough to write, also when an answer is lost', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await box.json('demo')
  const { reader } = await readerOf(box.database)
  const role = new URL(reader).username
  expect((await box.run(['doctor'], { DATABASE_URL: reader })).stdout).toContain('can only read')
  await using owner = new SQL(box.database, { max: 1 })
  await owner.unsafe(`grant insert, update, delete on all tables in schema public to ${role}`)
  expect((await box.run(['doctor'], { DATABASE_URL: reader })).stdout).toContain('can read and write')
  using proxy = await lossyProxyTo(reader)
  const lost = proxy.lose({ what: 'answer', by: 'end' })
  const { status } = await box.run(['team', 'delete', 'acme', '--yes'], { DATABASE_URL: proxy.address })
  await lost
  expect(status).toBe(0)
})

test('a parameter of the address that the engine does not know is refused, by serve too', async () => {
  await using box = await Sandbox.on('PostgreSQL', { isBare: true })
  for (const parameter of ['bogus=1', 'statement_timeout=soon'])
    for (const command of [['migrate'], ['serve', '--port', '0']]) {
      const result = await box.run(command, { DATABASE_URL: `${box.database}?${parameter}` })
      refused(result, 'Cannot open the database', 'Check DATABASE_URL')
    }
})

test('a database whose tables are missing, or of another program, is refused, and doctor says so', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await using sql = new SQL(box.database, { max: 1 })
  for (const [damage, message] of [
    ['delete from changelogd', 'The table changelogd is empty'],
    ['alter table changelogd drop column revision', 'column "revision" does not exist'],
  ] as const) {
    await sql.unsafe(damage)
    for (const command of [['team', 'list'], ['migrate'], ['serve', '--port', '0']])
      refused(await box.run(command), message)
    const { status, stdout } = await box.run(['doctor'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(message) })
  }
})

test('programs that start at once create one schema', async () => {
  await using box = await Sandbox.on('PostgreSQL', { isBare: true })
  const results = await Promise.all(Array.from({ length: 4 }, () => box.json<{ steps: number }>('migrate')))
  expect(results.map(({ steps }) => steps).sort()).toEqual([0, 0, 0, SCHEMA_VERSION])
})

test('a command that may not wait for another says so, and one that may announces it and goes on', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await using sql = new SQL(box.database, { max: 1 })
  const other = await sql.reserve()
  await other.unsafe('begin')
  await other.unsafe('select from changelogd for update')
  const create = ['team', 'create', 'acme', '--name', 'Acme']
  refused(
    await box.run([...create, '--wait', '0']),
    'Another changelogd command is still using the database.',
  )
  expect((await box.run(['team', 'list'])).status).toBe(0)
  const waiting = box.start(create)
  const { lines } = linesOf(waiting.stderr)
  await until(() => lines.some((line) => line.includes('Waiting for another changelogd command to finish')))
  await other.unsafe('commit')
  expect(await waiting.exited).toBe(0)
  await other.release()
})

test('a server that starts while the engine is away waits, and says so', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await box.json('demo')
  using proxy = await proxyTo(box.database)
  await proxy.cut()
  const child = box.start(['serve', '--port', '0'], { DATABASE_URL: proxy.address })
  const { lines } = linesOf(child.stderr)
  await until(() => lines.some((line) => line.includes('Waiting for it')))
  expect(child.exitCode).toBeNull()
  await proxy.resume()
  const url = await listening(child)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a server with threads ends at a signal even if the engine has gone before they could open the database', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  await box.json('demo')
  using proxy = await proxyTo(box.database)
  // That of the main thread.
  proxy.allow(1)
  const child = box.start(['serve', '--port', '0', '--threads', '2'], { DATABASE_URL: proxy.address })
  const { lines } = linesOf(child.stderr)
  await until(() => lines.some((line) => line.includes('Waiting for it')))
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('what has gone wrong is told without the password', async () => {
  await using box = await Sandbox.on('PostgreSQL')
  const url = new URL(box.database)
  url.password = 'se-cr-et'
  for (const [part, value, reason] of [
    ['port', '1', 'is not responding'],
    ['pathname', '/nowhere', 'does not exist'],
    ['username', 'nobody-known', 'does not exist'],
  ] as const) {
    const wrong = new URL(url)
    wrong[part] = value
    for (const args of [['team', 'list'], ['doctor']]) {
      const { status, stdout, stderr } = await box.run(args, { DATABASE_URL: wrong.href })
      expect(status).toBe(1)
      expect(stdout + stderr).toContain(reason)
      expect(stdout + stderr).not.toContain('se-cr-et')
    }
  }
})
