import { type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { paintFor } from '../terminal/color.ts'
import { sentence } from '../terminal/text.ts'
import { meantCommand } from './suggestions.ts'

/** The group of options that help lists last. */
export const COMMON_OPTIONS = 'Common options:'

/** Longer lines are hard to read. */
const WIDEST = 100
const PIPED = 80

export const helpWidth = ({ terminal }: Context): number =>
  Number.isFinite(terminal.width) ? Math.min(terminal.width, WIDEST) : PIPED

export const helpStyle = (context: Context): Partial<Help> => ({
  // Commander does not wrap below this width.
  minWidthToWrap: 20,
  styleTitle: paintFor(context).bold,
  commandDescription: (command) => sentence(command.description()),
  subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
  optionDescription: describe,
  argumentDescription: describe,
  formatItem: (term, width, description, help) =>
    // Descriptions get at least half of the width: beside the term, or below it.
    helpWidth(context) - width - 4 >= helpWidth(context) / 2
      ? new Help().formatItem.call(help, term, width, description, help)
      : `  ${term}\n${indented(help.boxWrap(description, helpWidth(context) - 6))}`,
  groupItems: commonLast,
})

/** Defaults are shown if they say something: a text that is not empty, or as the option describes it. */
function describe(described: Described): string {
  const { description, argChoices, defaultValue, defaultValueDescription, mandatory } = described
  const text = typeof defaultValue === 'string' && defaultValue !== '' ? defaultValue : undefined
  const start = defaultValueDescription ?? text
  const facts = [
    ...(mandatory ? ['required'] : []),
    ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
    ...(start === undefined ? [] : [`default: ${start}`]),
  ]
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`
}

type Described = Pick<Option, 'description' | 'argChoices' | 'defaultValue' | 'defaultValueDescription'> & {
  mandatory?: boolean
}

const indented = (text: string): string => text.replace(/^/gm, '      ')

/** Groups in the order they were added, common options last. */
const commonLast: Help['groupItems'] = (all, visible, groupOf) => {
  const groups = new Help().groupItems(all, visible, groupOf)
  const common = groups.get(COMMON_OPTIONS)
  groups.delete(COMMON_OPTIONS)
  return common ? groups.set(COMMON_OPTIONS, common) : groups
}

/** Refuses an unknown command, even with `--help`. `names` are all commands, of which only one is loaded. */
export function checkCommand(program: CommandUnknownOpts, args: readonly string[], names: readonly string[]) {
  const [, misplaced] = /^(--(?:config|db|wait|json))(?:=|$)/.exec(args[0] ?? '') ?? []
  if (misplaced) program.error(`error: ${misplaced} must come after the command`)
  let found = program
  for (const name of args) {
    if (name.startsWith('-') || found.commands.length === 0) return
    // A group that takes arguments itself, such as `follow`.
    const takesIt = found.registeredArguments.length > 0
    if (takesIt && !found.commands.some((each) => each.name() === name)) return
    // As the parser does later: `calledCommand` reads it.
    found.args = [name]
    found = commandAt(found, [name], names)
  }
}

/** The command at a path below `parent`, such as `version create`. An unknown one is wrong usage. */
export function commandAt(
  parent: CommandUnknownOpts,
  [name, ...rest]: readonly string[],
  names: readonly string[] = [],
): CommandUnknownOpts {
  if (name === undefined) return parent
  const next = parent.commands.find((each) => each.name() === name)
  return commandAt(next ?? parent.error(unknownCommand(parent, name, names)), rest, names)
}

/** The words that call a command, such as `changelogd version create`. */
export const namesOf = (command: CommandUnknownOpts): string[] => [
  ...(command.parent ? namesOf(command.parent) : []),
  command.name(),
]

function unknownCommand(parent: CommandUnknownOpts, name: string, names: readonly string[]): string {
  const visible = new Help().visibleCommands(parent).map((command) => command.name())
  // A command of another group, such as `version release`.
  const meant = names.includes(name)
    ? `changelogd ${name}`
    : meantCommand(name, visible, parent.parent !== null)
  const advice = meant
    ? `Did you mean ${meant}?`
    : `To list the commands: ${['changelogd help', ...namesOf(parent).slice(1)].join(' ')}`
  return `error: unknown command '${name}'. ${advice}`
}
