import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { describeNeeding } from '../../../support/needs.ts'
import { Engine } from '../../../support/postgres/engine.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { listening } from '../../../support/servers/process.ts'
import { PLENTY, publicPath } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

/** Where Debian and others have the programs of a PostgreSQL, the tools of its operators among them. */
const INSTALLED = '/usr/lib/postgresql'
const programs = existsSync(INSTALLED)
  ? readdirSync(INSTALLED)
      .map((version) => join(INSTALLED, version, 'bin'))
      .findLast((path) => ['postgres', 'pg_dump'].every((name) => existsSync(join(path, name))))
  : undefined

/** All of them have to be on one page. */
const MOST = 80

interface Changelog {
  data: { versions: { version: string; changes: unknown[] }[] }
}

describeNeeding(
  'postgresql',
  programs !== undefined,
  'a PostgreSQL that is backed up while it is written',
  () => {
    const box = new Sandbox()
    let engine: Engine
    let written = 0

    beforeAll(async () => {
      engine = await Engine.start(programs)
      const create = [
        ['migrate'],
        ['team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public'],
        ['product', 'create', 'acme/app', '--name', 'App', '--status', 'published'],
      ]
      for (const args of create) expect(await command(engine.address(), args)).toBe(0)
    })
    afterAll(async () => {
      await box.close()
      await engine[Symbol.asyncDispose]()
    })

    const command = async (address: string, args: readonly string[]) =>
      (await box.run(args, { DATABASE_URL: address })).status

    /** Adds a version with three changes, in one transaction. */
    async function write(address: string, number: number): Promise<void> {
      const changes = ['first', 'second', 'third'].map((each) => `- The ${each} of ${number}\n`)
      const text = `## ${number}.0.0 - 2026-01-02\n\n### Added\n\n${changes.join('')}`
      writeFileSync(box.at('log.md'), text)
      expect(await command(address, ['import', 'acme/app', 'log.md'])).toBe(0)
    }

    const tool = async (name: string, ...args: string[]) => {
      const { status, stderr } = await box.runProgram([join(programs ?? '', name), ...args])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    }

    const serve = (address: string) =>
      listening(box.start(['serve', '--port', '0'], { ...PLENTY, DATABASE_URL: address }))

    /** The versions that a node serves: all up to a number, each whole. */
    async function served(url: string): Promise<number> {
      const response = await fetch(`${url}${publicPath('acme', 'app')}?include=changes&limit=100`)
      // A restore locks the tables for as long as it takes.
      if (response.status === 503) return -1
      const { versions } = ((await response.json()) as Changelog).data
      const numbers = versions
        .map(({ version }) => Number.parseInt(version, 10))
        .sort((one, other) => one - other)
      expect(numbers).toEqual(versions.map((_, at) => at + 1))
      for (const { changes } of versions) expect(changes).toHaveLength(3)
      return versions.length
    }

    test('has everything in a dump that was committed before it, and nodes serve it', async () => {
      await write(engine.address(), ++written)
      const before = written
      const file = box.at('changelogd.dump')
      let isDone = false
      const dumping = tool('pg_dump', '--format=custom', `--file=${file}`, engine.address()).finally(() => {
        isDone = true
      })
      do await write(engine.address(), ++written)
      while (!isDone && written < MOST)
      await dumping
      await using admin = new SQL(engine.address('postgres'), { max: 1 })
      await admin.unsafe('create database restored')
      const address = engine.address('restored')
      await tool('pg_restore', '--exit-on-error', '--single-transaction', `--dbname=${address}`, file)

      const url = await serve(address)
      const count = await served(url)
      expect(count).toBeGreaterThanOrEqual(before)
      expect(count).toBeLessThanOrEqual(written)
      expect(await command(address, ['doctor'])).toBe(0)
      await write(address, count + 1)
      await until(async () => (await served(url)) === count + 1)
    })

    test('can be restored under a running node, which serves the restored state and what is written after', async () => {
      const file = box.at('older.dump')
      await write(engine.address(), ++written)
      const older = written
      await tool('pg_dump', '--format=custom', `--file=${file}`, engine.address())
      const url = await serve(engine.address())
      for (let more = 0; more < 3; more++) await write(engine.address(), ++written)
      await until(async () => (await served(url)) === written)
      const options = ['--clean', '--if-exists', '--exit-on-error', '--single-transaction']
      await tool('pg_restore', ...options, `--dbname=${engine.address()}`, file)
      await until(async () => (await served(url)) === older)
      await write(engine.address(), older + 1)
      await until(async () => (await served(url)) === older + 1)
      written = older + 1
    })
  },
)
