import { type Continuation, continuedVersions, renamable } from '../../../domain/matching/versions.ts'
import { placesIn } from '../../../domain/places.ts'
import type { Change, Product, Version } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { ParsedVersion } from '../../../formats/parsed.ts'
import type { Records } from '../../../store/records/port.ts'
import type { ProductName } from '../../arguments.ts'
import { refuseMissingProduct } from '../../lookup.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './result.ts'
import type { ChangelogSource } from './source.ts'
import { importVersions, type LocatedVersion } from './versions.ts'

/** Imports what a file, a folder or a repository holds into a product, which is created first if the options say so. */
export async function importChangelog(
  records: Records,
  name: ProductName,
  { name: fileName, format, parsed }: ChangelogSource,
  options: ImportOptions,
): Promise<ImportResult> {
  if (format === 'changesets' && options.prune)
    throw new Refusal(`${fileName} has no released versions, so --prune would delete all of them.`, {
      hint: 'To import it, leave out --prune.',
    })
  const result = { ...emptyResult(), warnings: parsed.warnings }
  const product = await findOrCreate(records, name, options)
  if (parsed.preamble !== undefined && parsed.preamble !== product.changelog.preamble) {
    await records.products.updateChangelog(product, { preamble: parsed.preamble })
    result.changed.products++
  }
  const stored = await records.versions.list(product)
  const continued = await continuedIn(records, stored, parsed.versions)
  const versions = oldestFirst(fileName, parsed.versions, stored, continued, options)
  await importVersions(records, product, versions, result, options)
  return { ...result, product: await records.products.summary(product) }
}

/** What a command suggests that could create the product. */
export const CREATE = 'To create the product too, add --create.'

/** The product, which is created with its team if the options say so. */
export async function findOrCreate(
  records: Records,
  name: ProductName,
  { create, now }: Pick<ImportOptions, 'create' | 'now'>,
): Promise<Product> {
  const found = await records.products.find(name.team, name.product)
  if (found || !create) return found ?? refuseMissingProduct(records, name, CREATE)
  const team =
    (await records.teams.find(name.team)) ??
    (await records.teams.create(
      { slug: name.team, name: name.team, visibility: 'private', plan: 'free' },
      now,
    ))
  return records.products.create(team, { slug: name.product, name: name.product, status: 'draft' }, now)
}

/** The versions of a file that are stored under another label. */
async function continuedIn(
  records: Records,
  stored: readonly Version[],
  versions: readonly ParsedVersion[],
): Promise<Map<string, Continuation>> {
  const known = stored.map((version) => ({ ...version, changes: [] as readonly Change[] }))
  for (const version of renamable(known)) version.changes = await records.changes.list(version)
  return continuedVersions(known, versions)
}

/**
 * The versions in the order in which they are written: renamed ones, whose old labels the file may have again, and then
 * oldest first, so that of two of one day the newer one gets the newer id.
 */
function* oldestFirst(
  fileName: string,
  versions: readonly ParsedVersion[],
  stored: readonly Version[],
  continued: Map<string, Continuation>,
  { status, now }: ImportOptions,
): Generator<LocatedVersion> {
  const dates = versions.flatMap(({ date }) => date ?? [])
  const rises = dates.filter((date, at) => at > 0 && date > (dates[at - 1] as number)).length
  const falls = dates.filter((date, at) => at > 0 && date < (dates[at - 1] as number)).length
  const oldest = rises > falls ? versions : versions.toReversed()
  const byLabel = new Map(stored.map((version) => [version.label, version]))
  const newStatus = status ?? null
  const inFile = oldest.map((version) => {
    const continues = continued.get(version.label)
    return { version, newStatus, continues, stored: byLabel.get(continues?.label ?? version.label) ?? null }
  })
  const places = placesIn(inFile.toReversed(), now)
  for (const wantsRenamed of [true, false])
    for (const [at, { version, continues }] of inFile.entries()) {
      if ((continues?.isRenamed === true) !== wantsRenamed) continue
      const rank = versions.length - at
      const place = places.get(version.label) ?? now
      yield {
        where: `${version.text ?? fileName}: line ${version.line}`,
        incoming: { from: 'changelog', version, newStatus, rank, place, continues },
      }
    }
}
