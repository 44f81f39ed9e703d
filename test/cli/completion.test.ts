import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM, Sandbox } from '../support/sandbox.ts'

const box = new Sandbox()
const bin = join(box.directory, 'bin')

beforeAll(async () => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'changelogd'), `#!/bin/sh\nexec ${PROGRAM.join(' ')} "$@"\n`)
  chmodSync(join(bin, 'changelogd'), 0o755)
  await box.json('demo')
  await box.json('version', 'create', 'acme/app', 'v 1:2', '--title', 'With a space and a colon')
})
afterAll(() => box.close())

describe.skipIf(Bun.which('bash') === null)('in a bash that has nothing else loaded', () => {
  for (const [typed, ran] of [
    ['changelogd ver\tpub\tacme/a\t0.2\t', 'Published version 0.2.0 of acme/app.'],
    ['bin/changelogd team sh\tho\t--js\t', '"slug": "hooli"'],
    ['changelogd team upd\thooli --vis\tpub\t', 'Updated team hooli (Hooli): public, free plan.'],
    ['changelogd team update hooli --visibility=pri\t', 'Updated team hooli (Hooli): private, free plan.'],
    ['changelogd version show acme/app v\t', 'With a space and a colon'],
    ['changelogd version show acme/app v\\ 1:\t', 'With a space and a colon'],
    ['changelogd expo\tacme/be\t--output not\t', 'Exported to notes-of-beta.md.'],
  ] as const)
    test(JSON.stringify(typed), async () => {
      writeFileSync(join(box.directory, 'notes-of-beta.md'), '')
      const output = await typedInBash('source <(changelogd completion bash)', typed)
      expect(output).toContain(ran)
    })
})

test('completion offers commands, options, choices, and the names in the database', async () => {
  await using fresh = new Sandbox()
  const offered = async (...words: string[]) => {
    const { status, stdout } = await fresh.run(['complete', '--', ...words])
    expect(status).toBe(0)
    return stdout.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0]] : []))
  }
  expect(await offered('team', 'show', '')).toEqual([])
  expect(existsSync(fresh.database)).toBe(false)
  await fresh.json('demo')
  expect(await offered('ver')).toEqual(['version'])
  expect(await offered('version', 'pub')).toEqual(['publish'])
  expect(await offered('team', 'create', 'x', '--vis')).toEqual(['--visibility'])
  expect(await offered('team', 'create', 'x', '--visibility', '')).toEqual(['public', 'private'])
  expect(await offered('team', 'show', '')).toEqual(['acme', 'hooli'])
  expect(await offered('team', 'create', '')).toEqual([])
  expect(await offered('import', '--all', '')).toEqual([])
  expect(await offered('help', 'ver')).toEqual(['version'])
  const other = fresh.at('other.db')
  await fresh.json('team', 'create', 'initech', '--name', 'Initech', '--db', other)
  expect(await offered('team', 'show', '--db', other, '')).toEqual(['initech'])
  expect(await offered('product', 'show', 'acme/')).toEqual(['acme/app', 'acme/beta', 'acme/changelogd'])
  expect(await offered('version', 'publish', 'acme/app', '')).toEqual(['0.2.0', '0.1.0'])
  expect(await offered('key', 'show', 'key_')).toHaveLength(2)
  expect(await offered('key', 'show', '')).toEqual(['acme/demo', 'acme/docs'])
  await fresh.json('key', 'create', 'acme', '--label', 'docs')
  const [label, ...ids] = await offered('key', 'show', '')
  expect([label, ids]).toEqual([
    'acme/demo',
    [expect.stringMatching(/^key_/), expect.stringMatching(/^key_/)],
  ])
  expect(await offered('change', 'move', 'acme/')).toEqual(['acme/app', 'acme/beta', 'acme/changelogd'])
  expect(await offered('change', 'move', 'acme/app', '')).toEqual(['0.2.0', '0.1.0'])
  expect(await offered('change', 'move', 'acme/app', '0.1.0', '')).toEqual(['1'])
})

test('the scripts for bash, zsh and fish are scripts of these shells, and ask the program', async () => {
  for (const [shell, call] of [
    ['bash', '" complete -- "'],
    ['zsh', 'changelogd complete --'],
    ['fish', 'changelogd complete --'],
  ] as const) {
    const { status, stdout } = await box.words(`completion ${shell}`)
    expect([shell, status]).toEqual([shell, 0])
    expect(stdout).toContain(call)
  }
  const { stdout } = await box.words('completion bash')
  expect(await Bun.spawn(['bash', '-n', '-c', stdout]).exited).toBe(0)
})

/** What an interactive bash shows when these lines are typed into it, each at its prompt. */
async function typedInBash(...lines: string[]): Promise<string> {
  let output = ''
  const rest = [...lines, 'exit']
  const shell = Bun.spawn(['bash', '--norc', '--noprofile', '-i'], {
    cwd: box.directory,
    env: { ...box.env, PATH: `${bin}:${box.env.PATH}`, PS1: 'ready> ', TERM: 'dumb' },
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, data) => {
        output += new TextDecoder().decode(data)
        if (output.endsWith('ready> ') && rest.length > 0) terminal.write(`${rest.shift()}\n`)
      },
    },
  })
  await shell.exited
  return output
}
