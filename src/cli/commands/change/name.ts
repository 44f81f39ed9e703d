import type { ChangeName } from '../../../transfer/find.ts'
import { argumentOf, position, productName } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'

/** How the commands name a change: `acme/app 1.2.0 3`, or by its id alone. */

/** A command that writes to the change which its arguments name. */
export const namingCommand = (context: Context, name: string, summary: string, examples: string[]) =>
  writingCommand(context, name, summary, examples)
    .usage(`[options] <product> <version> <number>\n       changelogd change ${name} [options] <change-id>`)
    .argument('<product>', 'the product, as team/product; or the id of the change, and nothing else')
    .argument('[version]', 'label or id of the version')
    .argument('[number]', 'number of the change, from change list')

/** The change that the arguments name. Anything else is wrong usage. */
export function changeName(
  command: { error(message: string): never },
  first: string,
  version: string | undefined,
  number: string | undefined,
): ChangeName {
  if (version === undefined && !first.includes('/')) return { id: first }
  const of = argumentOf(command, 'product', first, productName)
  if (version === undefined) return command.error("error: missing required argument 'version'")
  if (number === undefined) return command.error("error: missing required argument 'number'")
  return { of, version, position: argumentOf(command, 'number', number, position) }
}
