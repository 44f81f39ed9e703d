import { SITE, teamPagePath } from '../../domain/addresses/paths.ts'
import type { Instant } from '../../domain/records.ts'
import { handOver } from '../../domain/turns.ts'
import { type ChangelogInfo, type Cursor, type DatedVersion, dateOf } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Names } from '../reading/addresses.ts'
import { changelogLink, versionLink, writeCursor } from '../reading/addresses.ts'
import { LAST_SLUG } from '../reading/directory.ts'
import type { Asked, SITEMAP_PARAMETERS } from '../reading/parameters.ts'
import { notFound } from '../request/errors.ts'
import type { Site } from '../site/site.ts'
import type { Tools } from '../tools.ts'
import { fileBody } from './body.ts'

/** The most versions of a file: it is written in one turn of the event loop. */
const VERSIONS = 1_000
/** Products read in one turn. */
const PRODUCTS = 100

/** The product after which a file begins, or in whose versions. */
interface SitemapPosition extends Names {
  after: Cursor | null
}

const START: SitemapPosition = { team: '', product: '', after: null }

const XML = 'application/xml'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** The list of the files that list all pages. */
export function sitemap(asked: Asked): Promise<Response> {
  const site = siteWithMap(asked)
  return asked.responder.short(asked.context, {}, async (reads) =>
    fileBody(asked, await writeIndex(site, reads), XML),
  )
}

export function sitemapFile(asked: Asked<never, typeof SITEMAP_PARAMETERS>): Promise<Response> {
  const site = siteWithMap(asked)
  const { after: product, cursor } = asked.query
  const position = product ? { ...product, after: cursor } : START
  return asked.responder.long(asked.context, {}, async (reads) =>
    fileBody(asked, await writeFile(site, reads, position), XML),
  )
}

export function robots(asked: Asked): Promise<Response> {
  const site = asked.site()
  const sitemap = hasSitemap(site) ? `\nSitemap: ${site.publicUrl}${SITE.sitemap}\n` : ''
  // Everything except search results, which are endless.
  const text = `User-agent: *\nDisallow: /*?q=\nDisallow: /*?type=\nAllow: /\n${sitemap}`
  return asked.responder.short(asked.context, {}, async () => fileBody(asked, text, 'text/plain'))
}

/** There must be absolute addresses, and a sitemap is a list of all changelogs. */
const hasSitemap = ({ publicUrl, hasLists }: Site): boolean => hasLists && publicUrl !== ''

function siteWithMap(tools: Tools): Site {
  const site = tools.site()
  if (!hasSitemap(site)) throw notFound()
  return site
}

/** Names the files: one for each product, or several if it has many versions. */
async function writeIndex(site: Site, reads: Reads): Promise<string> {
  const files: SitemapPosition[] = [START]
  let last = START
  for (;;) {
    const entries = await reads.ask('readDirectory', rangeAfter(last), PRODUCTS)
    for (const { team, product } of entries) {
      last = { team: team.slug, product: product.slug, after: null }
      for (
        let after = await stretchEnd(reads, last);
        after;
        after = await stretchEnd(reads, { ...last, after })
      )
        files.push({ ...last, after })
      files.push(last)
    }
    if (entries.length < PRODUCTS) break
  }
  // After the last product there is none.
  const named = files.length === 1 ? files : files.slice(0, -1)
  const lines = named.map((file) => `<sitemap><loc>${escaped(site, fileLink(file))}</loc></sitemap>\n`)
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${lines.join('')}</sitemapindex>\n`
}

async function writeFile(site: Site, reads: Reads, position: SitemapPosition): Promise<string> {
  const lines: string[] = []
  const add = (path: string, modifiedAt: Instant | null = null) => {
    const modified = modifiedAt === null ? '' : `<lastmod>${new Date(modifiedAt).toISOString()}</lastmod>`
    lines.push(`<url><loc>${escaped(site, path)}</loc>${modified}</url>\n`)
  }
  if (position.team === '') add('/')
  let { team, product, after } = position
  if (after === null) {
    const [entry] = await reads.ask('readDirectory', rangeAfter(position), 1)
    if (entry && entry.team.slug !== team) add(teamPagePath(entry.team.slug))
    if (entry) add(changelogLink(entry), entry.newest.publishedAt)
    team = entry?.team.slug ?? ''
    product = entry?.product.slug ?? ''
  }
  const page = { limit: VERSIONS, after, since: null, withChanges: false, withDates: true } as const
  const read = await reads.ask('readChangelog', 'public', team, product, page)
  for (const version of (read?.versions ?? []) as DatedVersion[])
    add(versionLink(read as ChangelogInfo, version), dateOf(version))
  return `${DECLARATION}<urlset ${NAMESPACE}>\n${lines.join('')}</urlset>\n`
}

/** The last of as many versions as a file has, if there are more. */
async function stretchEnd(reads: Reads, { team, product, after }: SitemapPosition) {
  await handOver()
  return (await reads.ask('readStretch', 'public', team, product, after, VERSIONS))?.next ?? null
}

const rangeAfter = ({ team, product }: SitemapPosition) => ({ team, product, lastTeam: LAST_SLUG })

function fileLink({ team, product, after }: SitemapPosition): string {
  if (team === '') return SITE.sitemapFile
  return `${SITE.sitemapFile}?after=${team}/${product}${after ? `&cursor=${writeCursor(after)}` : ''}`
}

const escaped = ({ publicUrl }: Site, path: string): string => Bun.escapeHTML(publicUrl + path)
