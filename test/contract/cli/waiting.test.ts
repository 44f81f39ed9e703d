import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { createProgram } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { Sandbox } from '../../support/sandbox.ts'
import type { Child } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

const NOTICE = 'Waiting for another changelogd command to finish …\n'
const REFUSAL =
  'changelogd: Another changelogd command is still using the database. Try again when it is done, or wait longer: --wait SECONDS\n'

const prepared = new Sandbox()

beforeAll(async () => {
  await prepared.demo()
  await prepared.json('backup', 'monday.db')
  await prepared.words('export acme/app --output CHANGELOG.md')
})
afterAll(() => prepared.close())

/** A copy of what is prepared, for commands in processes of their own. */
function freshBox(): Sandbox {
  const box = new Sandbox('SQLite', { way: 'the binary' })
  cpSync(prepared.directory, box.directory, { recursive: true })
  return box
}

/** What a process prints to standard error, as it comes. */
function errorsOf(child: Child): { text(): string; ended: Promise<void> } {
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) text += decoder.decode(chunk, { stream: true })
  }
  return { text: () => text, ended: read() }
}

/** Another process in the middle of a transaction that writes. */
function writer(fresh: Sandbox): Database {
  const other = new Database(fresh.database)
  other.run('BEGIN IMMEDIATE')
  return other
}

/** The same in a database that is not in WAL mode, as a file put there by hand may be: even readers wait. */
function soleUser(fresh: Sandbox): Database {
  const other = new Database(fresh.database)
  other.run('PRAGMA journal_mode = DELETE')
  other.run('BEGIN EXCLUSIVE')
  return other
}

/** The same in a database that has to be migrated. */
function olderWriter(fresh: Sandbox): Database {
  const other = new Database(fresh.database)
  for (const { name } of other
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all())
    other.run(`DROP TABLE "${name}"`)
  other.run('PRAGMA user_version = 0')
  other.run('BEGIN IMMEDIATE')
  return other
}

// Each of these waits for a second before it says so: they do so at the same time.
describe.concurrent('while another process holds the lock', () => {
  for (const [line, hold] of [
    ['team update acme --name Patient', writer],
    ['import acme/app CHANGELOG.md --dry-run', writer],
    ['restore monday.db --yes', writer],
    ['migrate', olderWriter],
    ['backup tuesday.db', soleUser],
    ['get /healthz', soleUser],
  ] as const)
    test(`${line} waits, says so once, and then does its work; --wait bounds that (${hold.name})`, async () => {
      await using box = freshBox()
      const other = hold(box)
      if (!line.startsWith('get')) {
        const before = box.files()
        const { status, stdout, stderr } = await box.words(`${line} --wait 0`)
        expect({ status, stdout, stderr: stderr.split('\n').slice(-2).join('\n') }).toEqual({
          ...{ status: 1, stdout: '', stderr: REFUSAL },
        })
        expect(box.files()).toEqual(before)
      }
      const child = box.start(line.split(' '))
      const errors = errorsOf(child)
      await until(() => errors.text().includes(NOTICE) || child.exitCode !== null)
      expect(child.exitCode).toBe(null)
      other.run('COMMIT')
      other.close()
      expect(await child.exited).toBe(0)
      await errors.ended
      expect(errors.text().split(NOTICE)).toHaveLength(2)
    })

  test('serve waits, says so, can be ended meanwhile, and then serves; --wait bounds that', async () => {
    await using box = freshBox()
    const other = olderWriter(box)
    expect(await box.words('serve --port 0 --wait 0')).toEqual({ status: 1, stdout: '', stderr: REFUSAL })
    const [ended, served] = [box.start(['serve', '--port', '0']), box.start(['serve', '--port', '0'])]
    const errors = [ended, served].map(errorsOf)
    await until(() => errors.every(({ text }) => text().endsWith(` ${NOTICE}`)))
    ended.kill('SIGTERM')
    expect(await ended.exited).toBe(0)
    other.run('COMMIT')
    other.close()
    const output = served.stdout.getReader()
    expect(new TextDecoder().decode((await output.read()).value)).toContain('listening')
    served.kill('SIGTERM')
    expect(await served.exited).toBe(0)
  })
})

test('every command that writes, and no other, takes --wait, and only a number of seconds', async () => {
  interface Listed {
    name(): string
    commands: readonly Listed[]
    options: readonly { long?: string | null | undefined }[]
  }
  const all = (command: Listed): Listed[] => [command, ...command.commands.flatMap(all)]
  const waits = (command: Listed) => command.options.some(({ long }) => long === '--wait')
  const program: Listed = await createProgram(contextWith())
  const found = new Set(all(program).map((command) => (waits(command) ? command.name() : '')))
  const reading = 'list show status get export doctor healthcheck completion complete help changelogd'
  for (const name of reading.split(' ')) expect([name, found.has(name)]).toEqual([name, false])
  const writing =
    'create update delete move add publish rotate disable enable attach detach apply import demo migrate backup restore serve'
  for (const name of writing.split(' ')) expect([name, found.has(name)]).toEqual([name, true])
  for (const value of ['-1', 'x', '', '1e9', 'Infinity'])
    expect((await prepared.run(['migrate', '--wait', value])).status).toBe(2)
  expect((await prepared.run(['migrate', '--wait', '1.5'])).status).toBe(0)
})
