import { isAbout } from '../domain/hooks.ts'
import type { Hook, VersionHead } from '../domain/records.ts'
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

/**
 * Publishes a version with `write`, and has the hooks in `quiet` hear nothing of it, now or later. They are noted first,
 * because a worker may look as soon as it is written, and as they were before if it is refused.
 */
export async function publishQuietly<T>(
  { announced }: Pick<Bookkeeping, 'announced'>,
  versionId: string,
  quiet: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const before = await announced.quiet(versionId)
  await announced.setQuiet(versionId, quiet)
  try {
    return await write()
  } catch (error) {
    // Of a commit whose outcome is unknown, a message that is not sent is the smaller mistake.
    if (isRefusal(error)) await announced.setQuiet(versionId, before)
    throw error
  }
}
