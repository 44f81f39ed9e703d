import { Notice } from '../../domain/notice.ts'
import { address } from '../../domain/records.ts'
import { hintText } from '../../domain/refusal.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { OnChecked } from './follow-job.ts'
import { isChanged, noticesOf } from './sync-source.ts'

/** A line for each change and notice, and for each source that begins to fail or to wait, fails otherwise, or works again. */
export const logChecks =
  (report: (event: Notice) => void): OnChecked =>
  (followed, outcome, before) => {
    const { product, source } = followed
    const name = address(product)
    if ('reason' in outcome) {
      const { reason, remedy, state } = outcome
      const lead = state === 'postponed' ? `${name} waits until ${formatInstant(outcome.until)}` : name
      const text = [`${lead}: ${reason}`, ...(remedy ? [remedy] : [])].join(' ')
      if (state === 'failed' && before?.failure?.reason !== reason)
        report(new Notice('source_failed', text, 'warning'))
      if (state === 'postponed' && !before?.failure && !before?.waiting)
        report(new Notice('source_waiting', text))
      return
    }
    if (before?.failure) report(new Notice('source_back', `${name}: ${source.url} can be imported again.`))
    const known = noticesOf(followed, before?.memory ?? {}).map(({ reason }) => reason)
    for (const { reason, hint } of noticesOf(followed, outcome.memory))
      if (!known.includes(reason))
        report(new Notice('source_notice', `${name}: ${reason} ${hintText(hint)}`, 'warning'))
    if (outcome.state !== 'imported' || !isChanged(outcome)) return
    const { added, updated, pruned } = outcome.result
    const deleted = pruned > 0 ? `, ${pruned} deleted` : ''
    const counts = `${added} added, ${updated} updated${deleted}`
    report(new Notice('source_imported', `${name}: imported from ${source.url}: ${counts}.`))
  }
