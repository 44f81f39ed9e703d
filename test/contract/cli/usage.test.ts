import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram, run } from '../../../src/cli/program.ts'
import { SCHEMA_VERSION as POSTGRES_SCHEMA } from '../../../src/store/postgres/migrations.ts'
import { SCHEMA_VERSION as SQLITE_SCHEMA } from '../../../src/store/sqlite/migrations.ts'
import { contextWith, terminalWith } from '../../support/commands/context.ts'
import { png } from '../../support/pictures.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'

const box = new Sandbox()
/** What a person has set who pastes an example. */
const SET = {
  ...{ EDITOR: 'true', PUBLIC_URL: 'https://changelog.example.org' },
  ...{ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'news@example.org' },
}
/** The picture that an example names by its id. */
const SHOT = png(1_280, 720)
const everything = join(box.directory, 'everything.jsonl')

beforeAll(async () => {
  await box.demo()
  await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'To be released.')
  await box.run(['hook', 'add', 'acme', 'https://example.org/hooks/releases'], SET)
  writeFileSync(box.at('shot.png'), SHOT)
  await box.json('picture', 'add', 'acme/app', 'shot.png')
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

/** The help of each command, by the words that lead to it. */
const HELP = new Map<string[], string>()
beforeAll(async () => {
  for (const path of PATHS) HELP.set(path, await printed([...path, '--help']))
})

describe('help', () => {
  for (const path of PATHS) {
    const name = ['changelogd', ...path].join(' ')
    test(`${name} --help ends with examples that work as pasted`, async () => {
      const text = HELP.get(path) ?? ''
      const examples = [...(text.split('\nExamples:\n')[1] ?? '').matchAll(/^ {2}\$ (.+)$/gm)].map(
        ([, example = '']) => example,
      )
      expect(examples.length).toBeGreaterThanOrEqual(2)
      expect(examples.length).toBeLessThanOrEqual(3)
      const form = /^ {2}teams:\n(?: {4}.*\n)+/m.exec(text)?.[0]
      for (const example of examples)
        if (!/\b(serve|worker|desk|healthcheck|ssh)\b|--web|s3:|hook (test|replay|dismiss)/.test(example)) {
          await using own = new Sandbox()
          for (const end of ['', '-worker']) cpSync(box.database + end, own.database + end)
          // What a person has at hand who pastes it.
          if (form) writeFileSync(own.at('changelogd.yml'), form)
          cpSync(join(import.meta.dir, '../../../CHANGELOG.md'), own.at('CHANGELOG.md'))
          writeFileSync(own.at('slack.txt'), 'https://hooks.slack.example/services/T/B/x\n')
          writeFileSync(own.at('shot.png'), SHOT)
          cpSync(everything, own.at('everything.jsonl'))
          // Nobody is asked beyond this machine.
          const near = example.replace(/(?<=follow .*)https:\S+/, '$& --no-check')
          // The doctor asks the mail server.
          const { SMTP_URL: _, ...without } = SET
          const { status, stderr } = await own.paste(near, example.includes('doctor') ? without : SET)
          expect([example, status, status === 0 ? '' : stderr]).toEqual([example, 0, ''])
        }
    })
  }

  test('help COMMAND shows the same as COMMAND --help, for the commands of a group too', async () => {
    for (const [path, text] of HELP) {
      expect(text).toContain(`Usage: ${['changelogd', ...path].join(' ')} `)
      expect(await printed(['help', ...path])).toBe(text)
    }
    expect(await printed(['version', 'help', 'create'])).toBe(await printed(['version', 'create', '--help']))
  })

  test('every argument and option has a description, with at most one default, and that a meaningful one', async () => {
    for (const help of HELP.values()) {
      const [lists = ''] = help.split('\nExamples:\n')
      for (const item of lists.split(/\n {2}(?=\S)/).slice(1)) {
        const text = item.replaceAll(/\s+/g, ' ')
        expect([text, text.split('default: ').length <= 2]).toEqual([text, true])
        expect(text).not.toMatch(/default: (\[|\{|"|0\)|undefined|null|not at all)/)
        expect([text, /^.+( {2,}|\n +)\S/.test(item)]).toEqual([text, true])
      }
    }
  })

  test('on a narrow terminal no description is broken in the middle of a word', async () => {
    for (const path of PATHS) {
      const text = await printed([...path, '--help'], terminalWith(60))
      const lists = text.slice(text.indexOf('\n\n', text.indexOf('Usage:')), text.indexOf('\nExamples:'))
      expect([path, lists.split('\n').filter((line) => line.length > 60)]).toEqual([path, []])
    }
  })

  test('--version says the version on a line of its own, then commit, schema and platform', async () => {
    const { version } = await Bun.file(join(import.meta.dir, '../../../package.json')).json()
    const { status, stdout, stderr } = await box.words('--version')
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
    expect((await box.words('-V')).stdout).toBe(stdout)
  })
})

test('wrong usage repeats no control character of an argument', async () => {
  for (const args of [['follow', 'RED', 'x'], ['follow', 'acme/app', 'x', '--host-kind', 'RED'], ['RED']]) {
    const { status, stderr } = await box.run(args.map((word) => word.replace('RED', '\u001b[31m\u202ered')))
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^[^\p{Cc}\p{Cf}]+red'.+\nUsage: /u)])
  }
})

test('no word for deleting or hiding, however mistyped, leads to a command that publishes', async () => {
  for (const word of ['deleet', 'delte', 'destroy', 'erase', 'unpublsh', 'unrelease', 'hide'])
    for (const line of [word, `${word} acme/app`, `version ${word} acme/app 0.1.0`]) {
      const [told] = (await box.words(line)).stderr.split('\n')
      expect(told).not.toMatch(/release\?|publish\?|: changelogd (\w+ )?(release|publish)\b/)
    }
})

test('every wrong setting is named at once', async () => {
  const result = await box.run(['serve', '--port', 'x'], { RATE_LIMIT_BURST: '0', LOG_REQUESTS: 'maybe' })
  expect(result.status).toBe(1)
  for (const name of ['--port', 'RATE_LIMIT_BURST', 'LOG_REQUESTS']) expect(result.stderr).toContain(name)
})

test('at a terminal, deleting asks, and goes on only after a yes', async () => {
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
  const no = await answer('n')
  expect(no.status).toBe(1)
  expect(no.output).toContain('This deletes team hooli and everything in it: 1 product.')
  expect((await box.words('team show hooli')).status).toBe(0)
  expect((await answer('y')).status).toBe(0)
  expect((await box.words('team show hooli')).status).toBe(1)
})
