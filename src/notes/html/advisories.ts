import { ADVISORY, advisoryUrl } from '../../domain/versions/marks/advisories.ts'
import { REL } from './check.ts'
import { replaceInText, textPattern } from './in-text.ts'

const PATTERN = textPattern(new RegExp(`(?<id>${ADVISORY.source})`, 'i'))
/** How many links are made of a text: a few characters are one each. */
const MAX_LINKS = 500

/** Rendered markdown in which the ids of advisories are links. */
export function linkAdvisories(html: string): string {
  if (!ADVISORY.test(html)) return html
  let links = 0
  return replaceInText(html, PATTERN, ({ id }) =>
    id === undefined || ++links > MAX_LINKS
      ? null
      : `<a class="id" href="${advisoryUrl(id)}"${REL}>${id}</a>`,
  )
}
