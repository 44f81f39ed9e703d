import { NONE } from '../../../domain/addresses/repository.ts'
import { newId } from '../../../domain/id.ts'
import { address, type Product, type Source } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { targetOf } from '../../../domain/source.ts'
import { refuseImpossible } from '../../../sources/possible.ts'
import type { Records, SourceDraft } from '../../../store/records/types.ts'
import { replaceSource, sourceDraft } from '../follow/draft.ts'
import { intervalText } from '../follow/report.ts'
import type { FollowEntry, TeamEntry } from './file.ts'
import { type ApplyRun, differences, type FormerSource, isNothing } from './step.ts'

/** By product. A draft that is refused is none: `applySource` refuses it with its place in the file. */
export async function formerSources(
  records: Records,
  teams: readonly TeamEntry[],
): Promise<Map<string, FormerSource>> {
  const former = new Map<string, FormerSource>()
  for (const { slug: team, products } of teams)
    for (const { slug, follow } of products ?? []) {
      const product = follow ? await records.products.find(team, slug) : null
      const source = product && (await records.sources.find(product))
      if (!follow || !product || !source) continue
      if (follow.url === NONE) former.set(product.id, { product, source })
      else if (isOther(source, follow)) former.set(product.id, { product, source, replacedBy: newId('src') })
    }
  return former
}

function isOther(source: Source, { url, ...options }: FollowEntry): boolean {
  try {
    return targetOf(sourceDraft(url, options)) !== targetOf(source)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Lets a product follow what the file says; nothing any more if its address is `none`. */
export async function applySource(
  { records, steps, now, former, followPrivate }: ApplyRun,
  product: Product,
  { url, ...options }: FollowEntry,
): Promise<void> {
  const name = address(product)
  const found = await records.sources.find(product)
  if (url === NONE) {
    if (!found) return
    await records.sources.delete(found)
    steps.push({ action: 'delete', record: 'source', name, changes: {} })
    return
  }
  const wanted = { ...sourceDraft(url, options), paused: options.paused ?? found?.paused ?? false }
  const changes = differences(found ? fieldsOf(found) : {}, fieldsOf(wanted))
  if (found && isNothing(changes)) return
  refuseImpossible(wanted, followPrivate())
  steps.push({ action: found ? 'update' : 'create', record: 'source', name, changes })
  const id = former.get(product.id)?.replacedBy
  if (found && id !== undefined) await replaceSource(records, product, found, wanted, { id, now })
  else await records.sources.put(product, wanted, now)
}

/** As steps show them: what is off or not set is left out of a new one. */
const fieldsOf = ({
  url,
  kind,
  hostKind,
  file,
  ref,
  tagPrefix,
  every,
  tokenFile,
  ...flags
}: SourceDraft | Source) => ({
  ...{ url, kind, hostKind, file, ref, tagPrefix, tokenFile, every: intervalText(every) },
  tagDates: flags.tagDates ? 'yes' : null,
  prune: flags.prune ? 'yes' : null,
  paused: flags.paused ? 'yes' : null,
})
