import type { EventEmitter } from 'node:events'
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { COMMON_OPTIONS } from '../../src/cli/help/help.ts'
import { sentence } from '../../src/cli/terminal/text.ts'
import { item, syntax, verbatim } from './roff.ts'

/** What the command table says of a command, as parts of a page. */

/** The commands below one, without `help`. */
export const shown = (command: CommandUnknownOpts): CommandUnknownOpts[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')

/** A usage has a line for each way to call the command. */
export const synopsis = (command: CommandUnknownOpts): string[] =>
  command
    .createHelp()
    .commandUsage(command)
    .split('\n')
    .flatMap((usage, at) => [...(at > 0 ? ['.br'] : ['.PP']), syntax(usage.trim())])

export const argumentItems = (command: CommandUnknownOpts): string[] => {
  const help = command.createHelp()
  return help
    .visibleArguments(command)
    .map((argument) => item(syntax(`<${argument.name()}>`), sentence(help.argumentDescription(argument))))
}

const optionItems = (command: CommandUnknownOpts, isShown: (option: Option) => boolean): string[] => {
  const help = command.createHelp()
  return help
    .visibleOptions(command)
    .filter(isShown)
    .map((option) => item(syntax(option.flags), sentence(help.optionDescription(option))))
}

const isCommon = (option: Option): boolean => option.helpGroupHeading === COMMON_OPTIONS

export const ownOptions = (command: CommandUnknownOpts): string[] =>
  optionItems(command, (option) => !isCommon(option))

/** The options that commands have in common, each once. */
export const commonOptions = (commands: readonly CommandUnknownOpts[]): string[] => [
  ...new Set(commands.flatMap((command) => optionItems(command, isCommon))),
]

/** What the help of a command says after its options, before the examples. */
export function details(command: CommandUnknownOpts): string[] {
  const text = ending(command).split(EXAMPLES)[0]?.trim() ?? ''
  return text === '' ? [] : [verbatim(text)]
}

export function examples(command: CommandUnknownOpts, heading: string): string[] {
  const text = ending(command).split(EXAMPLES)[1]?.trimEnd() ?? ''
  return text === '' ? [] : [heading, verbatim(text.replace(/^ {2}/gm, ''))]
}

const EXAMPLES = /^Examples:\n/m

/** Commander has it as something that listens to an event. */
function ending(command: CommandUnknownOpts): string {
  let text = ''
  const listened = command as unknown as EventEmitter
  listened.emit('afterHelp', { error: false, command, write: (part: string) => (text += part) })
  return text
}
