import { Option } from '@commander-js/extra-typings'
import { LIMITS } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { normalise, trimBlankLines } from '../../formats/markdown/lines.ts'
import type { Context } from '../context.ts'
import { readText } from '../files.ts'

export const descriptionOption = (meaning: string) => new Option('--description <markdown>', meaning)

export const descriptionFileOption = () =>
  new Option('--description-file <file>', 'read the description from a file; - is standard input').conflicts(
    'description',
  )

/**
 * The description in the options: null for an empty one, undefined if there is none. A file is read to its end, so this
 * comes before the database is locked. Refuses a file that cannot be read, is empty, too long or not UTF-8.
 */
export async function readDescription(
  context: Context,
  { description, descriptionFile }: { description?: string; descriptionFile?: string },
): Promise<string | null | undefined> {
  if (descriptionFile !== undefined) return readFile(context, descriptionFile)
  return description === '' ? null : description
}

/** No valid description has more bytes. */
const MOST_DESCRIPTION_BYTES = 3 * LIMITS.description

async function readFile(context: Context, path: string): Promise<string> {
  const text = trimBlankLines(normalise(await readText(context, path, MOST_DESCRIPTION_BYTES)))
  if (text !== '') return text
  throw new Refusal(`${path === '-' ? 'Standard input' : path} is empty.`, {
    hint: 'To remove the description, use --description "".',
  })
}
