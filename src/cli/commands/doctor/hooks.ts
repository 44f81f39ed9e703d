import { type Check, ok, type Result, warn, wrong } from '../../../domain/finding.ts'
import type { Context } from '../../context.ts'
import { withReadableStore } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { relative } from '../../terminal/moments.ts'
import { plural } from '../../terminal/text.ts'
import { hookText, withStates } from '../hook/hook.ts'

/** Names hooks that fail or were given up. */
export const HOOK_CHECK: Check<{ context: Context; db: string | undefined }> = {
  name: 'hooks',
  run: async ({ context, db }) => {
    const options = { db, wait: 2 }
    const all = await withReadableStore(context, options, (store) =>
      store.snapshot((records) => records.hooks.list()),
    )
    const active = all.filter(({ status }) => status === 'active')
    if (active.length === 0) return []
    const now = context.now()
    const faults = (await withStates(context, options, active)).flatMap((hook): Result[] => {
      const { stoppedAt = null, failingSince = null, reason = null } = hook.state ?? {}
      const enable = `After mending the receiver: changelogd hook enable ${hook.id}`
      if (stoppedAt !== null)
        return [wrong(`${hookText(hook)} was given up ${relative(stoppedAt, now)}: ${reason}`, enable)]
      if (failingSince === null) return []
      const since = `${hookText(hook)} fails, first ${relative(failingSince, now)}`
      return [warn(since, `To see the answers: changelogd hook deliveries ${hook.id}`)]
    })
    if (configFrom(context, { db }).publicUrl === '')
      faults.push(wrong('PUBLIC_URL is not set, so hooks are told of nothing', 'Set it for the worker.'))
    return faults.length > 0 ? faults : ok(`${plural(active.length, 'hook')} active`)
  },
}
