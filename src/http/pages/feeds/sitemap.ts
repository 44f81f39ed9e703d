import { teamPagePath } from '../../../domain/addresses/paths.ts'
import type { Instant } from '../../../domain/records.ts'
import { type ChangelogInfo, type Cursor, type DatedVersion, dateOf } from '../../../store/store.ts'
import { handOver } from '../../cache/queue.ts'
import { writeCursor } from '../../reading/paging.ts'
import type { PageReads } from '../../reading/reads.ts'
import { ROUTES } from '../../routes.ts'
import { LAST_SLUG } from '../directory.ts'
import { changelogLink, versionLink } from '../links.ts'
import type { Site } from '../site.ts'

/** The most addresses of a file. */
const FILE_SIZE = 10_000

/** Products and versions read or counted in one turn of the event loop. */
const PRODUCTS = 100
const VERSIONS = 1_000

/** A file begins after a product, or after one of its versions. */
export interface SitemapPosition {
  team: string
  product: string
  after: Cursor | null
}

const START: SitemapPosition = { team: '', product: '', after: null }

interface Address {
  path: string
  modifiedAt: Instant | null
}

/** Addresses for one file; only counted, it has none of versions. */
interface Batch {
  start: SitemapPosition
  addresses: Address[]
  count: number
}

/** At most `VERSIONS` versions after a position. */
type ReadVersions = (
  team: string,
  product: string,
  after: Cursor | null,
) => Promise<Omit<Batch, 'start'> & { next: Cursor | null }>

export async function writeIndex(site: Site, reads: PageReads): Promise<string> {
  const starts: SitemapPosition[] = []
  let size = FILE_SIZE
  const counted: ReadVersions = async (team, product, after) => {
    const stretch = await reads.ask('readStretch', 'public', team, product, after, VERSIONS)
    return { addresses: [], ...(stretch ?? { count: 0, next: null }) }
  }
  for await (const { start, count } of readBatches(reads, START, counted)) {
    if (size + count > FILE_SIZE) {
      starts.push(start)
      size = 0
    }
    size += count
  }
  const files = starts.map(
    (start) => `<sitemap><loc>${escaped(site.publicUrl + fileLink(start))}</loc></sitemap>\n`,
  )
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${files.join('')}</sitemapindex>\n`
}

export async function writeFile(
  site: Site,
  reads: PageReads,
  start: SitemapPosition = START,
): Promise<string> {
  const lines: string[] = []
  const listed: ReadVersions = async (team, product, after) => {
    const page = { limit: VERSIONS, after, since: null, withChanges: false, withDates: true } as const
    const read = await reads.ask('readChangelog', 'public', team, product, page)
    const versions = (read?.versions ?? []) as DatedVersion[]
    const addresses = versions.map((version) => ({
      path: versionLink(read as ChangelogInfo, version),
      modifiedAt: dateOf(version),
    }))
    return { addresses, count: addresses.length, next: read?.next ?? null }
  }
  for await (const { addresses } of readBatches(reads, start, listed)) {
    if (lines.length + addresses.length > FILE_SIZE) break
    lines.push(...addresses.map((address) => line(site, address)))
  }
  return `${DECLARATION}<urlset ${NAMESPACE}>\n${lines.join('')}</urlset>\n`
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

function fileLink({ team, product, after }: SitemapPosition): string {
  const { path } = ROUTES.sitemapFile
  if (team === '') return path
  return `${path}?after=${team}/${product}${after ? `&cursor=${writeCursor(after)}` : ''}`
}

const line = (site: Site, { path, modifiedAt }: Address): string => {
  const modified = modifiedAt === null ? '' : `<lastmod>${new Date(modifiedAt).toISOString()}</lastmod>`
  return `<url><loc>${escaped(site.publicUrl + path)}</loc>${modified}</url>\n`
}

const escaped = (url: string): string => Bun.escapeHTML(url)

/** All public addresses from a position on. Batches are the same from each of their positions. */
async function* readBatches(
  reads: PageReads,
  from: SitemapPosition,
  readVersions: ReadVersions,
): AsyncGenerator<Batch> {
  if (from.team === '') yield { start: from, addresses: [{ path: '/', modifiedAt: null }], count: 1 }
  else if (from.after) yield* batchesOf(from, readVersions)
  let last: SitemapPosition = { ...from, after: null }
  let range = { team: from.team, product: from.product, lastTeam: LAST_SLUG }
  for (;;) {
    const entries = await reads.ask('readDirectory', range, PRODUCTS)
    for (const entry of entries) {
      const start = last
      last = { team: entry.team.slug, product: entry.product.slug, after: null }
      const own = [{ path: changelogLink(entry), modifiedAt: entry.newest.publishedAt }]
      if (last.team !== start.team) own.unshift({ path: teamPagePath(last.team), modifiedAt: null })
      for await (const batch of batchesOf(last, readVersions)) {
        const { addresses, count } = batch
        // The first versions are in one batch with their changelog: no position is between them.
        yield batch.start.after
          ? batch
          : { start, addresses: [...own, ...addresses], count: own.length + count }
      }
    }
    if (entries.length < PRODUCTS) return
    range = { ...range, team: last.team, product: last.product }
    await handOver()
  }
}

/** A product's versions from a position on, in batches, at least one; each in its own turn. */
async function* batchesOf(
  { team, product, after: first }: SitemapPosition,
  readVersions: ReadVersions,
): AsyncGenerator<Batch> {
  let after = first
  do {
    await handOver()
    const { addresses, count, next } = await readVersions(team, product, after)
    yield { start: { team, product, after }, addresses, count }
    after = next
  } while (after)
}
