import { Command, type CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings'
import type { Context } from './context.ts'
import { hasColour, paintFor } from './terminal/colour.ts'

/** How every command is made, so that all take the same options, and help and errors look the same. */

const EVERYWHERE = 'Everywhere:'

/** A command whose help ends with the examples. */
export const command = (context: Context, name: string, summary: string, examples: string[]) =>
  dressed(context, new Command(name).description(summary)).addHelpText('after', () => exampleText(examples))

/** A command that works on the database. */
export const verb = (context: Context, name: string, summary: string, examples: string[]) =>
  command(context, name, summary, examples)
    .addOption(databaseOption())
    .addOption(new Option('--json', 'print one JSON value').helpGroup(EVERYWHERE))

/** A command that only groups others. */
export const noun = (context: Context, name: string, summary: string, examples: string[]) =>
  command(context, name, summary, examples).helpCommand('help [command]', 'show the help of a command')

export const databaseOption = () =>
  new Option('--db <file>', 'the database file (default: DATABASE_URL, or data/changelogd.db)').helpGroup(
    EVERYWHERE,
  )

/** The values an update names; refuses, as wrong usage, an update that names none. */
export function given<T extends object>(
  command: { error(message: string): never },
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const named = Object.entries(values).filter(([, value]) => value !== undefined)
  if (named.length === 0) {
    const options = Object.keys(values).map((name) => `--${name}`)
    command.error(`error: nothing to update: give at least one of ${options.join(', ')}`)
  }
  return Object.fromEntries(named) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A command that writes through the context, throws instead of exiting, and shows its usage on an error. */
export function dressed<C extends CommandUnknownOpts>(context: Context, command: C): C {
  const paint = paintFor(context)
  return command
    .exitOverride()
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(EVERYWHERE))
    .configureHelp({ styleTitle: paint.bold, groupItems: everywhereLast })
    .configureOutput({
      // Commander does not wait, and has little to write.
      writeOut: (text) => void context.stdout(text),
      writeErr: (text) => void context.stderr(text),
      getOutHasColors: () => hasColour(context),
      getErrHasColors: () => false,
      outputError: (text, write) => {
        const usage = command.createHelp().commandUsage(command)
        write(`${text.replace(/^error: /, 'changelogd: ')}Usage: ${usage}\n`)
      },
    })
}

/** In the order in which they were added, except that what every command takes comes last. */
const everywhereLast: Help['groupItems'] = (all, visible, groupOf) => {
  const groups = new Help().groupItems(all, visible, groupOf)
  const everywhere = groups.get(EVERYWHERE)
  groups.delete(EVERYWHERE)
  return everywhere ? groups.set(EVERYWHERE, everywhere) : groups
}

const exampleText = (examples: string[]): string =>
  `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`
