import { withoutPeriod } from '../../../domain/errors.ts'
import { type Check, ok, type Results, warn } from '../../../domain/finding.ts'
import { address } from '../../../domain/records.ts'
import { hintText } from '../../../domain/refusal.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { noticesOf } from '../../../worker/following/sync-source.ts'
import type { Context } from '../../context.ts'
import { snapshotOf } from '../../session.ts'
import { moment } from '../../terminal/moments.ts'
import { plural } from '../../terminal/text.ts'
import { type CheckedSource, MISDATED_REMEDY, misdatedText, withChecks } from '../follow/report.ts'

/** Names sources that fail or wait for a day, have moved, hold deletions back or are put off too far, and says if no worker runs. */
export const SOURCE_CHECK: Check<{ context: Context; db: string | undefined }> = {
  name: 'sources',
  run: async ({ context, db }) => {
    const options = { db, wait: 2 }
    const followed = await snapshotOf(context, options, ({ sources }) => sources.list())
    const active = followed.filter(({ source }) => !source.paused)
    return active.length === 0 ? [] : sourceResults(await withChecks(context, options, active), context.now())
  },
}

function sourceResults(sources: readonly CheckedSource[], now: number): Results {
  const last = Math.max(...sources.map(({ check }) => check?.nextAt ?? 0))
  const faults = sources.flatMap((each) => {
    const { product, check, isMisdated } = each
    if (check && isMisdated) return [warn(`${address(product)} ${misdatedText(check, now)}`, MISDATED_REMEDY)]
    const notices = noticesOf(each, check?.memory ?? {}).map(({ reason, hint }) =>
      warn(`${address(product)}: ${withoutPeriod(reason)}`, hintText(hint)),
    )
    const why = check?.failure ?? check?.waiting
    if (!why || now - why.since < DAY_MS) return notices
    const does = check?.failure ? 'fails' : 'waits'
    const since = moment(why.since, now)
    const message = `${address(product)} ${does} since ${since}: ${withoutPeriod(why.reason)}`
    return [warn(message, why.remedy ?? `To try it now: changelogd sync ${address(product)}`), ...notices]
  })
  // None of them was checked although it was due: the next check of each lies in the past.
  if (now - last >= DAY_MS)
    faults.push(
      warn(
        last === 0 ? 'no source was checked yet' : 'no source was checked for a day',
        'Run a worker: changelogd serve --worker',
      ),
    )
  return faults.length > 0 ? faults : ok(`${plural(sources.length, 'source')} followed`)
}
