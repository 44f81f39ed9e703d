import { type Column, type SQL, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { mapRows } from '../../domain/objects.ts'
import { LANGUAGES, PLANS, STATUSES, STORED_VERSION_STATUSES, VISIBILITIES } from '../../domain/records.ts'
import { DERIVED_COLUMNS } from '../../domain/versions/derived.ts'
import { YEARS } from '../../domain/versions/number.ts'
import { FRONT } from '../../domain/versions/order.ts'
import { CHANGE_TEXTS, type FilterName, mapColumns } from '../../domain/versions/properties.ts'
import { attachedTablesOf } from './attached.ts'
import { type ColumnBuilders, constraintsOf } from './columns.ts'
import { newEdition, UNDERIVED } from './derived.ts'
import { keptTablesOf } from './kept.ts'
import { pictureTablesOf } from './pictures.ts'

/** By filter: the index of the versions that stay, and their condition, which is always said in the words of the index. */
export const FILTERED = {
  /** No pre-releases: the opposite of `isPrerelease`. */
  prereleases: {
    index: 'version_stable',
    where: (of = '') =>
      `${of}prerelease is not true and (${of}precedence is null or rtrim(${of}precedence, '~') <> ${of}precedence)`,
  },
} as const satisfies Record<FilterName, { index: `version_${string}`; where(of?: string): string }>

/** Index and condition of the versions that `latest` may mean: releases that are not yanked, or else all that are not. */
export const NEWEST = {
  release: {
    index: 'version_latest',
    where: (of = '') =>
      `${of}status <> 'draft' and ${of}yanked is null and ${FILTERED.prereleases.where(of)}`,
  },
  any: {
    index: 'version_current',
    where: (of = '') => `${of}status <> 'draft' and ${of}yanked is null`,
  },
} as const

/** The series of a label, as `lineOf` tells it. */
export const seriesOf = (label: Column): SQL => {
  const number = sql`ltrim(${label}, ${sql.raw(`'${FRONT}'`)})`
  return sql`rtrim(substr(${label}, 1, length(${label}) - length(${number})), 'vV')`
}

type Numbered = Record<'label' | 'precedence', Column>

/** True if a version has a higher number in the line of another, as `lineOf` tells it. */
export const isHigher = (one: Numbered, than: Numbered): SQL =>
  sql`(${one.precedence} > ${than.precedence} and (${than.precedence} >= ${YEARS} or ${one.precedence} < ${YEARS})
    and ${seriesOf(one.label)} = ${seriesOf(than.label)})`

/**
 * Drizzle has no common type for the builders and databases of both engines, nor for SQL in place of a placeholder: so
 * everything has SQLite's types, and is tested on both.
 */
export const typedAs = <T>(value: unknown): T => value as T

/** A connection in Drizzle; PostgreSQL's is cast to this type. */
export type Drizzle = BaseSQLiteDatabase<'async', void>

export type Tables = ReturnType<typeof tablesOf>

/**
 * The tables of both engines. `domain/records.ts` explains the columns of records. Times are milliseconds since the epoch, ids
 * are text and sort by age. The database also checks enumerations, and deletes the content of a record with it. What only
 * triggers write names a file of drizzle/sqlite: a migration that rebuilds one of their tables must create them again.
 */
export function tablesOf(build: ColumnBuilders) {
  const { table, text, number, moment, flag, index, primaryKey, listKey, choiceKey, unique } = build
  const { belongsTo, oneOf } = constraintsOf(build)

  const teams = table(
    'team',
    {
      id: text().primaryKey(),
      slug: text().notNull().unique(),
      name: text().notNull(),
      visibility: text({ enum: VISIBILITIES }).notNull(),
      plan: text({ enum: PLANS }).notNull(),
      createdAt: moment('created_at').notNull(),
      subscribeUrl: text('subscribe_url'),
    },
    () => [oneOf('team', 'visibility', VISIBILITIES), oneOf('team', 'plan', PLANS)],
  )

  const products = table(
    'product',
    {
      id: text().primaryKey(),
      teamId: belongsTo('team_id', () => teams.id),
      slug: text().notNull(),
      name: text().notNull(),
      status: text({ enum: STATUSES }).notNull(),
      createdAt: moment('created_at').notNull(),
      repository: text(),
      language: text({ enum: LANGUAGES }),
      subscribeUrl: text('subscribe_url'),
    },
    ({ teamId, slug, id }) => [
      unique('product_slug').on(teamId, slug),
      // For `api_key_product`: a key and its products belong to one team.
      unique('product_team').on(id, teamId),
      oneOf('product', 'status', STATUSES),
    ],
  )

  const changelogs = table(
    'changelog',
    {
      id: text().primaryKey(),
      productId: belongsTo('product_id', () => products.id).unique(),
      name: text().notNull(),
      status: text({ enum: STATUSES }).notNull(),
      /** Text before the first version of an imported file: not served, but exported. */
      preamble: text(),
      /** Another number whenever its versions, changes, former labels or pictures may be others: see `readStamp`. Only triggers write it: 0027_stamps.sql. */
      revision: moment('revision').notNull().default(0),
    },
    () => [oneOf('changelog', 'status', STATUSES)],
  )

  /**
   * Public products in the order of lists, so that the work of a list does not grow with hidden content. Only triggers
   * write it, by the rule of `visibility.ts`: 0005_lists-dates-labels.sql.
   */
  const publicProducts = table(
    'public_product',
    {
      teamSlug: text('team_slug').notNull(),
      productSlug: text('product_slug').notNull(),
      productId: belongsTo('product_id', () => products.id).unique(),
    },
    ({ teamSlug, productSlug }) => [primaryKey({ columns: [teamSlug, productSlug] })],
  )

  const versions = table(
    'version',
    {
      id: text().notNull().unique(),
      changelogId: belongsTo('changelog_id', () => changelogs.id),
      label: text().notNull(),
      title: text().notNull(),
      status: text({ enum: STORED_VERSION_STATUSES }).notNull(),
      publishedAt: moment('published_at').notNull(),
      dated: flag('dated').notNull(),
      createdAt: moment('created_at').notNull(),
      /** Stored, because every list shows it. Only triggers on `change` write it: 0004_scheduled.sql. */
      changeCount: number('change_count').notNull().default(0),
      // After the columns of lists, so that these need not read past it.
      ...mapColumns({ markdown: () => text(), line: () => text(), flag }),
      imported: text(),
      dateKnown: flag('date_known').notNull().default(true),
      /**
       * See domain/versions/derived.ts. Triggers empty `kinds` until the end of a transaction that changed them, and
       * after a program of an older schema: 0006_release-notes.sql.
       */
      ...mapRows(DERIVED_COLUMNS, () => text()),
      /** A random number, another one whenever the text of the version or of its changes may be another. */
      edition: moment('edition').notNull().default(0).$defaultFn(newEdition),
      /** The number of the rules that `kinds` follows; null after a program of an older schema. */
      derivedBy: number('derived_by'),
    },
    ({ changelogId, publishedAt, id, label, status, precedence }) => [
      // The order of the API, backwards, and of the rows in the file (see drizzle/generate.ts), so that a changelog is
      // read from one place, however long it took to write.
      primaryKey({ columns: [changelogId, publishedAt, id] }),
      unique('version_label').on(changelogId, label),
      oneOf('version', 'status', STORED_VERSION_STATUSES),
      // The same order without drafts, and scheduled versions apart from published ones: public reads must not take
      // longer because of them.
      build
        .uniqueIndex('version_public')
        .on(listKey(changelogId), listKey(status), publishedAt, id)
        .where(sql.raw(`status <> 'draft'`)),
      index('version_scheduled').on(publishedAt).where(sql.raw(`status = 'scheduled'`)),
      // Ranges of numbers: few by their order, many in list order.
      index('version_precedence').on(changelogId, status, precedence),
      index('version_range')
        .on(listKey(changelogId), listKey(status), publishedAt, id, precedence)
        .where(sql.raw(`status <> 'draft' and precedence is not null`)),
      // The versions that filters leave, by status, so that drafts are in nobody's way; and the ones `latest` may mean.
      ...[...Object.values(FILTERED), ...Object.values(NEWEST)].map(({ index, where }) =>
        build
          .uniqueIndex(index)
          .on(choiceKey(changelogId), listKey(status), publishedAt, id)
          .where(sql.raw(where())),
      ),
      // The few whose derived values are not known.
      index('version_underived').on(id).where(sql.raw(UNDERIVED)),
      ...build.flagRules('version_dated', 'dated'),
    ],
  )

  /**
   * The versions of public products that are no drafts and have a date, in the order of timelines, so that timelines
   * read no others. Only triggers write it, after `public_product` and `version`: 0016_dated-timeline.sql.
   */
  const publicVersions = table(
    'public_version',
    {
      versionId: belongsTo('version_id', () => versions.id).primaryKey(),
      teamId: text('team_id').notNull(),
      status: text({ enum: STORED_VERSION_STATUSES }).notNull(),
      publishedAt: moment('published_at').notNull(),
      /** As `isPrerelease` says, not the host. */
      prerelease: flag('prerelease').notNull().default(false),
    },
    ({ teamId, status, publishedAt, versionId, prerelease }) => [
      index('public_version_team').on(teamId, status, publishedAt, versionId),
      index('public_version_site').on(listKey(status), publishedAt, versionId),
      index('public_stable_team').on(teamId, prerelease, status, publishedAt, versionId),
      index('public_stable').on(listKey(status), prerelease, publishedAt, versionId),
    ],
  )

  /** Labels that a version had while it was public, so that old addresses redirect to it. */
  const formerLabels = table(
    'former_label',
    {
      changelogId: belongsTo('changelog_id', () => changelogs.id),
      label: text().notNull(),
      versionId: belongsTo('version_id', () => versions.id),
    },
    ({ changelogId, label, versionId }) => [
      primaryKey({ columns: [changelogId, label] }),
      index('former_label_version').on(versionId),
    ],
  )

  /** Addresses that products had: see records/former-addresses.ts. */
  const formerAddresses = table(
    'former_address',
    {
      teamSlug: text('team_slug').notNull(),
      productSlug: text('product_slug').notNull(),
      productId: belongsTo('product_id', () => products.id),
    },
    ({ teamSlug, productSlug, productId }) => [
      primaryKey({ columns: [teamSlug, productSlug] }),
      index('former_address_product').on(productId),
    ],
  )

  const changes = table(
    'change',
    {
      id: text().primaryKey(),
      versionId: belongsTo('version_id', () => versions.id),
      position: number().notNull(),
      type: text().notNull(),
      title: text().notNull(),
      ...mapRows(CHANGE_TEXTS, () => text()),
      typeLabel: text('type_label'),
      imported: text(),
    },
    ({ versionId, position, id }) => [index('change_order').on(versionId, position, id)],
  )

  /** The markdown that a version was read from, apart from what lists read: see domain/versions/source.ts. */
  const versionSources = table('version_source', {
    versionId: belongsTo('version_id', () => versions.id).primaryKey(),
    text: text().notNull(),
    hash: text().notNull(),
  })

  return {
    teams,
    products,
    changelogs,
    publicProducts,
    versions,
    publicVersions,
    formerLabels,
    formerAddresses,
    changes,
    versionSources,
    ...pictureTablesOf(build, changelogs, versions),
    ...attachedTablesOf(build, teams, products),
    ...keptTablesOf(build),
  }
}
