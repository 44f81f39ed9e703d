import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { PICTURE_KINDS } from '../../domain/pictures.ts'
import { STORED_VERSION_STATUSES } from '../../domain/records.ts'
import { type ColumnBuilders, constraintsOf } from './columns.ts'

export function pictureTablesOf(
  build: ColumnBuilders,
  changelogs: { id: SQLiteColumn },
  versions: { id: SQLiteColumn },
) {
  const { table, text, moment, flag, bytes, index, primaryKey, foreignKey, flagRules } = build
  const { belongsTo, oneOf } = constraintsOf(build)

  /** Pictures that texts show: see domain/pictures.ts. The bytes come last, so that no other read has them. */
  const pictures = table(
    'picture',
    {
      changelogId: belongsTo('changelog_id', () => changelogs.id),
      id: text().notNull(),
      kind: text({ enum: PICTURE_KINDS }).notNull(),
      createdAt: moment('created_at').notNull(),
      /** Since when no version is known to show it: a worker notes that, and removes it later. */
      unshownAt: moment('unshown_at'),
      bytes: bytes('bytes').notNull(),
    },
    ({ changelogId, id }) => [
      primaryKey({ columns: [changelogId, id] }),
      oneOf('picture', 'kind', PICTURE_KINDS),
    ],
  )

  /** What is made of pictures: see `DerivedPicture`. A program that does not know it leaves a picture without a row. */
  const derivedPictures = table(
    'derived_picture',
    {
      changelogId: text('changelog_id').notNull(),
      pictureId: text('picture_id').notNull(),
      ground: flag('ground').notNull(),
      small: bytes('small'),
      card: bytes('card'),
    },
    ({ changelogId, pictureId }) => [
      primaryKey({ name: 'derived_picture_key', columns: [changelogId, pictureId] }),
      foreignKey({
        name: 'derived_picture_of',
        columns: [changelogId, pictureId],
        foreignColumns: [pictures.changelogId, pictures.id],
      }).onDelete('cascade'),
      ...flagRules('derived_picture_ground', 'ground'),
    ],
  )

  /**
   * Which version shows which picture, apart from whether that is here, and when it is public. Only triggers write it, by the
   * column `pictures` of versions: 0023_pictures.sql.
   */
  const versionPictures = table(
    'version_picture',
    {
      changelogId: text('changelog_id').notNull(),
      pictureId: text('picture_id').notNull(),
      status: text({ enum: STORED_VERSION_STATUSES }).notNull(),
      publishedAt: moment('published_at').notNull(),
      versionId: belongsTo('version_id', () => versions.id),
    },
    ({ changelogId, pictureId, status, publishedAt, versionId }) => [
      primaryKey({
        name: 'version_picture_key',
        columns: [changelogId, pictureId, status, publishedAt, versionId],
      }),
      index('version_picture_version').on(versionId),
    ],
  )

  return { pictures, derivedPictures, versionPictures }
}
