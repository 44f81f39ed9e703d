import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createProgram } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { prepareCommands, WRITING } from '../../support/commands/writing-commands.ts'
import { postgres } from '../../support/postgres/cluster.ts'
import { Sandbox } from '../../support/sandbox.ts'

/** Every command that only reads a database. */
const READING = [
  'team list',
  'team show acme',
  'product list acme',
  'product show acme/app',
  'changelog show acme/app',
  'version list acme/app',
  'version show acme/app 0.1.0',
  'change list acme/app 0.1.0',
  'key list acme',
  'key show acme/one',
  'status',
  'export acme/app',
  'preview acme/app 0.1.0',
  'get /healthz',
  'config',
  'doctor',
]

const ALL = [...READING, ...WRITING.map(({ line }) => line), 'migrate', 'demo']

/** Finds only what was deleted from the very database. */
const UNDO = 'undo --last'

/** Other tests run these with the binary: they serve, ask a server or a receiver, are about a file, or for a shell. */
const ELSEWHERE = [
  'serve',
  'healthcheck',
  'backup',
  'backup list',
  'backup verify',
  'restore',
  'completion',
  'complete',
  'hook test',
  'hook replay',
]

/** In this order, on one database. HOOK is the id of the hook that was added. */
const STORY = [
  'follow acme/app CHANGELOG.md',
  'follow list',
  'follow show acme/app',
  'follow pause acme/app',
  'follow resume acme/app',
  'sync acme/app',
  'worker --once',
  'follow remove acme/app',
  'hook add acme https://example.org/hook',
  'hook list',
  'hook show HOOK',
  'hook disable HOOK',
  'hook enable HOOK',
  'hook update HOOK --name releases',
  'hook rotate HOOK',
  'hook deliveries HOOK',
  'hook remove HOOK --yes',
]

interface Walkable {
  name(): string
  commands: readonly Walkable[]
}

/** The commands that do something, with the names of their groups. */
const commandsOf = (command: Walkable, path: string[] = []): string[] => {
  const inner = command.commands.filter((each) => each.name() !== 'help')
  return inner.length === 0
    ? [path.join(' ')]
    : inner.flatMap((each) => commandsOf(each, [...path, each.name()]))
}

// Most tests run commands from the source, and those of the help all examples with the binary on SQLite.
describe('the binary on PostgreSQL', () => {
  let box: Sandbox
  beforeAll(async () => {
    box = await Sandbox.on('PostgreSQL', { way: 'the binary' })
    await prepareCommands(box.directory, (...args) => box.json(...args))
  })
  afterAll(() => box.close())

  const succeeds = async (line: string, database: string) => {
    const env = { DATABASE_URL: database, EDITOR: box.at('editor.sh') }
    const { status, stdout, stderr } = await box.run(line.split(' '), env)
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).not.toBe('')
  }

  test.each(ALL.filter((line) => line !== UNDO))('runs %s', async (line) => {
    const cluster = await postgres()
    const copy = await cluster.create({ like: box.database })
    await succeeds(line, copy)
    await cluster.drop(copy)
  })

  test(`runs ${UNDO}`, () => succeeds(UNDO, box.database))

  test('follows and announces', async () => {
    const env = { PUBLIC_URL: 'https://example.org' }
    let hook = ''
    for (const line of STORY) {
      const words = line.replace('HOOK', hook).split(' ')
      const isAdded = line.startsWith('hook add')
      const { status, stdout, stderr } = await box.run(isAdded ? [...words, '--json'] : words, env)
      expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' })
      if (isAdded) hook = JSON.parse(stdout).id
    }
  })

  test('runs every command that there is', async () => {
    const commands = commandsOf(await createProgram(contextWith()))
    const isRun = (command: string) =>
      ELSEWHERE.includes(command) || [...ALL, ...STORY].some((line) => `${line} `.startsWith(`${command} `))
    expect(commands.filter((command) => !isRun(command))).toEqual([])
  })
})
