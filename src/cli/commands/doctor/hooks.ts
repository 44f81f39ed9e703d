import { type Check, ok, wrong } from '../../../domain/finding.ts'
import type { Context } from '../../context.ts'
import { snapshotOf } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { plural } from '../../terminal/text.ts'
import { faultOf, withStates } from '../hook/states.ts'

/** Names hooks that fail, were disabled because of that, or have no secret. */
export const HOOK_CHECK: Check<{ context: Context; db: string | undefined }> = {
  name: 'hooks',
  run: async ({ context, db }) => {
    const options = { db, wait: 2 }
    const all = await snapshotOf(context, options, ({ hooks }) => hooks.list())
    if (all.length === 0) return []
    const now = context.now()
    const faults = (await withStates(context, options, all)).flatMap((hook) => faultOf(hook, now) ?? [])
    const active = all.filter(({ status }) => status === 'active').length
    if (active > 0 && configFrom(context, { db }).publicUrl === '')
      faults.push(wrong('PUBLIC_URL is not set, so hooks are told of nothing', 'Set it for the worker.'))
    if (faults.length > 0) return faults
    return active > 0 ? ok(`${plural(active, 'hook')} active`) : []
  },
}
