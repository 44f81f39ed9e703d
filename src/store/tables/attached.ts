import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { HOOK_KINDS } from '../../domain/hook-kinds.ts'
import { HOOK_STATUSES, HOST_KINDS, KEY_KINDS, KEY_STATUSES, SOURCE_KINDS } from '../../domain/records.ts'
import { type ColumnBuilders, constraintsOf } from './columns.ts'

/** Tables of what teams and products have beside their content: keys, sources and hooks. */
export function attachedTablesOf(
  build: ColumnBuilders,
  teams: { id: SQLiteColumn },
  products: { id: SQLiteColumn; teamId: SQLiteColumn },
) {
  const { table, text, moment, flag, index, primaryKey, unique } = build
  const { belongsTo, oneOf } = constraintsOf(build)
  const ofOneTeam = (columns: [SQLiteColumn, SQLiteColumn], foreignColumns: [SQLiteColumn, SQLiteColumn]) =>
    build.foreignKey({ columns, foreignColumns }).onDelete('cascade')

  const keys = table(
    'api_key',
    {
      id: text().primaryKey(),
      teamId: belongsTo('team_id', () => teams.id),
      kind: text({ enum: KEY_KINDS }).notNull(),
      status: text({ enum: KEY_STATUSES }).notNull(),
      label: text().notNull(),
      createdAt: moment('created_at').notNull(),
      expiresAt: moment('expires_at'),
    },
    ({ teamId, id }) => [
      index('api_key_team').on(teamId),
      unique('api_key_id_team').on(id, teamId),
      oneOf('api_key', 'kind', KEY_KINDS),
      oneOf('api_key', 'status', KEY_STATUSES),
    ],
  )

  /** The tokens of a key, by hash: two while a rotation overlaps. */
  const keyTokens = table(
    'api_key_token',
    {
      hash: text().primaryKey(),
      keyId: belongsTo('key_id', () => keys.id),
      /** The beginning of the token, to recognise it in a list. */
      start: text().notNull(),
      createdAt: moment('created_at').notNull(),
      expiresAt: moment('expires_at'),
    },
    ({ keyId }) => [index('api_key_token_key').on(keyId)],
  )

  /** The products attached to a SELECT key. The team is part of both references, so that it is the same. */
  const keyProducts = table(
    'api_key_product',
    {
      keyId: text('key_id').notNull(),
      productId: text('product_id').notNull(),
      teamId: text('team_id').notNull(),
    },
    ({ keyId, productId, teamId }) => [
      primaryKey({ columns: [keyId, productId] }),
      ofOneTeam([keyId, teamId], [keys.id, keys.teamId]),
      ofOneTeam([productId, teamId], [products.id, products.teamId]),
      index('api_key_product_product').on(productId),
    ],
  )

  /** Sources of products. The time of a check is not content: see bookkeeping.ts. */
  const sources = table(
    'source',
    {
      id: text().primaryKey(),
      productId: belongsTo('product_id', () => products.id).unique(),
      url: text().notNull(),
      kind: text({ enum: SOURCE_KINDS }).notNull(),
      hostKind: text('host_kind', { enum: HOST_KINDS }),
      file: text(),
      ref: text(),
      tagDates: flag('tag_dates').notNull(),
      tagPrefix: text('tag_prefix'),
      every: moment('every').notNull(),
      prune: flag('prune').notNull(),
      paused: flag('paused').notNull(),
      tokenFile: text('token_file'),
      createdAt: moment('created_at').notNull(),
      stable: flag('stable').notNull().default(false),
      pictures: flag('pictures').notNull().default(true),
    },
    () => [oneOf('source', 'kind', SOURCE_KINDS), oneOf('source', 'host_kind', HOST_KINDS)],
  )

  /** Subscribers to releases. Secrets and deliveries are not content: see bookkeeping.ts. */
  const hooks = table(
    'hook',
    {
      id: text().primaryKey(),
      teamId: belongsTo('team_id', () => teams.id),
      /** Null for every product of the team. */
      productId: text('product_id'),
      kind: text({ enum: HOOK_KINDS }).notNull(),
      url: text(),
      status: text({ enum: HOOK_STATUSES }).notNull(),
      createdAt: moment('created_at').notNull(),
      /** Both are null if a program of an older schema added it: then its id and the events of its kind count. */
      name: text(),
      events: text(),
      stable: flag('stable').notNull().default(false),
      unsubscribeUrl: text('unsubscribe_url'),
      /** Null for the usual one of its kind. */
      delay: build.number('delay'),
    },
    ({ teamId, name, productId }) => [
      build.uniqueIndex('hook_name').on(teamId, name),
      index('hook_team').on(teamId),
      index('hook_product').on(productId),
      ofOneTeam([productId, teamId], [products.id, products.teamId]),
      oneOf('hook', 'status', HOOK_STATUSES),
    ],
  )

  return { keys, keyTokens, keyProducts, sources, hooks }
}
