import { isAbout } from '../domain/hooks.ts'
import type { Hook, Instant, VersionHead } from '../domain/records.ts'
import { isRefusal } from '../domain/refusal.ts'
import { isPrerelease } from '../domain/versions/standing.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'

/** True if the hook hears of it when it is published, and nobody says otherwise. */
export const isTold = (
  hook: Pick<Hook, 'status' | 'events' | 'product' | 'stable'>,
  productId: string,
  version: Pick<VersionHead, 'label' | 'prerelease'>,
): boolean =>
  hook.status === 'active' &&
  hook.events.includes('published') &&
  isAbout(hook, productId) &&
  !(hook.stable && isPrerelease(version))

/** Who hears of a version, as somebody chose: `quiet` hooks nothing, now or later; those of `again`, although they were told. */
export interface Choice {
  readonly quiet: readonly string[]
  readonly again: readonly string[]
}

/** The hooks that hear of a version, and what each knows of it. */
export async function hearersOf(
  { announced, deliveries }: Pick<Bookkeeping, 'announced' | 'deliveries'>,
  hooks: readonly Hook[],
  productId: string,
  version: VersionHead,
): Promise<Hearer[]> {
  const hearing = hooks.filter((hook) => isTold(hook, productId, version))
  if (hearing.length === 0) return []
  const quiet = new Set(await announced.quiet(version.id))
  const told = new Map((await deliveries.toldOf(version.id)).map(({ hookId, at }) => [hookId, at]))
  return hearing.map((hook) => ({
    hook,
    isQuiet: quiet.has(hook.id),
    told: told.has(hook.id) ? { at: told.get(hook.id) ?? null } : null,
  }))
}

export interface Hearer {
  hook: Hook
  isQuiet: boolean
  /** Null if it was not told by mail or in a chat. The time is null if an older program did it. */
  told: { at: Instant | null } | null
}

/** The choice of those hooks alone for which `isChosen`. */
export function choose(hearers: readonly Hearer[], isChosen: (hook: Hook) => boolean): Choice {
  const [chosen, others] = [true, false].map((is) => hearers.filter(({ hook }) => isChosen(hook) === is))
  const idsOf = (some: readonly Hearer[] = []) => some.map(({ hook }) => hook.id)
  return {
    // What was told can still be taken back there.
    quiet: idsOf(others?.filter(({ told }) => told === null)),
    again: idsOf(chosen?.filter(({ told }) => told !== null)),
  }
}

/**
 * Publishes a version with `write`, and tells whom somebody chose. That is noted first, because a worker may look as soon as
 * it is written, and taken back if it is refused.
 */
export async function publishTo<T>(
  { announced, deliveries }: Pick<Bookkeeping, 'announced' | 'deliveries'>,
  versionId: string,
  { quiet, again }: Choice,
  write: () => Promise<T>,
): Promise<T> {
  const before = await announced.quiet(versionId)
  await announced.setQuiet(versionId, quiet)
  const told = await deliveries.forgetTold(versionId, again)
  try {
    return await write()
  } catch (error) {
    // Of a commit whose outcome is unknown, a message that is not sent is the smaller mistake.
    if (isRefusal(error)) {
      await announced.setQuiet(versionId, before)
      await deliveries.putTold(told)
    }
    throw error
  }
}
