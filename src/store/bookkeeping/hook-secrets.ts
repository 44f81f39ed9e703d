import { and, desc, eq, gt, isNull, like, ne, or } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import type { BookkeepingEngine } from './engine.ts'

/** Secrets that sign, and secret addresses. */
export function hookSecretRecords({ db, tables }: BookkeepingEngine) {
  const { hookSecrets } = tables
  const ofHook = (hookId: string) => eq(hookSecrets.hookId, hookId)
  return {
    /** Valid secrets, newest first: several while one is replaced. */
    list: async (hookId: string, now: Instant): Promise<string[]> => {
      const valid = or(isNull(hookSecrets.expiresAt), gt(hookSecrets.expiresAt, now))
      const rows = await db
        .select({ secret: hookSecrets.secret })
        .from(hookSecrets)
        .where(and(ofHook(hookId), valid))
        .orderBy(desc(hookSecrets.createdAt))
      return rows.map(({ secret }) => secret)
    },

    /** The hooks that have a secret. */
    holders: async (): Promise<ReadonlySet<string>> => {
      const newest = isNull(hookSecrets.expiresAt)
      const rows = await db.selectDistinct({ hookId: hookSecrets.hookId }).from(hookSecrets).where(newest)
      return new Set(rows.map(({ hookId }) => hookId))
    },

    /** Replaces secrets of the same sort, which begin alike: an address, or one that signs. They stay valid until `olderUntil`. */
    put: async (hookId: string, secret: string, now: Instant, olderUntil: Instant): Promise<void> => {
      await db.insert(hookSecrets).values({ hookId, secret, createdAt: now, expiresAt: null })
      const alike = like(hookSecrets.secret, `${secret.slice(0, 4)}%`)
      const older = and(ofHook(hookId), alike, ne(hookSecrets.secret, secret))
      if (olderUntil <= now) await db.delete(hookSecrets).where(older)
      else
        await db
          .update(hookSecrets)
          .set({ expiresAt: olderUntil })
          .where(and(older, isNull(hookSecrets.expiresAt)))
    },

    remove: async (hookId: string): Promise<void> => db.delete(hookSecrets).where(ofHook(hookId)),
  }
}
