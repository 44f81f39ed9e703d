import { REL } from '../check.ts'
import { unescapeHtml } from '../entities.ts'
import { keptPattern } from '../in-text.ts'
import { commitUrl, issueUrl, mergeRequestUrl, personUrl, type Repository, shortName } from './repository.ts'

/** The address of a link that shows only that. */
const ADDRESS = /<a href="(https?:\/\/[^"]*)">\1<\/a>/
/** A link that already shows what one of ours would. */
const SHORT =
  /<a href="([^"]*)">((?:<code>)?(?:@[\w.-]+(?:\[bot\])?|[\w./-]*[#!]\d+|[0-9a-f]{7,40})(?:<\/code>)?)<\/a>/
/** Not within a word: `@anaïs` is nobody, but `@anaさん` is. */
const PERSON =
  /(?<![\w/&@.\xC0-\u052F-])@([A-Za-z\d](?:[\w.-]{0,37}[A-Za-z\d])?(?:\[bot\])?)(?![\w/@(\xC0-\u052F-])/
const ISSUE = /(?<![\w/&#@.-])(?:([A-Za-z\d][\w.-]*\/[\w.-]+)?#|GH-)([1-9]\d{0,9})(?![\w-])/
const MERGE_REQUEST = /(?<![\w/&])!([1-9]\d{0,9})(?![\w-])/
/** Eight digits are a date, and seven letters a word. */
const COMMIT = /(?<![\w/&#@.:=+-])((?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,12}|[0-9a-f]{40})(?![\w/@=+-]|\.\w)/

/** Links come before those whose content stays as it is. Groups have numbers, as names take longer. */
const PATTERN = new RegExp(
  [
    ADDRESS.source,
    SHORT.source,
    keptPattern(['pre', 'code', 'kbd', 'a']),
    ...[PERSON, ISSUE, MERGE_REQUEST, COMMIT].map(({ source }) => source),
  ].join('|'),
  'g',
)

/** Rendered markdown in which people, issues, commits and addresses of the repository's host are short links. */
export function linkReferences(html: string, repository: Repository): string {
  let links = 0
  const linked = html.replace(
    PATTERN,
    (found, address, href, shown, person, other, issue, request, commit) => {
      if (links === MAX_LINKS) return found
      const groups = { address, href, shown, person, other, issue, request, commit }
      const reference = referenceOf(repository, groups, found)
      if (reference === null) return found
      links++
      return reference
    },
  )
  return links === 0 ? html : markTails(linked)
}

/** How many links are made of a text: a few characters are one each. */
const MAX_LINKS = 500

function referenceOf(
  repository: Repository,
  { address, href, shown, person, issue, other, request, commit }: Partial<Record<string, string>>,
  found: string,
): string | null {
  if (address !== undefined) {
    const name = shortName(repository, unescapeHtml(address) ?? '')
    return name === null ? null : link(address, Bun.escapeHTML(name))
  }
  if (href !== undefined && shown !== undefined) return link(href, shown)
  if (person !== undefined) {
    const url = personUrl(repository, person)
    return url && link(url, found)
  }
  if (issue !== undefined) return link(issueUrl(repository, issue, other), found)
  if (request !== undefined)
    return repository.host === 'gitlab' ? link(mergeRequestUrl(repository, request), found) : null
  return commit === undefined ? null : link(commitUrl(repository, commit), commit.slice(0, 7))
}

const link = (href: string, shown: string): string => `<a class="ref" href="${href}"${REL}>${shown}</a>`

const REFERENCE = link('[^"]*', '[^<]*')
const TAIL = new RegExp(
  ` (?:by )?${REFERENCE}(?:(?:,| and|, and) ${REFERENCE})* (?:in ${REFERENCE}|\\(${REFERENCE}\\))(?=$|\\s*(?:</p>\\s*)?</li>)`,
  'g',
)

/** Marks who made a change and where, at its end: "by @alice in #12". */
const markTails = (html: string): string =>
  html.replace(TAIL, (tail) => ` <span class="by">${tail.slice(1)}</span>`)
