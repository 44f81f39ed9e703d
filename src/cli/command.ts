import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { SETTINGS } from '../config/settings.ts'
import type { Records } from '../store/records/records.ts'
import { type Erring, seconds } from './arguments/arguments.ts'
import type { Context } from './context.ts'
import { COMMON_OPTIONS, commandAt, helpStyle, helpWidth } from './help/help.ts'
import {
  type Common,
  type Confirming,
  type Deleting,
  deleting,
  type Outcome,
  reading,
  type Writing,
  writing,
} from './session.ts'
import { configOption, describeSetting, settingOptions } from './settings.ts'
import { hasColor } from './terminal/color.ts'
import { sentence } from './terminal/text.ts'

/** Creates commands, so that all take the same options, and help and errors look the same. */

declare module '@commander-js/extra-typings' {
  // biome-ignore lint/suspicious/noExplicitAny: as the library declares it
  interface Command<Args extends any[], Opts extends OptionValues, GlobalOpts extends OptionValues> {
    context: Context
  }
}

export function withSettings<C extends CommandUnknownOpts>(command: C, flags?: readonly string[]): C {
  for (const option of settingOptions(flags)) command.addOption(option)
  return command
}

/** Commander hands the arguments to an action, then the options and the command. */
const optionsOf = (given: unknown[]) => given.at(-2) as Common & Confirming

/** An action that reads one state of the data and prints. */
export const reads =
  <G extends unknown[]>(context: Context, work: (records: Records, ...given: G) => Promise<Outcome>) =>
  (...given: G) =>
    reading(context, optionsOf(given), (records) => work(records, ...given))

/** An action that writes in one transaction and prints. */
export const writes =
  <G extends unknown[]>(
    context: Context,
    work: (records: Records, ...given: G) => Promise<Outcome>,
    options?: Writing,
  ) =>
  (...given: G) =>
    writing(context, { ...optionsOf(given), ...options }, (records) => work(records, ...given))

export const deletes =
  <T, G extends unknown[]>(context: Context, record: Deleting<T, G>) =>
  (...given: G) =>
    deleting(context, optionsOf(given), { ...record, find: (records) => record.find(records, ...given) })

/** Where a command belongs: a group that it is added to, or none. */
export type Parent = Context | CommandUnknownOpts

/** The help of a command ends with details, if any, and examples. */
export const command = (...parts: Parameters<typeof bareCommand>) =>
  bareCommand(...parts).addOption(configOption())

function bareCommand(parent: Parent, name: string, summary: string, examples: string[], details = '') {
  const command = new Command(name).description(summary)
  const isGroup = 'commands' in parent
  command.context = isGroup ? parent.context : parent
  if (isGroup) parent.addCommand(command)
  return configured(command.context, command).addHelpText('after', `\n${details}${exampleText(examples)}`)
}
export const exampleText = (examples: readonly string[]): string =>
  ['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n')

export const databaseCommand = (...parts: Parameters<typeof command>) =>
  command(...parts)
    .addOption(databaseOption())
    .addOption(jsonOption())

/** May have to wait for other writers. */
export const writingCommand = (...parts: Parameters<typeof command>) =>
  databaseCommand(...parts).addOption(waitOption())

export const jsonOption = () => new Option('--json', 'print JSON instead of text').helpGroup(COMMON_OPTIONS)

export const waitOption = () =>
  new Option(
    '--wait <seconds>',
    'longest wait for other commands and for PostgreSQL; 0 for no wait (default: 30 for PostgreSQL, no limit for commands)',
  )
    .argParser(seconds)
    .helpGroup(COMMON_OPTIONS)

/** A group without its help command, which is listed after the others. */
export const commandGroup = (...parts: Parameters<typeof bareCommand>) =>
  bareCommand(...parts)
    .helpCommand(false)
    .addHelpOption(helpOption())

export const databaseOption = () =>
  new Option('--db <database>', describeSetting(SETTINGS.database)).helpGroup(COMMON_OPTIONS)

export function addHelpCommand<C extends CommandUnknownOpts>(context: Context, group: C): C {
  if (group.commands.length === 0) return group
  const help = new Command('help').description('show help for a command')
  return group.addCommand(
    configured(context, help)
      .argument('[command...]', 'the command (default: list all commands)')
      .action((path) => commandAt(group, path).help()),
  )
}

export const yesOption = () => new Option('-y, --yes', 'do not ask for confirmation')

/** For a secret that was published. */
export const forgetOption = () =>
  new Option('--forget', 'keep nothing for undo, and remove what was kept of it before')

const helpOption = () => new Option('-h, --help', 'show this help')

/** The given values of an update; none is wrong usage. */
export function namedValues<T extends object>(command: Erring, values: T): Named<T> {
  const named = Object.entries(values).filter(([, value]) => value !== undefined)
  if (named.length === 0) {
    const options = Object.keys(values).map(
      (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
    command.error(`error: nothing to update; use at least one of ${options.join(', ')}`)
  }
  return Object.fromEntries(named) as Named<T>
}

type Named<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Commands write through the context, throw instead of exiting, and show their usage on an error. */
export const configured = <C extends CommandUnknownOpts>(context: Context, command: C): C =>
  command
    .exitOverride()
    .addHelpOption(helpOption().helpGroup(COMMON_OPTIONS))
    .configureHelp(helpStyle(context))
    .configureOutput({
      // Commander does not wait, and has little to write.
      writeOut: (text) => void context.stdout(text),
      writeErr: (text) => void context.stderr(text),
      getOutHelpWidth: () => helpWidth(context),
      getErrHelpWidth: () => helpWidth(context),
      getOutHasColors: () => hasColor(context),
      getErrHasColors: () => false,
      outputError: (text, write) => {
        const usage = command.createHelp().commandUsage(command)
        write(`changelogd: ${usageError(text)}\nUsage: ${usage}\n`)
      },
    })

/** Commander's messages in our words. */
export const usageError = (text: string): string =>
  sentence(
    text
      .replace(/^error: /, '')
      .trim()
      .replace(/\n\((.*)\)$/, '. $1')
      .replace(/^command-argument value (.*) is invalid for argument '(.*)'\. /s, '$1 is not a valid $2: ')
      // The value may be a password.
      .replace(/^(unknown option '--[\w-]+)=.*?'/s, "$1'")
      .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument (.*) is invalid\. /s, '$1 is $2: '),
  )
