import { NONE } from '../../../domain/addresses/repository.ts'
import { newId } from '../../../domain/id.ts'
import { mapRows, pick } from '../../../domain/objects.ts'
import { address, type Product } from '../../../domain/records.ts'
import { targetOf } from '../../../domain/sources.ts'
import { parseDuration } from '../../../domain/time/time.ts'
import { refuseImpossible } from '../../../sources/check.ts'
import type { SourceDraft } from '../../../store/records/types.ts'
import { sourceDraft } from '../follow/draft.ts'
import { intervalText } from '../follow/report.ts'
import type { FollowEntry } from './file.ts'
import { type ApplyRun, differences } from './step.ts'

/** Lets a product follow what the file says; nothing any more if its address is `none`. */
export async function applySource(
  { records, steps, endings, now, followPrivate }: ApplyRun,
  product: Product,
  { url = '', every, ...options }: FollowEntry,
): Promise<void> {
  const name = address(product)
  const found = await records.sources.find(product)
  if (url === NONE) {
    if (!found) return
    endings.push({ deletion: { product, source: found } })
    steps.push({ action: 'delete', record: 'source', name, changes: {} })
    return
  }
  const interval = every === undefined ? undefined : (parseDuration(every) ?? undefined)
  const draft = sourceDraft(url, { ...options, every: interval })
  const wanted = { ...draft, paused: options.paused ?? found?.paused ?? false }
  const changes = differences(found ? fieldsOf(found) : {}, fieldsOf(wanted))
  if (!changes) return
  refuseImpossible(wanted, followPrivate())
  steps.push({ action: found ? 'update' : 'create', record: 'source', name, changes })
  const source = { ...wanted, id: newId('src'), createdAt: now }
  const put = () => records.sources.put(product, source)
  if (!found || targetOf(found) === targetOf(wanted)) await put()
  // Under another id: `undo` tells by it whether the one that has replaced the former is still there.
  else endings.push({ deletion: { product, source: found, replacedBy: source.id }, replace: put })
}

/** The fields that steps show. For a new source, options that are off or not set are left out. */
const fieldsOf = (source: SourceDraft) => ({
  ...pick(source, 'url', 'kind', 'hostKind', 'file', 'ref', 'tagPrefix', 'tokenFile'),
  every: intervalText(source.every),
  ...mapRows(pick(source, 'tagDates', 'stable', 'prune', 'paused'), (isSet) => (isSet ? 'yes' : null)),
  pictures: source.pictures ? null : 'no',
})
