import tab from '@bomb.sh/tab/commander'
import type { Command } from '@commander-js/extra-typings'
import type { Key, Version } from '../../domain/records.ts'
import type { Records } from '../../store/records/port.ts'
import { configured, exampleText } from '../command.ts'
import type { Context } from '../context.ts'
import { withReadableStore } from '../session.ts'
import { flagOn } from '../settings.ts'
import bashScript from './completion.bash' with { type: 'text' }

/** In seconds: while typing, no names are better than late ones. */
const LONGEST_WAIT = 0.5

type Candidates = Record<string, readonly [value: string, about: string][]>

/**
 * Adds `completion <shell>`, and the hidden `complete` that the shells call. Commands, options and choices come from
 * the program itself; the names of teams, products, versions and keys from the database.
 */
export function addCompletion(context: Context, program: Command): void {
  let candidates: Candidates = {}
  // The library is typed for Commander without the inferred types, which is the same object.
  const completion = tab(program as unknown as Parameters<typeof tab>[0], {
    completionCommandName: 'completion',
  })
  for (const command of completion.commands.values())
    for (const argument of command.arguments.values())
      argument.handler ??= (complete) => {
        for (const [value, about] of candidates[argument.name] ?? []) complete(value, about)
      }

  const find = (name: string) => program.commands.find((command) => command.name() === name)
  const scripts = find('completion')
  if (scripts) {
    configured(context, scripts)
      .description('print the completion script for a shell')
      .addHelpText('after', `\n${exampleText(EXAMPLES)}`)
      // The library's script for bash needs the bash-completion package.
      .action((...[shell]) =>
        shell === 'bash'
          ? context.stdout(bashScript)
          : completion.setup('changelogd', 'changelogd', String(shell)),
      )
    for (const argument of scripts.registeredArguments) {
      argument.description = 'the shell'
      argument.argChoices = SHELLS
    }
  }
  // The library answers at once, so the names are read before it runs.
  find('complete')?.hook('preAction', async (_, complete) => {
    const names = await readCandidates(context, complete.args).catch(() => ({}))
    candidates = { ...names, command: commandsOf(program) }
  })
}

const commandsOf = (program: Command): Candidates[string] =>
  program.commands
    .filter((command) => command.name() !== 'complete')
    .map((command) => [command.name(), command.description()])

/** Whether the next word is a name that does not exist yet, or a file. */
const isNewName = ([noun = '', verb, ...rest]: readonly string[]): boolean =>
  (['team', 'product'].includes(noun) && verb === 'create') ||
  (noun === 'import' && [verb, ...rest].includes('--all'))

/** The teams, products, versions and keys to choose from. Refused if there is no database of this schema. */
async function readCandidates(context: Context, words: readonly string[]): Promise<Candidates> {
  if (isNewName(words)) return {}
  const flag = flagOn(words, '--db')
  const options = { wait: LONGEST_WAIT, db: flag }
  return withReadableStore(context, options, (store) =>
    store.snapshot(async (records) => {
      const teams = await records.teams.list()
      const products = await records.products.list()
      const typed = words.find((word) => word.includes('/') && !word.startsWith('-') && word !== flag)
      const [team = '', slug = ''] = typed?.split('/') ?? []
      const product = await records.products.find(team, slug)
      const versions = product ? await records.versions.list(product) : []
      const keys = await Promise.all(teams.map((team) => records.keys.list(team)))
      return {
        team: teams.map((team) => [team.slug, team.name]),
        product: products.map((each) => [`${each.team.slug}/${each.slug}`, each.name]),
        version: versions.map((version) => [version.label, version.title]),
        key: keys.flatMap((ofTeam) => keyCandidates(ofTeam, words.at(-1))),
        number: await changeCandidates(records, versions, words),
        slug: products.map((each) => [each.slug, each.name]),
      }
    }),
  )
}

/** The keys of a team: those whose label no other has by it, the others by their ids, and all if an id is typed. */
const keyCandidates = (keys: readonly Key[], typed = ''): Candidates[string] =>
  keys.map((key) => {
    const isAlone = keys.filter(({ label }) => label === key.label).length === 1
    const isNamed = key.label !== '' && isAlone && !typed.startsWith('key_')
    const about = `${key.team.slug} ${key.kind} ${key.label}`
    return [isNamed ? `${key.team.slug}/${key.label}` : key.id, about]
  })

/** The numbers of the changes of the version that is typed already. */
async function changeCandidates(
  records: Records,
  versions: readonly Version[],
  words: readonly string[],
): Promise<Candidates[string]> {
  const typed = words.slice(0, -1)
  const version = versions.find(({ id, label }) => typed.includes(label) || typed.includes(id))
  if (!version) return []
  return (await records.changes.list(version)).map((change) => [
    String(change.position),
    `${change.type} ${change.title}`,
  ])
}

const SHELLS = ['bash', 'zsh', 'fish']

const EXAMPLES = [
  "echo 'source <(changelogd completion bash)' >> ~/.bashrc",
  "mkdir -p ~/.zfunc && changelogd completion zsh > ~/.zfunc/_changelogd && echo 'fpath+=~/.zfunc; autoload -Uz compinit && compinit' >> ~/.zshrc",
  'mkdir -p ~/.config/fish/completions && changelogd completion fish > ~/.config/fish/completions/changelogd.fish',
]
