import { type Check, ok, type Results, warn } from '../../../domain/finding.ts'
import { address } from '../../../domain/records.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import type { Context } from '../../context.ts'
import { withReadableStore } from '../../session.ts'
import { relative } from '../../terminal/moments.ts'
import { plural } from '../../terminal/text.ts'
import { type CheckedSource, withChecks } from '../follow/report.ts'

/** Names sources that fail for a day, and says if no worker runs. */
export const SOURCE_CHECK: Check<{ context: Context; db: string | undefined }> = {
  name: 'sources',
  run: async ({ context, db }) => {
    const options = { db, wait: 2 }
    const followed = await withReadableStore(context, options, (store) =>
      store.snapshot((records) => records.sources.list()),
    )
    const active = followed.filter(({ source }) => !source.paused)
    return active.length === 0 ? [] : sourceResults(await withChecks(context, options, active), context.now())
  },
}

function sourceResults(sources: readonly CheckedSource[], now: number): Results {
  const failing = sources.filter(({ check }) => check?.failure && now - check.failure.since >= DAY_MS)
  const last = Math.max(...sources.map(({ check }) => check?.nextAt ?? 0))
  const faults = failing.map(({ product, check }) => {
    const { since, reason, remedy } = check?.failure ?? { since: now, reason: '', remedy: null }
    const message = `${address(product)} fails since ${relative(since, now).replace(' ago', '')}: ${reason}`
    return warn(message.replace(/\.$/, ''), remedy ?? `To try it now: changelogd sync ${address(product)}`)
  })
  // None of them was checked although it was due: the next check of each lies in the past.
  if (now - last >= DAY_MS)
    faults.push(warn('no source was checked for a day', 'Run a worker: changelogd serve --worker'))
  return faults.length > 0 ? faults : ok(`${plural(sources.length, 'source')} followed`)
}
