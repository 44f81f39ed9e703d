import { argumentOf, position, productName } from '../../arguments.ts'
import type { ChangeName } from '../../lookup.ts'

/** How the commands name a change: `acme/app 1.2.0 3`, or by its id alone. */

export const PRODUCT = 'the product, as team/product; or the id of the change, and nothing else'
export const NUMBER = 'number of the change, from change list'

export const changeUsage = (command: string): string =>
  `[options] <product> <version> <number>\n       changelogd change ${command} [options] <change-id>`

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
