import { and, type Column, eq, type SQL, sql } from 'drizzle-orm'
import type { PictureForm } from '../../domain/pictures.ts'
import type { VisibilityRule } from '../visibility.ts'
import { all, type ChangelogContext, type Read } from './read.ts'
import { type Dialect, statement } from './statement.ts'

/**
 * The bytes of a picture, or of what is derived from it in this form, if there is that already. Null for a hidden and for a missing
 * one: a version that this audience may see must show it.
 */
export function* readPicture(
  { statements: { picture: statements }, changelogId, now }: ChangelogContext<{ picture: PictureStatements }>,
  picture: string,
  form: PictureForm | null = null,
): Read<{ bytes: Uint8Array<ArrayBuffer> } | null> {
  const { shownBy } = statements
  // One entry of an index each, however many versions show it, hidden or not.
  let isShown = shownBy.length === 0
  for (const each of shownBy) isShown ||= (yield* all(each, { changelogId, picture, now })).length > 0
  const [found = null] = isShown ? yield* all(statements[form ?? 'bytes'], { changelogId, picture }) : []
  return found
}

type PictureStatements = ReturnType<typeof pictureStatements>

/** Within a changelog that `info` found. A rule that hides no version shows every picture. */
export function pictureStatements({ builder, tables }: Dialect, { version, versionParts }: VisibilityRule) {
  const { pictures, derivedPictures, versionPictures } = tables
  const { changelogId, pictureId, status, publishedAt } = versionPictures
  const [inside, picture] = [sql.placeholder('changelogId'), sql.placeholder('picture')]
  const parts = version ? versionParts : []
  const { changelogId: madeIn, pictureId: madeOf } = derivedPictures
  const bytes = (made?: Column) => {
    const wanted = made ? sql`coalesce(${made}, ${pictures.bytes})` : sql`${pictures.bytes}`
    return statement(
      builder
        .select({ bytes: wanted as SQL<Uint8Array<ArrayBuffer>> })
        .from(pictures)
        .leftJoin(derivedPictures, and(eq(madeIn, pictures.changelogId), eq(madeOf, pictures.id)))
        .where(and(eq(pictures.changelogId, inside), eq(pictures.id, picture))),
    )
  }
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
    bytes: bytes(),
    small: bytes(derivedPictures.small),
    card: bytes(derivedPictures.card),
  }
}
