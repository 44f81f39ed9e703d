import { and, eq, sql } from 'drizzle-orm'
import type { VisibilityRule } from '../visibility.ts'
import { all, type ChangelogContext, type Read } from './read.ts'
import { type Dialect, statement } from './statement.ts'

/** The bytes of a picture, if a version that this audience may see shows it; null for a hidden and for a missing one. */
export function* readPicture(
  { statements: { picture: statements }, changelogId, now }: ChangelogContext<{ picture: PictureStatements }>,
  picture: string,
): Read<{ bytes: Uint8Array<ArrayBuffer> } | null> {
  const { shownBy, bytes } = statements
  // One entry of an index each, however many versions show it, hidden or not.
  let isShown = shownBy.length === 0
  for (const each of shownBy) isShown ||= (yield* all(each, { changelogId, picture, now })).length > 0
  const [found = null] = isShown ? yield* all(bytes, { changelogId, picture }) : []
  return found
}

type PictureStatements = ReturnType<typeof pictureStatements>

/** Within a changelog that `info` found. A rule that hides no version shows every picture. */
export function pictureStatements({ builder, tables }: Dialect, { version, versionParts }: VisibilityRule) {
  const { pictures, versionPictures } = tables
  const { changelogId, pictureId, status, publishedAt } = versionPictures
  const [inside, picture] = [sql.placeholder('changelogId'), sql.placeholder('picture')]
  const parts = version ? versionParts : []
  return {
    shownBy: parts.map(({ condition }) =>
      statement(
        builder
          .select({ versionId: versionPictures.versionId })
          .from(versionPictures)
          .where(and(eq(changelogId, inside), eq(pictureId, picture), condition({ status, publishedAt })))
          .limit(1),
      ),
    ),
    bytes: statement(
      builder
        .select({ bytes: sql<Uint8Array<ArrayBuffer>>`${pictures.bytes}` })
        .from(pictures)
        .where(and(eq(pictures.changelogId, inside), eq(pictures.id, picture))),
    ),
  }
}
