import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { sha256 } from '../domain/text/sha256.ts'
import { DAY_MS } from '../domain/time/time.ts'
import type { Answer } from '../outgoing/request.ts'
import { parseChangelog } from '../transfer/parse-changelog.ts'
import type { Check, Found, Memory } from './check-context.ts'
import { fetchFor, MOST_SOURCE_BYTES, refuseFailure, validatorsOf } from './fetch.ts'
import { changelogText, checkFile, USUAL_FILE } from './file.ts'
import type { Origin } from './origin.ts'

type HostOrigin = Extract<Origin, { way: 'host' }>

/** Reads the releases of a repository or, if it never had any and the source does not insist, its CHANGELOG.md. */
export async function checkReleases(origin: HostOrigin, check: Check): Promise<Found> {
  const { source, known, now } = check
  const mayBeFile = source.kind === 'auto' && known.mode !== 'releases'
  const isFile = mayBeFile && known.mode === 'file' && now - (known.modeAt ?? 0) < DAY_MS
  if (isFile && !check.full) return checkFile(origin, check)
  let refusal: Refusal | null = null
  const found = await readReleases(origin, check).catch((error: unknown) => {
    // A repository whose releases are switched off says the same as one that does not exist.
    if (!mayBeFile || !isMissing(error)) throw error
    refusal = error
    return null
  })
  if (found) return { ...found, memory: { ...found.memory, mode: 'releases' } }
  const { repository } = origin
  if (!mayBeFile)
    throw new Refusal(`${repository} has no releases${known.mode === 'releases' ? ' any more' : ''}.`, {
      hint: `Publish one, or follow a file: --file ${USUAL_FILE}`,
    })
  const before = known.mode === 'file' ? known : {}
  const { memory, read } = await checkFile(origin, { ...check, known: before }).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    const neither = `${repository} has neither releases nor a file ${USUAL_FILE}.`
    throw refusal ?? new Refusal(neither, { hint: error.advice })
  })
  return { read, memory: { ...memory, mode: 'file', modeAt: now } }
}

const isMissing = (error: unknown): error is Refusal => error instanceof Refusal && error.kind === 'not_found'

/** The fields that an import reads: others change by themselves, such as the count of downloads. */
const FIELDS = [
  ...['tag_name', 'name', 'body', 'description', 'draft', 'prerelease', 'upcoming_release'],
  ...['created_at', 'published_at', 'released_at', 'html_url'],
] as const
type Release = { [field in (typeof FIELDS)[number]]?: unknown } & { tag_name: string; _links?: unknown }

/** With 100 a page, more than any repository has. */
const MOST_PAGES = 200

/**
 * Null if there are none. All pages are read the first time and then once a day, because the validators of the first page
 * do not change with an old release; in between, only as many as have news.
 */
async function readReleases({ host, base, repository }: HostOrigin, check: Check): Promise<Found | null> {
  const { source, known, now, full } = check
  const first = base + host.releases
  let wantsAll =
    full || known.pages === undefined || (known.pages > 1 && now - (known.fullReadAt ?? 0) >= DAY_MS)
  const { headers } = host
  const name = `the releases of ${repository}`
  const missing = `${new URL(source.url).host} has no repository ${repository}, or your token cannot read it.`
  const releases: Release[] = []
  let memory: Memory = known
  let [url, pages, size, isWhole]: [string | null, number, number, boolean] = [first, 0, 0, true]
  for (; url !== null && pages < MOST_PAGES; pages++) {
    const since = pages === 0 && !wantsAll ? known.validators : undefined
    const answer = await fetchFor(url, check, { headers, ...(since && { since }) })
    if (answer.status === 304) return { memory: known, read: null }
    refuseFailure(url, answer, name, missing)
    const page = pageOf(name, answer)
    if (pages === 0) {
      const firstPage = firstPageOf(page)
      memory = { ...known, firstPage, validators: validatorsOf(url, answer) }
      if (!wantsAll && firstPage.hash === known.firstPage?.hash) return { memory, read: null }
      // Only the whole source tells if it has lost too much.
      wantsAll ||= firstPage.text * 2 < (known.firstPage?.text ?? 0)
    }
    size += JSON.stringify(page).length
    if (size > MOST_SOURCE_BYTES) throw new Refusal(`The releases of ${repository} are larger than 20 MB.`)
    releases.push(...page)
    url = nextPage(first, answer)
    const isKnown = page.some(({ tag_name }) => known.firstPage?.tags.includes(tag_name))
    if (url === null || (!check.isLook && (wantsAll || !isKnown))) continue
    isWhole = false
    break
  }
  if (releases.length === 0) return null
  const text = textFor(releases, source)
  if (text === '')
    throw new Refusal(`No release of ${repository} starts with ${source.tagPrefix}.`, {
      hint: 'Check --tag-prefix.',
    })
  if (isWhole) {
    const hash = sha256(text)
    memory = { ...memory, hash, pages, fullReadAt: now }
    if (hash === known.hash && !full) return { memory, read: null }
  }
  const input = parseChangelog(name, text, host.format)
  if (!isWhole || url === null) return { memory, read: { input, isWhole } }
  const message = `only the newest ${MOST_PAGES} pages were read; older releases are kept`
  input.parsed.warnings.push({ text: name, line: 1, message })
  return { memory, read: { input, isWhole: false } }
}

const firstPageOf = (page: readonly Release[]): NonNullable<Memory['firstPage']> => ({
  hash: sha256(JSON.stringify(page)),
  tags: page.map(({ tag_name }) => tag_name),
  text: page.reduce((sum, { body, description }) => sum + String(body ?? description ?? '').length, 0),
})

/** The releases of a page. Refuses anything else. */
function pageOf(name: string, { body }: Answer): Release[] {
  const { text } = changelogText(`The response with ${name}`, body)
  let page: unknown
  try {
    page = JSON.parse(text)
  } catch (cause) {
    throw notReleases(name, cause)
  }
  if (!Array.isArray(page)) throw notReleases(name)
  return page.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('tag_name' in one) || typeof one.tag_name !== 'string')
      throw notReleases(name)
    const all = one as Release & { _links?: { self?: unknown } }
    const kept = Object.fromEntries(
      FIELDS.filter((field) => field in all).map((field) => [field, all[field]]),
    )
    return { ...kept, ...(all._links && { _links: { self: all._links.self } }) } as Release
  })
}

const notReleases = (name: string, cause?: unknown): Refusal =>
  new Refusal(`The response of the host is not ${name}.`, {
    hint: 'Check the address, and --host-kind if you set it.',
    cause,
  })

/** The next page by its query alone: a host may be wrong about its own origin, and the token goes there. */
function nextPage(first: string, { headers }: Answer): string | null {
  const link = /<([^<>]*)>\s*;[^,]*\brel="?next"?/i.exec(headers.get('link') ?? '')?.[1]
  const search = link === undefined ? '' : (URL.parse(link, first)?.search ?? '')
  return search === '' ? null : first.replace(/\?.*$/, '') + search
}

/** One release a line, so that warnings can name it; only tags with the prefix, which they lose. */
function textFor(releases: readonly Release[], { tagPrefix }: Source): string {
  const seen = new Set<string>()
  return releases
    .filter(({ tag_name }) => tagPrefix === null || tag_name.startsWith(tagPrefix))
    .filter(({ tag_name, draft }) => draft === true || (!seen.has(tag_name) && seen.add(tag_name)))
    .map((release) => {
      const tag_name = release.tag_name.slice(tagPrefix?.length ?? 0)
      return JSON.stringify({ ...release, tag_name, ...(release.name === release.tag_name && { name: '' }) })
    })
    .join('\n')
}
