import { unescapeHtml } from './entities.ts'
import { textPattern } from './in-text.ts'
import { commitUrl, issueUrl, mergeRequestUrl, personUrl, type Repository, shortName } from './repository.ts'

/** The address of a link that shows only that. */
const ADDRESS = /<a href="(?<address>https?:\/\/[^"]*)">\k<address><\/a>/
/** A link that already shows what one of ours would. */
const SHORT =
  /<a href="(?<href>[^"]*)">(?<shown>(?:<code>)?(?:@[\w.-]+(?:\[bot\])?|[\w./-]*[#!]\d+|[0-9a-f]{7,40})(?:<\/code>)?)<\/a>/
const PERSON = /(?<![\w/&@.-])@(?<person>[A-Za-z\d](?:[\w.-]{0,37}[A-Za-z\d])?(?:\[bot\])?)(?![\w/@(-])/
const ISSUE = /(?<![\w/&#@.-])(?:(?<other>[A-Za-z\d][\w.-]*\/[\w.-]+)?#|GH-)(?<issue>[1-9]\d{0,9})(?![\w-])/
const MERGE_REQUEST = /(?<![\w/&])!(?<request>[1-9]\d{0,9})(?![\w-])/
/** Eight digits are a date, and seven letters a word. */
const COMMIT =
  /(?<![\w/&#@.:=+-])(?<commit>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,12}|[0-9a-f]{40})(?![\w/@=+-]|\.\w)/

const LINKS = `${ADDRESS.source}|${SHORT.source}`
const WORDS = [PERSON, ISSUE, MERGE_REQUEST, COMMIT].map(({ source }) => source).join('|')
/** Links come before those whose content stays as it is. */
const PATTERN = new RegExp(`${LINKS}|${textPattern(new RegExp(WORDS)).source}`, 'g')

/** Rendered markdown in which people, issues, commits and addresses of the repository's host are short links. */
export function linkReferences(html: string, repository: Repository): string {
  const parts: string[] = []
  let end = 0
  for (const { 0: found, groups = {}, index } of html.matchAll(PATTERN)) {
    const reference = referenceOf(repository, groups, found)
    if (reference === null) continue
    parts.push(html.slice(end, index), reference)
    end = index + found.length
    if (parts.length >= 2 * MAX_LINKS) break
  }
  return end === 0 ? html : markTails(parts.join('') + html.slice(end))
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

const link = (href: string, shown: string): string => `<a class="ref" href="${href}">${shown}</a>`

const REFERENCE = /<a class="ref" href="[^"]*">[^<]*<\/a>/.source
const TAIL = new RegExp(
  ` (?:by )?${REFERENCE}(?:(?:,| and|, and) ${REFERENCE})* (?:in ${REFERENCE}|\\(${REFERENCE}\\))(?=$|\\s*(?:</p>\\s*)?</li>)`,
  'g',
)

/** Marks who made a change and where, at its end: "by @alice in #12". */
const markTails = (html: string): string =>
  html.replace(TAIL, (tail) => ` <span class="by">${tail.slice(1)}</span>`)
