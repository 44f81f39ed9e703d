import { type Check, ok, type Results, warn } from '../../../domain/finding.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import type { Context } from '../../context.ts'
import { snapshotOf } from '../../session.ts'
import { plural } from '../../terminal/text.ts'
import { type CheckedSource, sourceFaults, withChecks } from '../follow/report.ts'

/** Names sources that fail or wait for a day, have moved or hold deletions back, and says if no worker runs. */
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
  const faults = sources.flatMap((each) => sourceFaults(lasting(each, now), now))
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

/** Without what has been wrong for less than a day. */
function lasting({ check, ...each }: CheckedSource, now: number): CheckedSource {
  const why = check?.failure ?? check?.waiting
  const isNew = !why || now - why.since < DAY_MS
  return {
    ...each,
    isLate: false,
    check: check && isNew ? { ...check, failure: null, waiting: null } : check,
  }
}
