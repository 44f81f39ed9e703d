import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describeNeeding } from '../../../support/needs.ts'
import { Sandbox } from '../../../support/sandbox.ts'

const box = new Sandbox()
const bin = box.withProgram()

beforeAll(async () => {
  await box.demo()
  await box.json('version', 'create', 'acme/app', 'v 1:2', '--title', 'With a space and a colon')
  writeFileSync(box.at('notes-of-beta.md'), '')
  mkdirSync(box.at('directory'))
  // Without this directory, fish would read all manual pages of the machine to fill it.
  mkdirSync(box.at('.local/share/fish/generated_completions'), { recursive: true })
  writeFileSync(box.at('directory/notes.md'), '')
})
afterAll(() => box.close())

interface Shell {
  /** Without any file of the user or the system. */
  command: string[]
  /** Lines that load the script, in each way that help suggests. */
  loading: string[][]
  /** Lines to type into this one only, which splits words at : and = itself. */
  more?: [typed: string, ran: string][]
}

const SHELLS: Record<string, Shell> = {
  bash: {
    command: ['bash', '--norc', '--noprofile', '-i'],
    loading: [['source <(changelogd completion bash)']],
    more: [
      ['bin/changelogd team sh\tho\t--js\t', '"slug": "hooli"'],
      ['changelogd team upd\thooli --vis\tpub\t', 'Updated team hooli (Hooli): public.'],
      ['changelogd team update hooli --visibility=pri\t', 'Updated team hooli (Hooli): private.'],
      ['changelogd version show acme/app v\t', 'With a space and a colon'],
      ['changelogd expo\tacme/be\t--output not\t', 'Exported to notes-of-beta.md.'],
    ],
  },
  zsh: {
    command: ['zsh', '-f', '-i'],
    loading: [
      ['autoload -Uz compinit && compinit -u -D', 'source <(changelogd completion zsh)'],
      [
        'mkdir -p .zfunc && changelogd completion zsh > .zfunc/_changelogd',
        'fpath+=$PWD/.zfunc; autoload -Uz compinit && compinit -u -D',
      ],
    ],
  },
  fish: {
    command: ['fish', '-i', '-C', "function fish_prompt; echo -n 'ready> '; end; set fish_greeting"],
    loading: [
      ['changelogd completion fish | source'],
      [
        'mkdir -p ~/.config/fish/completions',
        'changelogd completion fish > ~/.config/fish/completions/changelogd.fish',
      ],
    ],
  },
}

/** Commands, options, choices, names and files, in as few words as a shell needs to show that it completes them. */
const TYPED: [typed: string, ran: string][] = [
  ['changelogd ver\tpub\tacme/a\t0.2\t', 'Published version 0.2.0 of acme/app.'],
  ['bin/changelogd team update hooli --visibility=pri\t', 'Updated team hooli (Hooli): private.'],
  ['changelogd version show acme/app v\\ 1:\t', 'With a space and a colon'],
  ['changelogd export acme/beta --out\tnot\t', 'Exported to notes-of-beta.md.'],
  ['changelogd export acme/beta --output=not\t', 'Exported to notes-of-beta.md.'],
  ['changelogd import acme/app dir\tnot\t --dry-run', 'directory/notes.md: no version found.'],
  // A file is not offered where none is meant.
  ['changelogd team show not\t', 'There is no team not.'],
]

for (const [name, { command, loading, more = [] }] of Object.entries(SHELLS))
  describeNeeding(name, Bun.which(name) !== null, `in a ${name} that has nothing else loaded`, () => {
    const [first = [], ...others] = loading
    const all = [...TYPED, ...more]
    let shown: string[] = []
    beforeAll(async () => {
      await box.json('version', 'draft', 'acme/app', '0.2.0')
      const lines = [...first, ...all.map(([typed]) => typed)]
      shown = (await typedIn(command, lines)).slice(first.length)
    })
    for (const [at, [typed, ran]] of all.entries())
      test(JSON.stringify(typed), () => expect(shown[at]).toContain(ran))

    for (const lines of others)
      test(`loaded with ${lines.at(-1)}`, async () => {
        const shown = await typedIn(command, [...lines, 'changelogd team show ho\t'])
        expect(shown.at(-1)).toContain('Hooli')
      })
  })

/** A prompt, and what shells do to the terminal after it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins what terminals obey.
const PROMPT = /ready> (\x1b\[[?\d;]*[a-zA-Z])*$/

/** What an interactive shell shows for each of these lines, which are typed into it, each at its prompt. */
async function typedIn(command: readonly string[], lines: readonly string[]): Promise<string[]> {
  const shown: string[] = []
  let output = ''
  const rest = [...lines, 'exit']
  const shell = Bun.spawn([...command], {
    cwd: box.directory,
    env: { ...box.env, PATH: `${bin}:${box.env.PATH}`, PS1: 'ready> ', TERM: 'dumb' },
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, data) => {
        output += new TextDecoder().decode(data)
        // Fish writes its prompt again with every key; a new one is on a new line.
        const isNew = PROMPT.test(output) && (shown.length === 0 || output.includes('\n'))
        if (!isNew || rest.length === 0) return
        shown.push(output)
        output = ''
        terminal.write(`${rest.shift()}\r`)
      },
    },
  })
  await shell.exited
  return shown.slice(1)
}
