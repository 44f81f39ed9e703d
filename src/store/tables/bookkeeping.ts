import { sql } from 'drizzle-orm'
import type { DeliveryState, DeliveryType } from '../../domain/hooks.ts'
import type { ColumnBuilders } from './columns.ts'

export type BookkeepingTables = ReturnType<typeof bookkeepingTablesOf>

export type BackupTable = ReturnType<typeof backupTableOf>

/**
 * The worker's memory. On SQLite these tables are in a file beside the database, on PostgreSQL no trigger of the
 * revision is on them: writing them leaves every cache of a server valid.
 */
export function bookkeepingTablesOf(build: ColumnBuilders) {
  const { table, text, number, moment, flag, index, primaryKey } = build

  const leases = table('worker_lease', {
    name: text().primaryKey(),
    holder: text().notNull(),
    until: moment('until').notNull(),
  })

  const sourceChecks = table('worker_source_check', {
    sourceId: text('source_id').primaryKey(),
    /** The checked target, such as its address: a check of another says nothing. */
    target: text().notNull(),
    /** JSON. */
    memory: text().notNull(),
    checkedAt: moment('checked_at').notNull(),
    /** When a check last changed something here. */
    changedAt: moment('changed_at'),
    nextAt: moment('next_at').notNull(),
    /** How many versions the source had when it was last imported: see transfer/import-followed.ts. */
    size: number(),
    failingSince: moment('failing_since'),
    failures: number().notNull(),
    reason: text(),
    remedy: text(),
  })

  /** The last announced round: one row. */
  const announceRounds = table('worker_announce_round', {
    id: text().primaryKey(),
    /** The number of the last comparison that found a difference. */
    round: number().notNull(),
    /** The time of that comparison. */
    seenAt: moment('seen_at').notNull(),
    /** The number of the rules that told pre-releases. */
    rules: number(),
  })

  /** Every public version of a team with hooks, and the rounds in which that was noticed. */
  const announced = table('worker_announced', {
    versionId: text('version_id').primaryKey(),
    teamId: text('team_id').notNull(),
    productId: text('product_id').notNull(),
    label: text().notNull(),
    /** The last one that was public; null if a program of an older schema wrote the row. */
    productName: text('product_name'),
    /** As in `version`, when `hash` or `pendingHash` was made of its text. */
    edition: moment('edition'),
    hash: text().notNull(),
    publishedIn: number('published_in').notNull(),
    updatedIn: number('updated_in'),
    /** Null while it is a pre-release: hooks for stable releases count from here. */
    stableIn: number('stable_in'),
    /** Null while it is public. */
    withdrawnIn: number('withdrawn_in'),
    /** A text that waits for five quiet minutes: since the first and the last edit. */
    pendingHash: text('pending_hash'),
    pendingSince: moment('pending_since'),
    pendingAt: moment('pending_at'),
  })

  const hookStates = table('worker_hook', {
    hookId: text('hook_id').primaryKey(),
    teamId: text('team_id').notNull(),
    /** The hook has deliveries of everything up to this round. */
    position: number().notNull(),
    /** Deliveries are sent: it is not disabled, also not after failing. */
    active: flag('active').notNull(),
    failingSince: moment('failing_since'),
    stoppedAt: moment('stopped_at'),
    reason: text(),
  })

  const deliveries = table(
    'worker_delivery',
    {
      id: text().primaryKey(),
      hookId: text('hook_id').notNull(),
      /** Orders deliveries, with the id. */
      round: number().notNull(),
      type: text().$type<DeliveryType>().notNull(),
      productId: text('product_id').notNull(),
      productName: text('product_name'),
      /** The unit of ordered delivery: a version, all of a product, or a feed. */
      topic: text().notNull(),
      /** JSON. */
      versionIds: text('version_ids').notNull(),
      label: text().notNull(),
      state: text().$type<DeliveryState>().notNull(),
      createdAt: moment('created_at').notNull(),
      tries: number().notNull(),
      nextAt: moment('next_at').notNull(),
      /** While a worker sends it. If it is killed, another one does so after that. */
      claimedUntil: moment('claimed_until'),
      /** Of a webhook, which gets the same at each try. */
      body: text(),
      triedAt: moment('tried_at'),
      tookMs: number('took_ms'),
      status: number(),
      answer: text(),
    },
    ({ nextAt, hookId, round, id }) => [
      index('worker_delivery_due').on(nextAt, hookId).where(sql.raw(`state = 'waiting'`)),
      index('worker_delivery_hook').on(hookId, round, id),
    ],
  )

  /** Releases that people have got by mail or in a chat, as they were called then: a list gets each once. */
  const told = table(
    'worker_told',
    {
      hookId: text('hook_id').notNull(),
      versionId: text('version_id').notNull(),
      productId: text('product_id').notNull(),
      label: text().notNull(),
      /** Null if a program of an older schema wrote the row. */
      at: moment('at'),
    },
    ({ hookId, versionId }) => [primaryKey({ columns: [hookId, versionId] })],
  )

  /** Releases that a hook is to hear nothing of, as whoever published them chose. */
  const quiet = table(
    'worker_quiet',
    { versionId: text('version_id').notNull(), hookId: text('hook_id').notNull() },
    ({ hookId, versionId }) => [primaryKey({ columns: [versionId, hookId] })],
  )

  /** Secrets of webhooks, two while one is replaced, and addresses of chats. A server must not be able to read them. */
  const hookSecrets = table(
    'worker_hook_secret',
    {
      hookId: text('hook_id').notNull(),
      secret: text().notNull(),
      createdAt: moment('created_at').notNull(),
      expiresAt: moment('expires_at'),
    },
    ({ hookId, secret }) => [primaryKey({ columns: [hookId, secret] })],
  )

  const writers = table('worker_writer', {
    versionId: text('version_id').primaryKey(),
    name: text().notNull(),
    at: moment('at').notNull(),
    /** A hash of the version as it was then: a command may have changed it since. */
    state: text().notNull(),
  })

  return {
    leases,
    sourceChecks,
    announceRounds,
    announced,
    hookStates,
    deliveries,
    told,
    quiet,
    hookSecrets,
    writers,
  }
}

/** Notes on the backups in buckets, on SQLite only: PostgreSQL has other tools. */
export const backupTableOf = ({ table, text, moment }: ColumnBuilders) =>
  table('worker_copy', {
    /** As `s3://BUCKET/PATH/`. */
    place: text().primaryKey(),
    newestAt: moment('newest_at'),
    failingSince: moment('failing_since'),
    reason: text(),
    remedy: text(),
    /** When the newest backup was last verified with success: see `backup verify`. */
    verifiedAt: moment('verified_at'),
    /** The fault that the last verification found, as a sentence. */
    fault: text(),
  })
