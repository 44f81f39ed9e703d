import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../src/cli/context.ts'
import { createProgram, run } from '../../src/cli/program.ts'
import { PATIENCE_MS, PROGRAM, Sandbox } from '../support/sandbox.ts'

setDefaultTimeout(PATIENCE_MS)

const box = new Sandbox()
const bin = join(box.directory, 'bin')
const everything = join(box.directory, 'everything.jsonl')

beforeAll(async () => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'changelogd'), `#!/bin/sh\nexec ${PROGRAM.join(' ')} "$@"\n`)
  chmodSync(join(bin, 'changelogd'), 0o755)
  await box.json('demo')
  await box.json('export', '--all', '--output', everything)
})
afterAll(() => box.close())

/** A command line within this process, only to look at its help. */
async function help(...path: string[]): Promise<string> {
  let text = ''
  const status = await run(
    spectator((part) => (text += part)),
    [...path, '--help'],
  )
  expect(status).toBe(0)
  return text
}

const paths = (command: Walkable, path: string[] = []): string[][] => [
  path,
  ...command.commands
    .filter((each) => !['help', 'complete'].includes(each.name()))
    .flatMap((each) => paths(each, [...path, each.name()])),
]
interface Walkable {
  name(): string
  commands: readonly Walkable[]
}

describe('help', async () => {
  for (const path of paths(await createProgram(spectator(() => {})))) {
    const name = ['changelogd', ...path].join(' ')
    test.concurrent(`${name} --help ends with examples that work as pasted`, async () => {
      const text = await help(...path)
      const examples = [...(text.split('\nExamples:\n')[1] ?? '').matchAll(/^ {2}\$ (.+)$/gm)].map(
        (match) => match[1],
      )
      expect(examples.length).toBeGreaterThanOrEqual(2)
      expect(examples.length).toBeLessThanOrEqual(3)
      const form = /^ {2}teams:\n(?: {4}.*\n)+/m.exec(text)?.[0]
      for (const [at, example] of examples.entries())
        if (!/\b(serve|healthcheck)\b/.test(example as string)) {
          const directory = join(box.directory, `${name}-${at}`)
          mkdirSync(directory)
          cpSync(box.database, join(directory, 'changelogd.db'))
          // What a person has at hand who pastes it.
          if (form) writeFileSync(join(directory, 'changelogd.yml'), form)
          cpSync(join(import.meta.dir, '../../CHANGELOG.md'), join(directory, 'CHANGELOG.md'))
          cpSync(everything, join(directory, 'everything.jsonl'))
          const child = Bun.spawn(['bash', '-c', example as string], {
            cwd: directory,
            env: {
              PATH: `${bin}:${process.env.PATH}`,
              HOME: directory,
              DATABASE_URL: join(directory, 'changelogd.db'),
            },
            stdin: 'ignore',
            stdout: 'pipe',
            stderr: 'pipe',
          })
          const [status, stderr] = [await child.exited, await new Response(child.stderr).text()]
          expect([example, status, status === 0 ? '' : stderr]).toEqual([example, 0, ''])
        }
    })
  }

  test('help COMMAND shows the same as COMMAND --help', async () => {
    expect((await box.words('help version')).stdout).toBe((await box.words('version --help')).stdout)
  })

  test('--version says the version, and only that', async () => {
    const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
    expect(await box.words('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('wrong usage exits 2, with the usage of the command', () => {
  for (const [line, why, usage] of [
    ['', 'Usage', 'changelogd [options] [command]'],
    ['team', 'Usage', 'changelogd team [options] [command]'],
    ['tea list', 'Did you mean team?', 'changelogd [options] [command]'],
    ['version crate acme/app 1', 'Did you mean create?', 'changelogd version [options] [command]'],
    ['team create', '--name', 'changelogd team create [options] <team>'],
    ['team create x', '--name', 'changelogd team create [options] <team>'],
    ['team create x --name X --plam free', 'Did you mean --plan?', 'changelogd team create [options] <team>'],
    [
      'team update acme --plan gold',
      'Allowed choices are free, paid',
      'changelogd team update [options] <team>',
    ],
    ['team update acme', 'nothing to update', 'changelogd team update [options] <team>'],
    ['team show acme too', 'too many arguments', 'changelogd team show [options] <team>'],
    ['product show app', 'team/product', 'changelogd product show [options] <product>'],
    ['version create acme/app 9 --title T --date 2026-02-30', 'ISO 8601', 'changelogd version create'],
    ['change move chg_x --position 0', 'counted from 1', 'changelogd change move'],
    ['key rotate key_x --overlap soon', '90m, 24h, 30d or 2w', 'changelogd key rotate'],
    ['key create acme --expires later', '90m, 24h, 30d or 2w', 'changelogd key create'],
    ['completion tcsh', 'Allowed choices', 'changelogd completion'],
  ] as const)
    test.concurrent(line || '(nothing)', async () => {
      const result = await box.run(line === '' ? [] : line.split(' '))
      expect(result).toMatchObject({ status: 2, stdout: '' })
      expect(result.stderr).toContain(why)
      expect(result.stderr).toContain(`Usage: ${usage}`)
    })
})

describe('what is refused exits 1, with one line that says why and what to do', () => {
  for (const [line, why] of [
    ['team create acme --name Again', 'changelogd team show acme'],
    ['team create Acme --name Capital', 'lowercase letters'],
    [`team create ${'x'.repeat(65)} --name Long`, 'at most 64'],
    ['team show acmee', 'Did you mean acme?'],
    ['team show zzzzzz', 'changelogd team list'],
    ['product show acme/ap', 'Did you mean acme/app?'],
    ['product show amce/app', 'Did you mean acme?'],
    ['product create acme/app --name Again', 'changelogd product show acme/app'],
    ['product create nobody/app --name App', 'no team nobody'],
    ['version show acme/app 0.1.O', 'Did you mean 0.1.0?'],
    ['version create acme/app 0.1.0 --title Again', 'changelogd version show acme/app 0.1.0'],
    ['version create acme/app ver_01m7ee0pshexbt5r0xj01dxv2v --title Id', 'choose another label'],
    ['change add acme/app 0.1.0 --type New! T', 'lowercase word'],
    ['change update chg_nothing --title T', 'changelogd change list'],
    ['apply nowhere.yml', 'Cannot read nowhere.yml'],
    ['healthcheck --port 1', 'changelogd serve'],
    ['get /api/v1/public/teams/hooli/products/phone/changelog', 'changelogd status'],
    ['team list --db postgres://localhost/x', '--db is'],
  ] as const)
    test.concurrent(line.slice(0, 70), async () => {
      const result = await box.words(line)
      expect(result.status).toBe(1)
      expect(result.stderr).toMatch(/^changelogd: [^\n]+\n$/)
      expect(result.stderr).toContain(why)
    })

  test('every wrong setting is named at once', async () => {
    const result = await box.run(['serve', '--port', 'x'], { RATE_LIMIT_BURST: '0', LOG_REQUESTS: 'maybe' })
    expect(result.status).toBe(1)
    for (const name of ['--port', 'RATE_LIMIT_BURST', 'LOG_REQUESTS']) expect(result.stderr).toContain(name)
  })
})

describe('at a terminal', () => {
  const answer = async (line: string): Promise<{ status: number; output: string }> => {
    let output = ''
    const child = Bun.spawn([...PROGRAM, 'team', 'delete', 'hooli'], {
      env: { ...box.env, TERM: 'xterm' },
      terminal: {
        data: (terminal, data) => {
          output += new TextDecoder().decode(data)
          if (output.includes('[y/N]') && !output.includes('answered')) {
            output += 'answered'
            terminal.write(`${line}\n`)
          }
        },
      },
    })
    return { status: await child.exited, output }
  }

  test('deleting asks, and goes on only after a yes', async () => {
    const no = await answer('n')
    expect(no.status).toBe(1)
    expect(no.output).toContain('deletes with it: 1 product.')
    expect((await box.words('team show hooli')).status).toBe(0)
    const yes = await answer('y')
    expect(yes.status).toBe(0)
    expect((await box.words('team show hooli')).status).toBe(1)
  })
})

function spectator(stdout: (text: string) => void): Context {
  const no = () => Promise.reject(new Error('only looking'))
  return {
    version: '0',
    env: {},
    stdout,
    stderr: () => {},
    terminal: { input: false, output: false },
    now: () => 0,
    progress: no,
    confirm: no,
    serve: no,
    get: no,
  }
}
