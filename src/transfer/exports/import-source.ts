import { differing } from '../../domain/importing/merge.ts'
import { address, type Product, type Source } from '../../domain/records.ts'
import { EVERY_MS, isLocalPath } from '../../domain/sources.ts'
import type { Command } from '../../domain/text/shell.ts'
import { formatDuration } from '../../domain/time/time.ts'
import type { Records } from '../../store/records/records.ts'
import type { ImportResult } from '../import-result.ts'
import { lineOf, locate } from '../locate.ts'
import type { ExportedProduct } from './exported-teams.ts'

/**
 * Lets a product follow what an export says. Returns whether that differed. The export may come from a stranger, so it does
 * not decide which file of this machine is read or sent away, unless the product follows the same here.
 */
export async function importSource(
  records: Records,
  product: Product,
  { where, product: { source } }: Pick<ExportedProduct, 'where' | 'product'>,
  result: ImportResult,
): Promise<boolean> {
  if (source === null) return false
  const known = await records.sources.find(product)
  const warning = warningOf(product, source)
  const isTheSame = known?.url === source.url && known.tokenFile === source.tokenFile
  const wanted: Source =
    warning === null
      ? source
      : isTheSame
        ? { ...source, paused: source.paused || known.paused }
        : { ...source, tokenFile: null, paused: true }
  if (known && isSameSource(known, wanted)) return false
  await locate(where, () => records.sources.put(product, wanted))
  if (warning !== null && !isTheSame)
    result.warnings = [
      ...result.warnings,
      { line: lineOf(where), message: `${address(product)} ${warning.text}`, command: warning.command },
    ]
  return true
}

/** Null if the source needs no file of this machine. */
function warningOf(product: Product, source: Source): { text: string; command: Command } | null {
  if (source.tokenFile !== null)
    return {
      text: 'is imported paused and without its token file, because an export could send your token anywhere. To follow the source',
      command: followCommand(product, source),
    }
  if (isLocalPath(source.url))
    return {
      text: `is imported paused, because it follows a file on this machine: ${source.url}. To follow it`,
      command: { name: 'follow resume', args: [address(product)] },
    }
  return null
}

const isSameSource = ({ id: _, createdAt: __, ...one }: Source, other: Source): boolean =>
  Object.keys(differing<Partial<Source>>(other, one)).length === 0

export const followCommand = (product: Product, source: Source): Command => ({
  name: 'follow',
  args: [address(product), source.url],
  options: {
    file: source.file,
    ref: source.ref,
    releases: source.kind === 'releases',
    tags: source.kind === 'tags' || source.tagDates,
    'tag-prefix': source.tagPrefix,
    'host-kind': source.hostKind,
    every: source.every === EVERY_MS ? null : formatDuration(source.every),
    stable: source.stable,
    'no-pictures': !source.pictures,
    prune: source.prune,
    'token-file': source.tokenFile,
  },
})
