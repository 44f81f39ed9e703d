import tab from '@bomb.sh/tab/commander'
import type { Command, Option } from '@commander-js/extra-typings'
import { addressOfHook } from '../../domain/hooks.ts'
import { address, type Key } from '../../domain/records.ts'
import { word } from '../arguments/arguments.ts'
import { configured, exampleText } from '../command.ts'
import { configFileOf } from '../config-file.ts'
import type { Context } from '../context.ts'
import { commandAt } from '../help/help.ts'
import { snapshotOf } from '../session.ts'
import bashScript from './completion.bash' with { type: 'text' }
import fishScript from './completion.fish' with { type: 'text' }
import zshScript from './completion.zsh' with { type: 'text' }

/** The library's scripts need the bash-completion package, and never complete files. */
const SCRIPTS: Record<string, string> = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Printed by `complete` for a file name, which the shell completes itself. */
const FILES = ':files'

/** Adds `completion <shell>`, and the hidden `complete` that shells call, which reads names from the database. */
export function addCompletion(context: Context, program: Command): void {
  let candidates: Candidates = {}
  let isEverything = false
  let isFile = false
  // The library is typed for Commander without inferred types; the object is the same.
  const completion = tab(program as unknown as Parameters<typeof tab>[0], {
    completionCommandName: 'completion',
  })
  const offer = (kind: string) => (complete: (value: string, about: string) => void) => {
    isFile ||= kind === 'file' || isEverything
    const choices = kind.includes('|') ? kind.split('|').map((value) => [value, ''] as const) : []
    for (const [value, about] of candidates[kind] ?? choices) complete(value, about)
  }
  for (const [path, command] of completion.commands) {
    for (const argument of command.arguments.values())
      argument.handler =
        argument.name === 'shell'
          ? offer(Object.keys(SCRIPTS).join('|'))
          : (argument.handler ?? offer(argument.name.replace(/^file\..*/, 'file')))
    for (const option of commandAt(program, path.split(' ')).options) {
      const completed = command.options.get(option.name())
      if (completed?.handler && !option.argChoices) completed.handler = offer(kindOf(option))
    }
  }

  const find = (name: string) => program.commands.find((command) => command.name() === name)
  const scripts = find('completion')
  if (scripts) {
    configured(context, scripts)
      .description('print the completion script for a shell')
      .addHelpText('after', `\n${exampleText(EXAMPLES)}`)
      .action((...[shell]) => context.stdout(SCRIPTS[String(shell)] ?? ''))
    for (const argument of scripts.registeredArguments) {
      argument.description = 'the shell'
      argument.choices(Object.keys(SCRIPTS)).argParser(word(Object.keys(SCRIPTS)))
    }
  }
  // The library is synchronous, so names are read before it runs.
  find('complete')
    ?.hook('preAction', async (_, complete) => {
      const names = await readCandidates(context, complete.args).catch(() => ({}))
      candidates = { ...names, command: commandsOf(program) }
      isEverything = isImportOfEverything(complete.args)
    })
    .hook('postAction', () => (isFile ? context.stdout(`${FILES}\n`) : undefined))
}

/** The kind of an option's value: `file`, a key of `Candidates`, or choices such as `on|off`. Else empty. */
function kindOf(option: Option): string {
  const placeholder = /[<[](.+)[>\]]/.exec(option.flags)?.[1] ?? ''
  if (/^(file|path|directory|database)$/.test(placeholder)) return 'file'
  return placeholder.includes('|') ? placeholder : (NAMES[option.name()] ?? '')
}

/** Options whose values are names in the database. */
const NAMES: Record<string, string> = { product: 'slug', 'home-page': 'product' }

const commandsOf = (program: Command): Candidates[string] =>
  program.commands
    .filter((command) => command.name() !== 'complete')
    .map((command) => [command.name(), command.description()])

const EXAMPLES = [
  "echo 'source <(changelogd completion bash)' >> ~/.bashrc",
  "mkdir -p ~/.zfunc && changelogd completion zsh > ~/.zfunc/_changelogd && echo 'fpath+=~/.zfunc; autoload -Uz compinit && compinit' >> ~/.zshrc",
  'mkdir -p ~/.config/fish/completions && changelogd completion fish > ~/.config/fish/completions/changelogd.fish',
]

/** Seconds to wait: while typing, no suggestions are better than slow ones. */
const LONGEST_WAIT = 0.5

/** Values for arguments by name, each with a description. */
type Candidates = Record<string, readonly [value: string, about: string][]>

const isNewName = ([noun = '', verb]: readonly string[]): boolean =>
  ['team', 'product'].includes(noun) && verb === 'create'

const isImportOfEverything = ([command, ...rest]: readonly string[]): boolean =>
  command === 'import' && rest.includes('--all')

/** Teams, products, versions and keys to choose from. Refuses if there is no database of this schema. */
async function readCandidates(context: Context, words: readonly string[]): Promise<Candidates> {
  if (isNewName(words) || isImportOfEverything(words)) return {}
  const given = { db: flagOn(words, '--db'), config: flagOn(words, '--config') }
  const asTyped = { ...context, configFile: configFileOf(() => given, context) }
  return snapshotOf(asTyped, { wait: LONGEST_WAIT, db: given.db }, async (records) => {
    const teams = await records.teams.list()
    const products = await records.products.list()
    const typed = words.find((word) => /^[a-z\d-]+\/[a-z\d-]*$/.test(word) && word !== given.db)
    const [team = '', slug = ''] = typed?.split('/') ?? []
    const product = await records.products.find(team, slug)
    const versions = product ? await records.versions.list(product) : []
    const keys = await Promise.all(teams.map((team) => records.keys.list(team)))
    return {
      team: teams.map((team) => [team.slug, team.name]),
      product: products.map((each) => [address(each), each.name]),
      version: versions.map((version) => [version.label, version.title]),
      key: keys.flatMap((ofTeam) => keyCandidates(ofTeam, words.at(-1))),
      hook: (await records.hooks.list()).map((hook) => [addressOfHook(hook), hook.kind]),
      slug: products.map((each) => [each.slug, each.name]),
    }
  })
}

/** The value of an option on an incomplete line, which no parser takes; the last one if it is repeated. */
export function flagOn(words: readonly string[], flag: string): string | undefined {
  const options = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length)
  const at = options.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = options[at]
  return word === flag ? options[at + 1] : word?.slice(flag.length + 1)
}

/** Keys by label, or by id if labels repeat or an id is typed. */
const keyCandidates = (keys: readonly Key[], typed = ''): Candidates[string] =>
  keys.map((key) => {
    const isAlone = keys.filter(({ label }) => label === key.label).length === 1
    const isNamed = key.label !== '' && isAlone && !typed.startsWith('key_')
    const about = `${key.team.slug} ${key.kind} ${key.label}`
    return [isNamed ? `${key.team.slug}/${key.label}` : key.id, about]
  })
