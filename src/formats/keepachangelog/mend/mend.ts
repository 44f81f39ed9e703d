import { VERSIONS_COMMENT } from '../comments.ts'
import { mendHeadings } from './headings.ts'
import { mendItems } from './items.ts'

/**
 * What markdown and its authors read differently, as markdown that says what they meant, line for line. The preamble of an
 * export stays as it is.
 */
export function mend(text: string): string {
  const end = text.indexOf(`${VERSIONS_COMMENT}\n`)
  const preamble = end === -1 ? '' : text.slice(0, end)
  return preamble + mendHeadings(mendItems(text.slice(preamble.length)))
}
