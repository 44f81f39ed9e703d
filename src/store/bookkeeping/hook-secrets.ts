import { and, desc, eq, gt, isNull, ne, or } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import type { BookkeepingEngine } from './engine.ts'

/** Secrets of webhooks and addresses of chats. */
export interface HookSecrets {
  /** Those that are valid, newest first: several while one is replaced. */
  list(hookId: string, now: Instant): Promise<string[]>
  /** The hooks that have one. */
  holders(): Promise<ReadonlySet<string>>
  /** Replaces what there is, which stays valid until then. */
  put(hookId: string, secret: string, now: Instant, olderUntil: Instant): Promise<void>
  remove(hookId: string): Promise<void>
}

export function hookSecretRecords({ db, tables, run }: BookkeepingEngine): HookSecrets {
  const { hookSecrets } = tables
  const ofHook = (hookId: string) => eq(hookSecrets.hookId, hookId)
  return {
    list: async (hookId, now) => {
      const valid = or(isNull(hookSecrets.expiresAt), gt(hookSecrets.expiresAt, now))
      const rows = await run(() =>
        db
          .select({ secret: hookSecrets.secret })
          .from(hookSecrets)
          .where(and(ofHook(hookId), valid))
          .orderBy(desc(hookSecrets.createdAt)),
      )
      return rows.map(({ secret }) => secret)
    },

    holders: async () => {
      const newest = isNull(hookSecrets.expiresAt)
      const rows = await run(() =>
        db.selectDistinct({ hookId: hookSecrets.hookId }).from(hookSecrets).where(newest),
      )
      return new Set(rows.map(({ hookId }) => hookId))
    },

    put: async (hookId, secret, now, olderUntil) => {
      await run(() => db.insert(hookSecrets).values({ hookId, secret, createdAt: now, expiresAt: null }))
      const older = and(ofHook(hookId), ne(hookSecrets.secret, secret))
      await run(() =>
        olderUntil <= now
          ? db.delete(hookSecrets).where(older)
          : db
              .update(hookSecrets)
              .set({ expiresAt: olderUntil })
              .where(and(older, isNull(hookSecrets.expiresAt))),
      )
    },

    remove: async (hookId) => {
      await run(() => db.delete(hookSecrets).where(ofHook(hookId)))
    },
  }
}
