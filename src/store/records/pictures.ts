import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import {
  PICTURE_LIMITS,
  type Picture,
  type PictureKind,
  PictureRefused,
  pictureAddress,
  pictureId,
} from '../../domain/pictures.ts'
import { address, type Instant, type Product } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { checkUnlocked } from '../../domain/rules.ts'
import { size } from '../../domain/text/size.ts'
import { stillWebp } from '../../domain/webp.ts'
import type { Engine } from './engine.ts'

/** A picture with the versions that show it, newest first, but without its bytes. */
export interface ListedPicture extends Picture {
  size: number
  shownBy: string[]
}

export interface StoredPicture extends Picture {
  bytes: Uint8Array
}

export type PictureRecords = ReturnType<typeof pictureRecords>

export function pictureRecords({ db, tables }: Engine) {
  const { pictures, versionPictures, versions } = tables
  const length = sql`octet_length(${pictures.bytes})`.mapWith(Number)
  const columns = { ...pick(pictures, 'id', 'kind', 'createdAt'), size: length }
  const isOf = ({ changelog }: Product) => eq(pictures.changelogId, changelog.id)
  const isNamed = (product: Product, id: string) => and(isOf(product), eq(pictures.id, id))

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

  return {
    find,
    list,

    /**
     * Adds a picture, unless the product has it. Refuses bytes other than a still WebP within the limits and without metadata,
     * and more than `most` bytes of all pictures of the product.
     */
    add: async (
      product: Product,
      { kind, bytes }: { kind: PictureKind; bytes: Uint8Array },
      now: Instant,
      most = Number.POSITIVE_INFINITY,
    ): Promise<Picture> => {
      checkUnlocked(product)
      const webp = stillWebp(bytes)
      const isWhole = webp !== null && Buffer.compare(webp.bytes, bytes) === 0
      if (!isWhole || webp.width > PICTURE_LIMITS.width) throw new PictureRefused('The picture', 'damaged')
      if (bytes.length > PICTURE_LIMITS.stored) throw new PictureRefused('The picture', 'result')
      const picture: Picture = { id: pictureId(bytes, webp), kind, createdAt: now }
      const known = await list(product)
      const same = known.find(({ id }) => id === picture.id)
      if (same) return same
      const taken = known.reduce((sum, each) => sum + each.size, bytes.length)
      if (taken > most) throw full(product, taken, most)
      const row = { ...picture, unshownAt: now, bytes: Buffer.from(bytes), changelogId: product.changelog.id }
      await db.insert(pictures).values(row)
      return picture
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
  new Refusal(`The pictures of ${address(product)} would take ${size(taken)}. The limit is ${size(most)}.`, {
    hint: 'Remove some with picture remove, or set PICTURES_MAX_BYTES.',
  })
