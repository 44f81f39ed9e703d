import { commit } from '../build-info.ts'
import type { ProductName } from '../domain/records.ts'
import { sha256 } from '../domain/text/sha256.ts'
import type { Records } from '../store/records/records.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './import-result.ts'
import type { ChangelogSource } from './parse-changelog.ts'

/**
 * Results of a file import, so that the next import of the same bytes into the same content need not parse them.
 * Nothing is concluded from times or counters: the content is compared by a hash of everything that an import compares.
 */

/** A build without a known commit may read files differently each time, so its memory ends with its process. */
const BUILD = commit ?? crypto.randomUUID()

/** The bytes of a file, and what else decides how it is read. */
interface FileRead {
  /** SHA-256. */
  digest: string
  name: string
  /** The format as the command line names it. */
  format: string
}

type Remembered = Pick<ImportResult, 'unchanged' | 'skipped' | 'spared' | 'read' | 'warnings' | 'untaken'> & {
  now: number
}

/** The result of importing the file again; null if it may be another one than last time. Asks for the file if there is a note. */
export async function recalledImport(
  records: Records,
  name: ProductName,
  file: () => Promise<FileRead>,
  options: ImportOptions,
): Promise<ImportResult | null> {
  const found = await records.products.find(name.team, name.product)
  const note = found && (await records.transfer.importNote(found))
  if (!note || note.key !== keyOf(await file(), options)) return null
  const product = await records.products.summary(found)
  const { now, ...result } = JSON.parse(note.result) as Remembered
  // With a clock that was set back, dates may be ahead again.
  if (options.now < now || note.state !== (await records.transfer.contentHash(product))) return null
  return { ...emptyResult(), ...result, product }
}

/**
 * Remembers an import of a file, unless the next one may have another result, because of edits or future dates, or there is
 * too much to compare.
 */
export async function rememberImport(
  records: Records,
  { parsed }: ChangelogSource,
  file: FileRead,
  { product, added, updated, corrected, scheduled, ...result }: ImportResult,
  options: ImportOptions,
): Promise<void> {
  const { now } = options
  const isAhead = parsed.versions.some(({ date }) => date !== null && date > now)
  if (!product || corrected.length > 0 || scheduled.length > 0 || isAhead) return
  const state = await records.transfer.contentHash(product)
  if (state === null) return
  const { skipped, spared, read, warnings, untaken } = result
  const unchanged = added + updated + result.unchanged
  const remembered: Remembered = { unchanged, skipped, spared, read, warnings, untaken, now }
  await records.transfer.putImportNote(product, {
    key: keyOf(file, options),
    state,
    result: JSON.stringify(remembered),
  })
}

const keyOf = (
  { digest, name, format }: FileRead,
  { status, prune, pruneDrafts, overwrite }: ImportOptions,
): string => sha256(JSON.stringify([BUILD, digest, name, format, status, prune, pruneDrafts, overwrite]))
