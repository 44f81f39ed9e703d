import { type ColumnBuilders, constraintsOf } from './columns.ts'

/**
 * What acts have replaced or deleted, for undo (transfer/undo/keep.ts) and the history of a version (history.ts). It is no content: no export has it, and on
 * PostgreSQL the role of a server need not read it.
 */
export function keptTablesOf(build: ColumnBuilders) {
  const { table, text, number, moment, bytes, index, primaryKey } = build
  const { belongsTo } = constraintsOf(build)

  /** No references: the records may be gone. */
  const kept = table(
    'kept',
    {
      id: text().primaryKey(),
      at: moment('at').notNull(),
      /** What was done to it: see acts/acts.ts, and `UNDO_ACTS`. */
      act: text().notNull(),
      /** Null where nobody says who writes. */
      who: text(),
      teamId: text('team_id').notNull(),
      productId: text('product_id'),
      /** Null for several, and for other records. */
      versionId: text('version_id'),
      /** JSON: see `KeptHead`. */
      head: text().notNull(),
    },
    ({ at, productId, versionId }) => [
      index('kept_at').on(at),
      index('kept_product').on(productId, at),
      index('kept_version').on(versionId, at),
    ],
  )

  /** The lines of an export, in pieces that are compressed one by one. */
  const keptParts = table(
    'kept_part',
    {
      keptId: belongsTo('kept_id', () => kept.id),
      position: number().notNull(),
      bytes: bytes('bytes').notNull(),
    },
    ({ keptId, position }) => [primaryKey({ columns: [keptId, position] })],
  )

  return { kept, keptParts }
}
