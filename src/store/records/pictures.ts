import { and, asc, desc, eq, exists, inArray, isNull, lte, not, notExists, or, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import {
  type DerivedPicture,
  type Picture,
  type PictureForm,
  type PictureKind,
  PictureRefused,
  pictureAddress,
  UNSHOWN_DAYS,
} from '../../domain/pictures.ts'
import { Refused } from '../../domain/reasons.ts'
import { address, type Instant, type Product } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { checkUnlocked } from '../../domain/rules.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { storedPictureId } from '../../domain/webp.ts'
import type { Engine } from './engine.ts'

/** A picture with the versions that show it, newest first, but without its bytes. */
export interface ListedPicture extends Picture {
  size: number
  shownBy: string[]
}

export interface PictureUsage {
  count: number
  bytes: number
}

/** A picture to add; with an `id`, as an export has it. */
interface PictureDraft {
  id?: string
  kind: PictureKind
  bytes: Uint8Array
  createdAt?: Instant
  derived?: DerivedPicture
}

/** A picture of any product. */
interface NamedPicture {
  changelogId: string
  id: string
}

interface StoredPicture extends Picture {
  bytes: Uint8Array
}

export function pictureRecords({ db, tables }: Engine) {
  const { pictures, derivedPictures, versionPictures, versions } = tables
  const length = sql`octet_length(${pictures.bytes})`.mapWith(Number)
  const columns = { ...pick(pictures, 'id', 'kind', 'createdAt'), size: length }
  const isOf = ({ changelog }: Product) => eq(pictures.changelogId, changelog.id)
  const isNamed = (product: Product, id: string) => and(isOf(product), eq(pictures.id, id))

  const isShown = exists(
    db
      .select({ one: sql`1` })
      .from(versionPictures)
      .where(
        and(
          eq(versionPictures.changelogId, pictures.changelogId),
          eq(versionPictures.pictureId, pictures.id),
        ),
      ),
  )
  const isNewlyUnshown = and(isNull(pictures.unshownAt), not(isShown))
  const isOld = (now: Instant) => and(lte(pictures.unshownAt, now - UNSHOWN_DAYS * DAY_MS), not(isShown))

  const find = async (product: Product, id: string): Promise<StoredPicture | null> =>
    (
      await db
        .select({ ...columns, bytes: pictures.bytes })
        .from(pictures)
        .where(isNamed(product, id))
    )[0] ?? null

  const shownBy = (product: Product): Promise<{ id: string; label: string }[]> =>
    db
      .select({ id: versionPictures.pictureId, label: versions.label })
      .from(versionPictures)
      .innerJoin(versions, eq(versions.id, versionPictures.versionId))
      .where(eq(versionPictures.changelogId, product.changelog.id))
      .orderBy(desc(versions.publishedAt), desc(versions.id))

  const list = async (product: Product): Promise<ListedPicture[]> => {
    const labels = Map.groupBy(await shownBy(product), ({ id }) => id)
    const found = await db
      .select(columns)
      .from(pictures)
      .where(isOf(product))
      .orderBy(desc(pictures.createdAt), asc(pictures.id))
    return found.map((picture) => ({
      ...picture,
      shownBy: (labels.get(picture.id) ?? []).map(({ label }) => label),
    }))
  }

  const addDerived = async ({ changelogId, id }: NamedPicture, { ground, small, card }: DerivedPicture) => {
    const [has] = await db
      .select({ id: pictures.id })
      .from(pictures)
      .where(and(eq(pictures.changelogId, changelogId), eq(pictures.id, id)))
    const buffer = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes)
    const row = { changelogId, pictureId: id, ground, small: buffer(small), card: buffer(card) }
    if (has) await db.insert(derivedPictures).values(row).onConflictDoNothing()
  }

  return {
    find,
    list,
    addDerived,

    /** One that nothing is derived from yet; null if there is none. */
    underived: async (): Promise<(NamedPicture & { bytes: Uint8Array }) | null> =>
      (
        await db
          .select(pick(pictures, 'changelogId', 'id', 'bytes'))
          .from(pictures)
          .where(
            notExists(
              db
                .select({ one: sql`1` })
                .from(derivedPictures)
                .where(
                  and(
                    eq(derivedPictures.changelogId, pictures.changelogId),
                    eq(derivedPictures.pictureId, pictures.id),
                  ),
                ),
            ),
          )
          .limit(1)
      )[0] ?? null,

    /** The bytes of a picture, or of what is derived from it, if there is that. */
    bytes: async (product: Product, id: string, form: PictureForm | null): Promise<Uint8Array | null> => {
      const column = form && derivedPictures[form]
      const [derived] = column
        ? await db
            .select({ bytes: column })
            .from(derivedPictures)
            .where(
              and(eq(derivedPictures.changelogId, product.changelog.id), eq(derivedPictures.pictureId, id)),
            )
        : []
      return derived?.bytes ?? (await find(product, id))?.bytes ?? null
    },

    ids: async (product: Product): Promise<ReadonlySet<string>> => {
      const found = await db.select(pick(pictures, 'id')).from(pictures).where(isOf(product))
      return new Set(found.map(({ id }) => id))
    },

    /** Those that these versions show, and their product has no more. */
    gone: async (versionIds: readonly string[]): Promise<string[]> => {
      const { changelogId, pictureId, versionId } = versionPictures
      const found = await db
        .selectDistinct({ id: pictureId })
        .from(versionPictures)
        .leftJoin(pictures, and(eq(pictures.changelogId, changelogId), eq(pictures.id, pictureId)))
        .where(and(inArray(versionId, [...versionIds]), isNull(pictures.id)))
      return found.map(({ id }) => id)
    },

    /** With their bytes, one at a time. */
    contents: async function* (product: Product): AsyncGenerator<StoredPicture> {
      for (const { id } of await list(product)) {
        const found = await find(product, id)
        if (found) yield found
      }
    },

    /**
     * Adds a picture, unless the product has it. Refuses bytes other than a rewritten picture has, or than its `id` says, and more
     * than `most` bytes of all pictures of the product.
     */
    add: async (
      product: Product,
      { id, kind, bytes, createdAt, derived }: PictureDraft,
      now: Instant,
      most = Number.POSITIVE_INFINITY,
    ): Promise<Picture & { isNew: boolean }> => {
      const own = storedPictureId(bytes)
      if (own === null || (id !== undefined && id !== own))
        throw new PictureRefused(id === undefined ? 'The picture' : pictureAddress(id), 'damaged')
      const [known] = await db.select(columns).from(pictures).where(isNamed(product, own))
      if (known) return { ...known, isNew: false }
      checkUnlocked(product)
      const [taken] = await db
        .select({ bytes: sql`coalesce(sum(${length}), 0)`.mapWith(Number) })
        .from(pictures)
        .where(isOf(product))
      const total = bytes.length + (taken?.bytes ?? 0)
      if (total > most) throw full(product, total, most)
      const picture: Picture = { id: own, kind, createdAt: createdAt ?? now }
      const row = { ...picture, bytes: Buffer.from(bytes), changelogId: product.changelog.id }
      await db.insert(pictures).values(row)
      if (derived) await addDerived({ changelogId: row.changelogId, id: own }, derived)
      return { ...picture, isNew: true }
    },

    /** How many pictures there are, and their bytes together, by the changelog that has them. */
    usage: async (): Promise<Map<string, PictureUsage>> => {
      const { changelogId } = pictures
      const sums = { count: sql`count(*)`.mapWith(Number), bytes: sql`sum(${length})`.mapWith(Number) }
      const found = await db
        .select({ changelogId, ...sums })
        .from(pictures)
        .groupBy(changelogId)
      return new Map(found.map(({ changelogId, ...usage }) => [changelogId, usage]))
    },

    /** True if `tidy` would change anything. */
    needTidying: async (now: Instant): Promise<boolean> =>
      (
        await db
          .select({ id: pictures.id })
          .from(pictures)
          .where(or(isNewlyUnshown, isOld(now)))
          .limit(1)
      ).length > 0,

    /** Notes which pictures no version shows, and removes those that none has shown for a while. */
    tidy: async (now: Instant): Promise<{ id: string; size: number }[]> => {
      await db.update(pictures).set({ unshownAt: now }).where(isNewlyUnshown)
      const old = await db.select({ id: pictures.id, size: length }).from(pictures).where(isOld(now))
      if (old.length > 0) await db.delete(pictures).where(isOld(now))
      return old
    },

    /** Refuses a picture that a version shows. */
    remove: async (product: Product, { id }: Pick<Picture, 'id'>): Promise<void> => {
      checkUnlocked(product)
      const [shown] = (await shownBy(product)).filter((each) => each.id === id)
      if (shown)
        throw new Refusal(`Version ${shown.label} of ${address(product)} shows ${pictureAddress(id)}.`, {
          hint: toRun('To take it out of the text', 'edit', [address(product), shown.label]),
        })
      await db.delete(pictures).where(isNamed(product, id))
    },
  }
}

const full = (product: Product, taken: number, most: number): Refusal =>
  new Refused(
    'pictures',
    { product: address(product), size: taken, limit: most },
    { hint: 'Remove some with picture remove, or set PICTURES_MAX_BYTES.' },
  )
