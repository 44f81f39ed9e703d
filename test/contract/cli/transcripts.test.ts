import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Glob } from 'bun'
import type { PrintedFinding } from '../../../src/domain/finding.ts'
import { describeNeeding } from '../../support/needs.ts'
import { rewrite } from '../../support/rewrite.ts'
import { type Sandbox, withProduct } from '../../support/sandbox.ts'
import { ENGINES, type Engine } from '../../support/servers/server.ts'

/**
 * Every file in `transcripts/` holds stories: commands behind `$ `, with what they print to standard output behind `> `,
 * to standard error behind `! `, and the exit status in brackets unless it is 0. Each begins with a public team acme on the
 * paid plan and its published product acme/app. A story marked with (PostgreSQL too) runs on both engines. Commands that are
 * not changelogd's own are in `BUILT_IN`. After a change that is meant, write the output again and review the difference:
 * UPDATE_CASES=1 bun test test/contract/cli/transcripts.test.ts
 */
const TRANSCRIPTS = join(import.meta.dir, 'transcripts')

interface Version {
  id: string
  version: string
  title: string
  status: string
  scheduled?: boolean
  publishedAt: string
  dated: boolean
  dateKnown?: boolean
  description: string | null
  changes: { id: string; type: string; title: string; description: string | null }[]
}

const versionsOf = async (box: Sandbox, product = 'acme/app'): Promise<Version[]> => {
  const { teams } = await box.json<{ teams: { products: { versions: Version[] }[] }[] }>('export', product)
  return teams.flatMap(({ products }) => products.flatMap(({ versions }) => versions))
}

type BuiltIn = (box: Sandbox, args: string[], text: string, env: Record<string, string>) => Promise<string[]>

/** Those of which the lines below are no output but a text. */
const TAKES_TEXT = ['cat', 'commit', 'tag', 'merge']

const BUILT_IN: Record<string, BuiltIn> = {
  /** `cat > FILE` writes the lines below to a file. */
  cat: async (box, [, name = ''], text) => {
    await Bun.write(box.at(name), text)
    return []
  },
  /** `replace FILE FROM TO` everywhere in a file. */
  replace: async (box, [name = '', from = '', to = '']) => {
    const text = await Bun.file(box.at(name)).text()
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`)
    await Bun.write(box.at(name), text.replaceAll(from, to))
    return []
  },
  /** `outline [PRODUCT]` lists its versions and changes. */
  outline: async (box, [product]) =>
    (await versionsOf(box, product)).flatMap((each) => [
      [
        each.version,
        ...(each.title === each.version ? [] : [`"${each.title}"`]),
        each.scheduled ? 'scheduled' : each.status,
        ...(each.dated ? [each.publishedAt.replace('T00:00:00.000Z', '')] : []),
        ...(each.dateKnown === false ? ['undated'] : []),
      ].join(' '),
      ...(each.description ? [`  ${each.description.replaceAll('\n', ' / ')}`] : []),
      ...each.changes.map(
        ({ type, title, description }) =>
          `  ${type}: ${[title, ...(description?.split('\n') ?? [])].join(' / ')}`,
      ),
    ]),
  /** `ids` lists the same with their ids. */
  ids: async (box, [product]) =>
    (await versionsOf(box, product)).flatMap(({ id, version, changes }) => [
      `${version} ${id}`,
      ...changes.map((change) => `  ${change.title} ${change.id}`),
    ]),
  /** `ls [DIRECTORY]` lists the files. */
  ls: async (box, [directory]) => (directory ? readdirSync(box.at(directory)).sort() : box.files()),
  /** `same FILE FILE` compares them. */
  same: async (box, [one = '', other = '']) => {
    const [first, second] = await Promise.all([one, other].map((name) => Bun.file(box.at(name)).text()))
    return [first === second ? 'the same bytes' : 'different']
  },
  /** `git ARGUMENT…` runs it in the repository, on the day in DAY. `{HEAD}` is that commit, and `{.}` the path. */
  git: async (box, args, _, { DAY = '2026-01-02' }) => {
    const time = `${DAY}T03:04:05+01:00`
    const path = box.at('repository')
    mkdirSync(path, { recursive: true })
    const words = args.map((word) =>
      word
        .replace('{.}', path)
        .replace(/\{(\S+)\}/, (_, commit: string) =>
          Bun.spawnSync(['git', '-C', path, 'rev-parse', commit]).stdout.toString().trim(),
        ),
    )
    const { status, stderr } = await box.runProgram(['git', '-C', path, ...words], {
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time },
      ...{ GIT_AUTHOR_NAME: 'Jane', GIT_AUTHOR_EMAIL: 'j@example.com' },
      ...{ GIT_COMMITTER_NAME: 'Jane', GIT_COMMITTER_EMAIL: 'j@example.com' },
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return []
  },
  /** `commit MESSAGE`, or the lines below are the message. Changes the file in FILE. */
  commit: async (box, words, text, env) => {
    if (env.FILE) {
      const path = `repository/${env.FILE}`
      await Bun.write(box.at(path), words.join(' '))
      await run(box, 'git', ['add', '.'])
    }
    const message = words.length > 0 ? words.join(' ') : text
    return run(box, 'git', ['commit', '--quiet', '--allow-empty', '--message', message], env)
  },
  /** `tag NAME`, annotated if the lines below are a message. */
  tag: (box, [name = ''], text, env) =>
    run(box, 'git', text === '' ? ['tag', name] : ['tag', '--annotate', name, '--message', text], env),
  /** `branch NAME MESSAGE…` makes commits on a new branch. */
  branch: async (box, [name = '', ...messages], _, env) => {
    await run(box, 'git', ['checkout', '--quiet', '-b', name])
    for (const message of messages) await run(box, 'commit', [message], env)
    return run(box, 'git', ['checkout', '--quiet', '-'])
  },
  /** `merge BRANCH` with the lines below as message. */
  merge: (box, [name = ''], text) =>
    run(box, 'git', ['merge', '--quiet', '--no-ff', '--message', text, name]),
  /** `rm FILE` removes it. */
  rm: async (box, [name = '']) => {
    rmSync(box.at(name))
    return []
  },
  /** `faults [OPTION…]` lists what the doctor finds not to be as it should, but for the room on this disk. */
  faults: async (box, args, _, env) => {
    const { stdout } = await box.run(['doctor', '--json', ...args], env)
    const { findings } = JSON.parse(stdout) as { findings: PrintedFinding[] }
    return findings
      .filter(({ state, check }) => state !== 'ok' && check !== 'free space')
      .flatMap(({ state, check, message, remedy }) => [`${state} ${check}: ${message}`, `  ${remedy}`])
  },
  /** `sql STATEMENT` writes to the database past the command line. */
  sql: async (box, [statement = '']) => {
    box.write(statement)
    return []
  },
}

const run = async (box: Sandbox, name: string, args: string[], env: Record<string, string> = {}) =>
  (await BUILT_IN[name]?.(box, args, '', env)) ?? []

/** The words of a line, as a shell finds them: with single and double quotes, and `\n` and `\e` in the latter. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double = '') =>
      single === undefined ? double.replaceAll('\\n', '\n').replaceAll('\\e', '\x1b') : single,
    ),
  )

/** What differs in each run, by a name: ids in the order in which they are seen, paths and moments. */
function stable() {
  const names = new Map<string, string>()
  const nameOf = (id: string, kind: string) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const name = `${kind}_${[...names.values()].filter((each) => each.startsWith(`${kind}_`)).length + 1}`
    names.set(id, name)
    return name
  }
  return (line: string, directory: string): string =>
    line
      .replaceAll(`${directory}/`, '')
      .replaceAll(directory, 'DIRECTORY')
      .replace(/\b(team|prod|clog|ver|chg|key|hk|src)_[0-9a-z]{26}\b/g, nameOf)
      .replace(/\bclk_\w+/g, 'clk_…')
      .replace(/\bwhsec_[\w+/=]+/g, 'whsec_…')
      .replace(/\bchangelogd-\w{6}\//g, '')
      .replace(/^Database: .*/, 'Database: …')
      .replace(/\(JSON Parse error.*?\)/, '(…)')
      .replace(/^Applied \d+ migrations (.*) schema \d+/, 'Applied … migrations $1 schema …')
      .replace(/\b\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d UTC)?/g, (moment) =>
        Math.abs(Date.now() - Date.parse(moment)) < 2 * 86_400_000 ? 'now' : moment,
      )
      .replace(/\bin \d+ years\b/g, 'in … years')
      .replace(/\b(\d+ \w+ ago|just now)\b/g, '… ago')
      .replace(/\d+ kB in \d+ ms/, '… kB in … ms')
      .replace(/\bbefore-restore-\w+/g, 'before-restore-…')
      .replace(/\bkept_[0-9a-z]{26}\b/g, 'kept_…')
      .replace(/(?<=\S) {2,}(?=\S)/g, '  ')
}

/** What a line prints, each line with its sign in front. */
async function runLine(
  box: Sandbox,
  line: string,
  text: string,
  name: ReturnType<typeof stable>,
): Promise<string[]> {
  const words = wordsOf(line)
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const [command = '', ...args] = words.slice(first)
  const signed = (sign: string, printed: string) => `${sign} ${name(printed, box.directory)}`.trimEnd()
  const builtIn = BUILT_IN[command]
  const env = Object.fromEntries(words.slice(0, first).map((word) => word.split(/=(.*)/s).slice(0, 2)))
  if (builtIn) return (await builtIn(box, args, text, env)).map((each) => signed('>', each))
  const { status, stdout: output, stderr } = await box.run([command, ...args], env)
  const stdout = /^[{[]/.test(output) && args.includes('--json') ? JSON.stringify(JSON.parse(output)) : output
  const usage = stderr.replace(/^Usage: .*/ms, 'Usage: …')
  const lines = (sign: string, text: string) =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((each) => signed(sign, each))
  return [...lines('>', stdout), ...lines('!', usage), ...(status === 0 ? [] : [`[${status}]`])]
}

/** The story again, with what its commands printed. */
async function played(engine: Engine, story: string): Promise<string> {
  await using box = await withProduct(engine)
  const [title = '', ...steps] = story.split(/^\$ /m)
  const name = stable()
  let transcript = title
  for (const step of steps) {
    const [line = ''] = step.split('\n')
    const text = step.slice(line.length + 1)
    const printed = (await runLine(box, line, text, name)).map((each) => `${each}\n`)
    const command = wordsOf(line).find((word) => !/^[A-Z_]+=/.test(word)) ?? ''
    transcript += `$ ${line}\n${TAKES_TEXT.includes(command) ? text : printed.join('')}`
  }
  return transcript
}

for (const file of [...new Glob('*.txt').scanSync(TRANSCRIPTS)].sort()) {
  const hasProgram = !file.startsWith('git-') || Bun.which('git') !== null
  describeNeeding('git', hasProgram, basename(file, '.txt').replaceAll('-', ' '), () => {
    const path = join(TRANSCRIPTS, file)
    const stories = readFileSync(path, 'utf8').split(/^(?=✂ )/m)
    for (const engine of ENGINES) {
      const isOn = (story: string) =>
        engine === 'SQLite' || (!process.env.UPDATE_CASES && /^✂ .*\(PostgreSQL too\)/.test(story))
      const own = stories.filter(isOn)
      test.each(own.map((story) => [/^✂ (.*)/.exec(story)?.[1], engine, story]))(
        '%s: %s',
        async (_, __, story = '') => {
          const transcript = await played(engine, story)
          if (process.env.UPDATE_CASES) rewrite(path, story, transcript)
          else expect(transcript).toBe(story)
        },
      )
    }
  })
}
