import { hasItsPixels } from '../../domain/gif.ts'
import {
  type DerivedPicture,
  PICTURE_LIMITS,
  type PictureFault,
  type PictureKind,
  PictureRefused,
} from '../../domain/pictures.ts'
import { createTurns } from '../../domain/turns.ts'
import { decodedPictureId, isImageError, stillWebp, storedPictureId } from '../../domain/webp.ts'
import { type MeasuredPicture, readPicture } from '../../formats/picture.ts'
import { derivedFrom } from './derive.ts'

/** Bytes to store. */
export interface RewrittenPicture {
  kind: PictureKind
  bytes: Uint8Array
  derived: DerivedPicture
}

/** Longer pictures are written with losses. */
const LONGEST_LOSSLESS = 1_000_000
const QUALITY = 80
/** A file as long as this is a photograph, of which all attempts without losses take seconds and end longer. */
const SURELY_LONG = 4_000_000
/** In pixels of the result. Larger ones would take half a gigabyte of memory without losses. */
const LARGEST_LOSSLESS = PICTURE_LIMITS.width ** 2

/** One picture at a time, as nothing stops a decoder; and beside it one that takes a second at most, such as a screenshot. */
const [large, small] = [createTurns(), createTurns()]
/** In pixels that are decoded. */
const LARGEST_SMALL = 1_920 * 1_080

/**
 * Decodes a picture and writes it anew, upright and without any metadata, off the event loop. Pictures take turns by
 * `whose` they are. One that is as it is stored, as the id `own` says, is only decoded. Throws `PictureRefused`; `name` is
 * for the message.
 */
export async function rewritePicture(
  name: string,
  given: Uint8Array,
  whose?: unknown,
  own?: string,
): Promise<RewrittenPicture> {
  const read = await readPicture(given)
  if (typeof read === 'string') throw new PictureRefused(name, read)
  const turns = read.work > LARGEST_SMALL ? large : small
  const isOwn = own !== undefined && own === storedPictureId(given)
  return turns(whose, async () => {
    const isWhole = isOwn && (await decodedPictureId(given)) === own
    const bytes = isWhole ? given : isOwn ? 'damaged' : await encoded(read)
    if (typeof bytes === 'string') throw new PictureRefused(name, bytes)
    return { kind: read.kind, bytes, derived: await derivedFrom(bytes) }
  })
}

async function encoded(picture: MeasuredPicture): Promise<Uint8Array | PictureFault> {
  const { bytes, isLossless, width, height, animation } = picture
  if (animation) return (await hasItsPixels(animation)) ? bytes : 'damaged'
  const { area, side, width: widest } = PICTURE_LIMITS
  // The same bytes on every system.
  Bun.Image.backend = 'bun'
  const encode = async (options: { lossless: true } | { quality: number }) => {
    const image = new Bun.Image(bytes, { maxPixels: area })
    const fitting = image.resize(widest, side, { fit: 'inside', withoutEnlargement: true })
    return stillWebp(await fitting.webp(options).bytes())?.bytes
  }
  const scale = Math.min(1, widest / width)
  const isSmall = bytes.length < SURELY_LONG && width * height * scale ** 2 <= LARGEST_LOSSLESS
  try {
    const exact = isLossless && isSmall ? await encode({ lossless: true }) : undefined
    const webp = exact && exact.length <= LONGEST_LOSSLESS ? exact : await encode({ quality: QUALITY })
    if (!webp) return 'damaged'
    return webp.length > PICTURE_LIMITS.stored ? 'result' : webp
  } catch (error) {
    if (isImageError(error)) return 'damaged'
    throw error
  }
}
