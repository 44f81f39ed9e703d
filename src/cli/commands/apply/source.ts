import { NONE } from '../../../domain/addresses/repository.ts'
import type { Product, Source } from '../../../domain/records.ts'
import type { SourceDraft } from '../../../store/records/types.ts'
import { sourceDraft } from '../follow/draft.ts'
import { intervalText } from '../follow/report.ts'
import type { FollowEntry } from './file.ts'
import { type ApplyRun, differences, isNothing } from './step.ts'

/** Lets a product follow what the file says; nothing any more if its address is `none`. */
export async function applySource(
  { records, steps, now }: ApplyRun,
  product: Product,
  { url, ...options }: FollowEntry,
): Promise<void> {
  const name = `${product.team.slug}/${product.slug}`
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
  steps.push({ action: found ? 'update' : 'create', record: 'source', name, changes })
  await records.sources.put(product, wanted, now)
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
