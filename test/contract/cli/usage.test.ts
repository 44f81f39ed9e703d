import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram, run } from '../../../src/cli/program.ts'
import { SCHEMA_VERSION as POSTGRES_SCHEMA } from '../../../src/store/postgres/migrations.ts'
import { SCHEMA_VERSION as SQLITE_SCHEMA } from '../../../src/store/sqlite/migrations.ts'
import { contextWith, terminalWith } from '../../support/commands/context.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'

const box = new Sandbox()
/** What a person has set who pastes an example. */
const SET = { EDITOR: 'true', PUBLIC_URL: 'https://changelog.example.org' }
const everything = join(box.directory, 'everything.jsonl')

beforeAll(async () => {
  await box.json('demo')
  await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'To be released.')
  await box.run(['hook', 'add', 'acme', 'https://example.org/hooks/releases'], SET)
  await box.json('export', '--all', '--output', everything)
})
afterAll(() => box.close())

/** What a command line that must succeed prints, run within this process: only to look at help. */
async function printed(args: readonly string[], context = contextWith()): Promise<string> {
  let text = ''
  const stdout = async (part: string) => {
    text += part
  }
  expect(await run({ ...context, stdout }, args)).toBe(0)
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

const PATHS = paths(await createProgram(contextWith()))

describe('help', () => {
  for (const path of PATHS) {
    const name = ['changelogd', ...path].join(' ')
    test(`${name} --help ends with examples that work as pasted`, async () => {
      const text = await printed([...path, '--help'])
      const examples = [...(text.split('\nExamples:\n')[1] ?? '').matchAll(/^ {2}\$ (.+)$/gm)].map(
        ([, example = '']) => example,
      )
      expect(examples.length).toBeGreaterThanOrEqual(2)
      expect(examples.length).toBeLessThanOrEqual(3)
      const form = /^ {2}teams:\n(?: {4}.*\n)+/m.exec(text)?.[0]
      for (const example of examples)
        if (!/\b(serve|worker|healthcheck|ssh)\b|--web|s3:|hook (test|replay)/.test(example)) {
          await using own = new Sandbox()
          for (const end of ['', '-worker']) cpSync(box.database + end, own.database + end)
          // What a person has at hand who pastes it.
          if (form) writeFileSync(own.at('changelogd.yml'), form)
          cpSync(join(import.meta.dir, '../../../CHANGELOG.md'), own.at('CHANGELOG.md'))
          writeFileSync(own.at('slack.txt'), 'https://hooks.slack.example/services/T/B/x\n')
          cpSync(everything, own.at('everything.jsonl'))
          // Nobody is asked beyond this machine.
          const near = example.replace(/(?<=follow .*)https:\S+/, '$& --no-check')
          const { status, stderr } = await own.paste(near, SET)
          expect([example, status, status === 0 ? '' : stderr]).toEqual([example, 0, ''])
        }
    })
  }

  test('help COMMAND shows the same as COMMAND --help, for the commands of a group too', async () => {
    for (const path of PATHS) {
      const text = await printed([...path, '--help'])
      expect(text).toContain(`Usage: ${['changelogd', ...path].join(' ')} `)
      expect(await printed(['help', ...path])).toBe(text)
      const [group, ...rest] = path
      if (rest.length > 0) expect(await printed([group as string, 'help', ...rest])).toBe(text)
    }
    expect((await box.words('help version create')).stdout).toBe(
      (await box.words('version create --help')).stdout,
    )
  })

  test('every argument and option has a description, with at most one default, and that a meaningful one', async () => {
    for (const path of PATHS) {
      const [lists = ''] = (await printed([...path, '--help'])).split('\nExamples:\n')
      for (const item of lists.split(/\n {2}(?=\S)/).slice(1)) {
        const text = item.replaceAll(/\s+/g, ' ')
        expect([text, text.split('default: ').length <= 2]).toEqual([text, true])
        expect(text).not.toMatch(/default: (\[|\{|"|0\)|undefined|null|not at all)/)
        expect([text, /^.+( {2,}|\n +)\S/.test(item)]).toEqual([text, true])
      }
    }
  })

  test('on a narrow terminal no description is broken in the middle of a word', async () => {
    for (const width of [60, 80, 120])
      for (const path of PATHS) {
        const text = await printed([...path, '--help'], terminalWith(width))
        const lists = text.slice(text.indexOf('\n\n', text.indexOf('Usage:')), text.indexOf('\nExamples:'))
        for (const line of lists.split('\n'))
          expect([path, line.length > width && line]).toEqual([path, false])
      }
  })

  test('where a server is asked or shown, its address is not described as one to listen on', async () => {
    for (const command of ['healthcheck', 'demo']) {
      const text = await printed([command, '--help'])
      expect(text).toContain('address of the server')
      expect(text).not.toContain('listen')
    }
  })

  for (const flag of ['--version', '-V'])
    test(`${flag} says the version on a line of its own, then commit, schema and platform`, async () => {
      const { version } = await Bun.file(join(import.meta.dir, '../../../package.json')).json()
      const { status, stdout, stderr } = await box.words(flag)
      expect({ status, stderr, lines: stdout.split('\n') }).toEqual({
        status: 0,
        stderr: '',
        lines: [
          version,
          expect.stringMatching(/^commit: ([0-9a-f]{40}|unknown, .+)$/),
          `schema: ${SQLITE_SCHEMA} (SQLite), ${POSTGRES_SCHEMA} (PostgreSQL)`,
          `platform: ${process.platform}-${process.arch}`,
          '',
        ],
      })
    })
})

describe('wrong usage exits 2, with the usage of the command', () => {
  for (const [line, why, usage] of [
    ['', 'Usage', 'changelogd [options] [command]'],
    ['team', 'Usage', 'changelogd team [options] [command]'],
    ['tea list', 'Did you mean team?', 'changelogd [options] [command]'],
    ['verison', 'Did you mean version?', 'changelogd [options] [command]'],
    ['help verison', 'Did you mean version?', 'changelogd [options] [command]'],
    ['help nosuch', 'To list the commands: changelogd help\n', 'changelogd [options] [command]'],
    ['help version crate', 'Did you mean create?', 'changelogd version [options] [command]'],
    ['help version nosuch', 'changelogd help version\n', 'changelogd version [options] [command]'],
    ['version help nosuch', 'changelogd help version\n', 'changelogd version [options] [command]'],
    ['help version create more', "Unknown command 'more'", 'changelogd version create [options] <product>'],
    ['version crate acme/app 1', 'Did you mean create?', 'changelogd version [options] [command]'],
    [
      'version release acme/app 1',
      'Did you mean changelogd release?',
      'changelogd version [options] [command]',
    ],
    ['team create', 'team', 'changelogd team create [options] <team>'],
    ['import --all x --publish', '--all does not take --publish', 'changelogd import [options] <product>'],
    ['team create x --name X --plam free', 'Did you mean --plan?', 'changelogd team create [options] <team>'],
    [
      'team update acme --plan gold',
      'Allowed choices are free, paid',
      'changelogd team update [options] <team>',
    ],
    ['team update acme', 'Nothing to update', 'changelogd team update [options] <team>'],
    ['team show acme too', 'Too many arguments', 'changelogd team show [options] <team>'],
    ['product show app', 'team/product', 'changelogd product show [options] <product>'],
    [
      'version create acme/app 9 --title T --date 2026-02-30',
      'which is midnight UTC',
      'changelogd version create',
    ],
    ['change move chg_x --position 0', 'counted from 1', 'changelogd change move'],
    ['key rotate key_x --overlap soon', '90m, 24h, 30d or 2w', 'changelogd key rotate'],
    ['key create acme --expires later', '90m, 24h, 30d or 2w', 'changelogd key create'],
    ['completion tcsh', 'Allowed choices', 'changelogd completion'],
  ] as const)
    test(line || '(nothing)', async () => {
      const result = await box.run(line === '' ? [] : line.split(' '))
      expect(result).toMatchObject({ status: 2, stdout: '' })
      expect(result.stderr).toContain(why)
      expect(result.stderr).toContain(`Usage: ${usage}`)
    })
})

test('wrong usage repeats no control character of an argument', async () => {
  for (const args of [['follow', 'RED', 'x'], ['follow', 'acme/app', 'x', '--host-kind', 'RED'], ['RED']]) {
    const { status, stderr } = await box.run(args.map((word) => word.replace('RED', '\u001b[31m\u202ered')))
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^[^\p{Cc}\p{Cf}]+red'.+\nUsage: /u)])
  }
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
    ['version create acme/app ver_01m7ee0pshexbt5r0xj01dxv2v --title Id', 'Choose another label'],
    ['change add acme/app 0.1.0 --type New! T', 'lowercase word'],
    ['change update chg_nothing --title T', 'changelogd change list'],
    ['apply nowhere.yml', 'There is no file nowhere.yml in /'],
    ['healthcheck --port 1', 'changelogd serve'],
    ['get /api/v1/public/teams/hooli/products/phone/changelog', 'changelogd status'],
    ['team list --db mysql://localhost/x', '--db is'],
    ['team list --db postgres://u:pw@localhost/x', 'set DATABASE_URL or DATABASE_URL_FILE'],
    ['team list --db postgres://u@127.0.0.1:1/x', 'postgres://u@127.0.0.1:1/x does not answer'],
    ['backup x.db --db postgres://u@127.0.0.1:1/x', 'pg_dump'],
    ['restore x.db --db postgres://u@127.0.0.1:1/x --yes', 'changelogd import --all'],
  ] as const)
    test(line.slice(0, 70), async () => {
      const { status, stderr } = await box.words(line)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^changelogd: [^\n]+\n$/)
      expect(stderr).toContain(why)
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
    expect(no.output).toContain('This deletes team hooli and everything in it: 1 product.')
    expect((await box.words('team show hooli')).status).toBe(0)
    const yes = await answer('y')
    expect(yes.status).toBe(0)
    expect((await box.words('team show hooli')).status).toBe(1)
  })
})
