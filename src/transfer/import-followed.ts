import { reasonOf } from '../domain/errors.ts'
import { address, type Instant, type Product, type Source } from '../domain/records.ts'
import { isRefusal, Refusal, toRun } from '../domain/refusal.ts'
import { plural } from '../domain/text/plural.ts'
import type { Records } from '../store/records/records.ts'
import { importChangelog } from './import-changelog.ts'
import type { ImportOptions, ImportResult } from './import-result.ts'
import type { ChangelogSource } from './parse-changelog.ts'
import { picturesShown } from './pictures/shown.ts'
import { isTaken, showing, type Takings } from './pictures/take.ts'
import { prune } from './prune.ts'
import type { Kept } from './undo/keep.ts'

interface FollowedInput {
  input: ChangelogSource
  /** True for all of the source, not only its newest versions. */
  isWhole: boolean
  /** How many versions the source had at its last import, if that is known. */
  sizeBefore: number | null
  /** How many characters of text it has, and had then. */
  text: { before: number | null; now: number }
  /** Until when another program has read it, by other rules: what that could have found is no news. Null for this program. */
  readUntil: Instant | null
  /** Its pictures by their addresses: all of them, stored ones that are remembered, and what was just read. */
  pictures: {
    addresses: ReadonlySet<string>
    known: readonly (readonly [address: string, id: string])[]
    takings: Takings
  }
}

export interface FollowedImport {
  result: ImportResult
  /** How many versions the source has; null if it was not read as a whole. */
  size: number | null
  /** How many versions are no longer there and were not deleted, being too many; null as for `size`. */
  held: number | null
  kept: Kept | null
  /** The stored pictures by address. */
  ids: ReadonlyMap<string, string>
}

/** With `prune`, at most this share of the versions of a product is deleted at once, but one always may be. */
const MOST_PRUNED = 0.1

/**
 * Imports the versions of a source, as `import` does. Unless `accept`, refuses a source that has lost more than half of
 * its versions or of their text, and deletes nothing if that would be too much.
 */
export async function importFollowed(
  records: Records,
  product: Product,
  source: Source,
  { input, isWhole, sizeBefore, text, readUntil, pictures }: FollowedInput,
  { accept, ...options }: { accept: boolean } & Pick<ImportOptions, 'dryRun' | 'picturesMaxBytes' | 'now'>,
): Promise<FollowedImport> {
  const name = { team: product.team.slug, product: product.slug }
  const importOptions = { ...options, prune: (source.prune && isWhole) || undefined }
  const { addresses, known, takings } = pictures
  const ids = await picturesShown(records, product, input.parsed.versions, addresses, known)
  await addTaken(records, product, takings, ids, options)
  const versions = input.parsed.versions.map((version) => showing(version, ids))
  const shown = { ...input, parsed: { ...input.parsed, versions } }
  const result = await importChangelog(records, name, shown, importOptions)
  if (readUntil !== null) await records.announcing.passOver(product, options.now, readUntil)
  const { added, updated, unchanged, skipped, pruned } = result
  const size = added + updated + unchanged
  if (isWhole && !accept && sizeBefore !== null && size * 2 < sizeBefore)
    throw notAccepted(product, plural(sizeBefore, 'version'), size)
  // One version alone that gets shorter was edited.
  const isTextLost = text.now * 2 < (text.before ?? 0) && (size > 1 || text.now === 0)
  if (isWhole && !accept && isTextLost)
    throw notAccepted(product, `${text.before} characters of text`, text.now)
  const stored = size + skipped + pruned - added
  const isHeld = !accept && pruned > Math.max(1, Math.floor(stored * MOST_PRUNED))
  const kept = options.dryRun || isHeld ? null : await prune(records, result, 'following', options.now)
  const read = isWhole ? { size, held: isHeld ? pruned : 0 } : { size: null, held: null }
  return { result: isHeld ? withoutPruning(result) : result, ...read, kept, ids }
}

/** Stores pictures, and their ids in `ids`. Notes why some cannot be stored: they hold up no release. */
async function addTaken(
  records: Records,
  product: Product,
  takings: Takings,
  ids: Map<string, string>,
  { now, picturesMaxBytes }: Pick<ImportOptions, 'now' | 'picturesMaxBytes'>,
): Promise<void> {
  for (const [address, picture] of takings)
    try {
      if (isTaken(picture))
        ids.set(address, (await records.pictures.add(product, picture, now, picturesMaxBytes)).id)
    } catch (error) {
      if (!isRefusal(error)) throw error
      takings.set(address, `cannot be stored: ${reasonOf(error)}`)
    }
}

const withoutPruning = (result: ImportResult): ImportResult => ({
  ...result,
  pruned: 0,
  missing: [],
  skipped: result.skipped + result.pruned,
  versions: result.versions.map((one) => (one.outcome === 'pruned' ? { ...one, outcome: 'skipped' } : one)),
})

const notAccepted = (product: Product, had: string, has: number): Refusal =>
  new Refusal(`Nothing was imported: the source had ${had} at the last import, and now has ${has}.`, {
    hint: toRun('To accept this', 'sync', [address(product)], { accept: true }),
  })
