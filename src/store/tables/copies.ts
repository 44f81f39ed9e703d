import type { ColumnBuilders } from './columns.ts'

export type CopyTable = ReturnType<typeof copyTableOf>

/** What is known of the copies in buckets: a part of the bookkeeping on SQLite. PostgreSQL has its own tools. */
export const copyTableOf = ({ table, text, moment }: ColumnBuilders) =>
  table('worker_copy', {
    /** As `s3://BUCKET/PATH/`. */
    place: text().primaryKey(),
    newestAt: moment('newest_at'),
    failingSince: moment('failing_since'),
    reason: text(),
    remedy: text(),
    verifiedAt: moment('verified_at'),
    fault: text(),
  })
