import tab from '@bomb.sh/tab/commander'
import type { Command } from '@commander-js/extra-typings'
import { dressed } from './command.ts'
import type { Context } from './context.ts'
import { withReadableStore } from './session.ts'

type Candidates = Record<string, readonly [value: string, about: string][]>

/**
 * Adds `completion <shell>`, and the hidden `complete` that the shells call: commands, options and choices
 * come from the program itself, and the names of teams, products, versions and keys from the database.
 */
export function addCompletion(context: Context, program: Command): void {
  let candidates: Candidates = {}
  // The library is typed for commander itself, which is the same object without the inferred types.
  const completion = tab(program as unknown as Parameters<typeof tab>[0], {
    completionCommandName: 'completion',
  })
  for (const command of completion.commands.values())
    for (const argument of command.arguments.values())
      argument.handler ??= (complete) => {
        for (const [value, about] of candidates[argument.name] ?? []) complete(value, about)
      }

  const offered = program.commands.find((command) => command.name() === 'completion')
  if (offered)
    dressed(context, offered)
      .description('print what makes a shell complete commands')
      .addHelpText('after', EXAMPLES)
  // The shells ask with the words typed so far; the library answers at once, so the names are read before.
  program.commands
    .find((command) => command.name() === 'complete')
    ?.hook('preAction', async (_, complete) => {
      candidates = await readCandidates(context, complete.args).catch(() => ({}))
    })
}

/** The teams, products, versions and keys to choose from. Refused if there is no database of this schema. */
async function readCandidates(context: Context, words: readonly string[]): Promise<Candidates> {
  const flag = words[words.indexOf('--db') + 1]
  const options = words.includes('--db') ? { db: flag } : {}
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
        'key-id': keys.flat().map((key) => [key.id, `${key.team.slug} ${key.kind} ${key.label}`]),
        slug: products.map((each) => [each.slug, each.name]),
      }
    }),
  )
}

const EXAMPLES = `
Examples:
  $ source <(changelogd completion bash)
  $ mkdir -p ~/.zfunc && changelogd completion zsh > ~/.zfunc/_changelogd
  $ mkdir -p ~/.config/fish/completions && changelogd completion fish > ~/.config/fish/completions/changelogd.fish`
