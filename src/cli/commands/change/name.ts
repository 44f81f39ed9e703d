import type { Command } from '@commander-js/extra-typings'
import type { ChangeName } from '../../../transfer/find.ts'
import { argumentOf, position, productName } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'

/** Changes are named `acme/app 1.2.0 3`, or by id. */

export const namingCommand = (change: Command, name: string, summary: string, examples: string[]) =>
  writingCommand(change, name, summary, examples)
    .usage(`[options] <product> <version> <number>\n       changelogd change ${name} [options] <change-id>`)
    .argument('<product>', 'the product, as team/product; or the id of the change, and nothing else')
    .argument('[version]', 'label or id of the version')
    .argument('[number]', 'number of the change, from change list')

/** Other arguments are wrong usage. */
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
