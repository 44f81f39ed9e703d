import { hasItsPixels, isGif, readGif } from './gif.ts'
import { PICTURE_LIMITS, pictureId, type Side } from './pictures.ts'

/** A still WebP without anything but its image. */
interface StillWebp extends Side {
  bytes: Uint8Array<ArrayBuffer>
  isLossless: boolean
}

const HEADER = 12
const CHUNK = 8
const MOST_CHUNKS = 20
/** Of a frame: its width, and one bit that the image has alpha. */
const ALPHA = 0x10
const ANIMATION = 0x02

/** Reads a WebP and leaves out color profile and metadata. Null if it is none, animated or damaged. */
export function stillWebp(given: Uint8Array): StillWebp | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (!isWebp(bytes) || bytes.readUInt32LE(4) + CHUNK > bytes.length) return null
  const end = bytes.readUInt32LE(4) + CHUNK
  const chunks = new Map<string, Buffer>()
  for (let at = HEADER; at < end; ) {
    if (at + CHUNK > end) return null
    const length = bytes.readUInt32LE(at + 4)
    const next = at + CHUNK + length
    if (next > end) return null
    const name = bytes.toString('latin1', at, at + 4)
    if (chunks.has(name) || chunks.size === MOST_CHUNKS) return null
    chunks.set(name, bytes.subarray(at + CHUNK, next))
    at = next + (length % 2)
  }
  const [lossy, lossless, alpha, extended] = ['VP8 ', 'VP8L', 'ALPH', 'VP8X'].map((name) => chunks.get(name))
  const side = lossless ? sideOfLossless(lossless) : lossy && sideOfLossy(lossy)
  if (!side || (lossy && lossless) || chunks.has('ANIM') || chunks.has('ANMF')) return null
  if (extended && (((extended[0] ?? 0) & ANIMATION) !== 0 || extended.length !== 10)) return null
  const kept: [string, Buffer][] =
    lossy && alpha
      ? [
          ['VP8X', canvas(side)],
          ['ALPH', alpha],
        ]
      : []
  kept.push(lossless ? ['VP8L', lossless] : ['VP8 ', lossy as Buffer])
  return { ...side, bytes: written(kept), isLossless: lossless !== undefined }
}

/** True if a rewritten picture may have transparent pixels. */
export function isTransparent(given: Uint8Array): boolean {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (isGif(bytes)) return true
  const name = bytes.toString('latin1', HEADER, HEADER + 4)
  return name === 'VP8X' || (name === 'VP8L' && (bytes.readUInt8(HEADER + CHUNK + 4) & ALPHA) !== 0)
}

/** The id of bytes as a rewritten picture has them; null for any others. */
export function storedPictureId(bytes: Uint8Array): string | null {
  if (isGif(bytes)) {
    const gif = readGif(bytes)
    const isRewritten =
      typeof gif === 'object' && gif.frames.length > 1 && Buffer.compare(gif.bytes, bytes) === 0
    return isRewritten ? pictureId(bytes, gif) : null
  }
  const webp = stillWebp(bytes)
  if (!webp || bytes.length > PICTURE_LIMITS.stored || webp.width > PICTURE_LIMITS.width) return null
  return Buffer.compare(webp.bytes, bytes) === 0 ? pictureId(bytes, webp) : null
}

/** The same of bytes that can be decoded: whoever makes a file can make its hash. */
export async function decodedPictureId(bytes: Uint8Array): Promise<string | null> {
  const id = storedPictureId(bytes)
  if (id === null) return null
  if (isGif(bytes)) {
    const gif = readGif(bytes)
    return typeof gif === 'object' && (await hasItsPixels(gif)) ? id : null
  }
  try {
    await new Bun.Image(bytes, { maxPixels: PICTURE_LIMITS.area }).resize(1, 1).webp().bytes()
    return id
  } catch (error) {
    if (isImageError(error)) return null
    throw error
  }
}

export const isImageError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_')

export const isWebp = (bytes: Buffer): boolean =>
  bytes.length > HEADER + CHUNK &&
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, HEADER) === 'WEBP'

function sideOfLossy(frame: Buffer): Side | null {
  if (frame.length < 10 || frame.readUIntBE(3, 3) !== 0x9d012a) return null
  return nonEmpty(frame.readUInt16LE(6) & 0x3fff, frame.readUInt16LE(8) & 0x3fff)
}

function sideOfLossless(image: Buffer): Side | null {
  if (image.length < 5 || image[0] !== 0x2f) return null
  const bits = image.readUInt32LE(1)
  return nonEmpty((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

const nonEmpty = (width: number, height: number): Side | null =>
  width > 0 && height > 0 ? { width, height } : null

function canvas({ width, height }: Side): Buffer {
  const canvas = Buffer.alloc(10)
  canvas[0] = ALPHA
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  return canvas
}

function written(chunks: readonly [string, Buffer][]): Uint8Array<ArrayBuffer> {
  const parts = chunks.flatMap(([name, data]) => {
    const head = Buffer.alloc(CHUNK)
    head.write(name, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return [head, data, Buffer.alloc(data.length % 2)]
  })
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, ...parts])
}
