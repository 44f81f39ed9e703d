import { sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'
import {
  KEY_KINDS,
  KEY_STATUSES,
  PLANS,
  STATUSES,
  VERSION_STATUSES,
  VISIBILITIES,
} from '../domain/records.ts'

/**
 * The tables. Moments are integers, milliseconds since the epoch. Ids are text and sort by age. The database checks
 * every enumeration too, and deletes everything in a record together with it.
 */

/** A connection, as Drizzle wraps it. */
export type Drizzle = BunSQLiteDatabase

export const teams = sqliteTable(
  'team',
  {
    id: text().primaryKey(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    visibility: text({ enum: VISIBILITIES }).notNull(),
    plan: text({ enum: PLANS }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  () => [oneOf('team', 'visibility', VISIBILITIES), oneOf('team', 'plan', PLANS)],
)

export const products = sqliteTable(
  'product',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    slug: text().notNull(),
    name: text().notNull(),
    status: text({ enum: STATUSES }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    unique('product_slug').on(table.teamId, table.slug),
    // For `api_key_product`: a key and the products attached to it belong to one team.
    unique('product_team').on(table.id, table.teamId),
    oneOf('product', 'status', STATUSES),
  ],
)

export const changelogs = sqliteTable(
  'changelog',
  {
    id: text().primaryKey(),
    productId: text('product_id')
      .notNull()
      .unique()
      .references(() => products.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    status: text({ enum: STATUSES }).notNull(),
    /** The text of an imported file before its first version: not served, but written back by an export. */
    preamble: text(),
  },
  () => [oneOf('changelog', 'status', STATUSES)],
)

export const versions = sqliteTable(
  'version',
  {
    id: text().notNull().unique(),
    changelogId: text('changelog_id')
      .notNull()
      .references(() => changelogs.id, { onDelete: 'cascade' }),
    label: text().notNull(),
    title: text().notNull(),
    status: text({ enum: VERSION_STATUSES }).notNull(),
    publishedAt: integer('published_at').notNull(),
    /** Whether the author gave `publishedAt`: publishing then leaves it as it is. */
    dated: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /**
     * How many changes it has. Stored, because every list of versions shows it, and counting would take a search for
     * each version of the list. Only triggers on `change` write it: see drizzle/sqlite/0001_keep-change-count.sql, and
     * create them again in a migration that rebuilds that table.
     */
    changeCount: integer('change_count').notNull().default(0),
    // Last, so that reading a list does not step over it.
    description: text(),
  },
  (table) => [
    // The order of the API, walked backwards; and the order of the rows in the file (see drizzle/generate.ts), so that
    // a changelog is read from one place, however long it took to write.
    primaryKey({ columns: [table.changelogId, table.publishedAt, table.id] }),
    unique('version_label').on(table.changelogId, table.label),
    oneOf('version', 'status', VERSION_STATUSES),
    check('version_dated', sql.raw('dated in (0, 1)')),
  ],
)

export const changes = sqliteTable(
  'change',
  {
    id: text().primaryKey(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    type: text().notNull(),
    title: text().notNull(),
    description: text(),
    /** The author's heading of the type, if it is not the usual one. */
    typeLabel: text('type_label'),
  },
  (table) => [index('change_order').on(table.versionId, table.position, table.id)],
)

export const keys = sqliteTable(
  'api_key',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    kind: text({ enum: KEY_KINDS }).notNull(),
    status: text({ enum: KEY_STATUSES }).notNull(),
    label: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
  },
  (table) => [
    index('api_key_team').on(table.teamId),
    unique('api_key_id_team').on(table.id, table.teamId),
    oneOf('api_key', 'kind', KEY_KINDS),
    oneOf('api_key', 'status', KEY_STATUSES),
  ],
)

/** The tokens of a key, by their hashes: one, or two while a rotation overlaps. */
export const keyTokens = sqliteTable(
  'api_key_token',
  {
    hash: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => keys.id, { onDelete: 'cascade' }),
    /** The first characters of the token, to recognise it in a list. */
    start: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
  },
  (table) => [index('api_key_token_key').on(table.keyId)],
)

/** The products attached to a SELECT key. The team is part of both references, so it is the same one. */
export const keyProducts = sqliteTable(
  'api_key_product',
  {
    keyId: text('key_id').notNull(),
    productId: text('product_id').notNull(),
    teamId: text('team_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.productId] }),
    foreignKey({ columns: [table.keyId, table.teamId], foreignColumns: [keys.id, keys.teamId] }).onDelete(
      'cascade',
    ),
    foreignKey({
      columns: [table.productId, table.teamId],
      foreignColumns: [products.id, products.teamId],
    }).onDelete('cascade'),
    index('api_key_product_product').on(table.productId),
  ],
)

function oneOf(table: string, column: string, values: readonly string[]) {
  const list = values.map((value) => `'${value}'`).join(', ')
  return check(`${table}_${column}`, sql.raw(`${column} in (${list})`))
}
