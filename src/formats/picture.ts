import { type Gif, isGif, readGif } from '../domain/gif.ts'
import { PICTURE_LIMITS, type PictureFault, type PictureKind, type Side } from '../domain/pictures.ts'
import { isImageError, isWebp, stillWebp } from '../domain/webp.ts'

/** A picture of a kind that is taken. */
export interface GivenPicture {
  kind: PictureKind
  /** Without what could make it much larger when it is decoded. */
  bytes: Uint8Array
  isLossless: boolean
  /** How often the decoder goes over all pixels. */
  passes?: number
  /** What is kept as it is. */
  animation?: Gif
}

/** A picture that is taken, as large as it says. */
export interface MeasuredPicture extends GivenPicture, Side {
  /** How many pixels are decoded, each as often as it is. */
  work: number
}

/** Reads what a file says of itself, without decoding it. Returns the fault of one that is not taken. */
export async function readPicture(given: Uint8Array): Promise<MeasuredPicture | PictureFault> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { length } = bytes
  if (length === 0) return 'empty'
  if (length > PICTURE_LIMITS.given) return 'large'
  try {
    const read = READERS.find(({ begins }) => begins(bytes))?.read(bytes) ?? 'kind'
    if (typeof read === 'string') return read
    const { width, height } =
      read.animation ?? (await new Bun.Image(read.bytes, { maxPixels: 2 ** 32 }).metadata())
    if (Math.max(width, height) > PICTURE_LIMITS.side) return 'side'
    const { passes = 1 } = read
    const area = width * height
    if (area > PICTURE_LIMITS.area) return 'area'
    // A pass takes its time, however few pixels there are.
    if (Math.max(area, LEAST_PASS) * passes > PICTURE_LIMITS.work) return 'scans'
    return { ...read, width, height, work: area * passes }
  } catch (error) {
    // A header that ends too early, or says what cannot be.
    if (error instanceof RangeError || isImageError(error)) return 'damaged'
    throw error
  }
}

/** In pixels. */
const LEAST_PASS = 1_000_000

interface Reader {
  begins(bytes: Buffer): boolean
  read(bytes: Buffer): GivenPicture | PictureFault
}

const startsWith =
  (...starts: string[]) =>
  (bytes: Buffer) =>
    starts.some((start) => bytes.toString('latin1', 0, start.length) === start)

const READERS: readonly Reader[] = [
  { begins: startsWith('\x89PNG\r\n\x1a\n'), read: readPng },
  { begins: startsWith('\xff\xd8\xff'), read: readJpeg },
  { begins: isWebp, read: readWebp },
  { begins: isGif, read: readAnimation },
]

/** Some programs write one for each 8 kB. */
const MOST_CHUNKS = 10_000
/** What an image needs; others, such as a color profile, may be very long when they are unpacked. */
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'eXIf', 'IEND'])

function readPng(bytes: Buffer): GivenPicture | PictureFault {
  const kept = [bytes.subarray(0, 8)]
  for (let at = 8, chunks = 0; ; chunks++) {
    const next = at + 12 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (next > bytes.length || chunks === MOST_CHUNKS) return 'damaged'
    if (name === 'acTL') return 'animated'
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, next))
    if (name === 'IEND') break
    at = next
  }
  return { kind: 'png', bytes: Buffer.concat(kept), isLossless: true }
}

/**
 * Walks over the markers as the decoder does, up to the end of the image: a progressive one may have very many scans, of a
 * few bytes each. The decoder takes what is cut off for gray.
 */
function readJpeg(bytes: Buffer): GivenPicture | PictureFault {
  let passes = 0
  for (let at = 2; at + 1 < bytes.length; ) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] as number) : 0
    if (marker === END_OF_IMAGE) return { kind: 'jpeg', bytes, isLossless: false, passes }
    if (OTHER_CODINGS.has(marker)) return 'kind'
    // One for each color.
    if (marker === START_OF_SCAN) passes += bytes.readUInt8(at + 4)
    // Data of a scan, and markers without a length.
    if (marker < 0xc0 || marker === 0xff || (marker & 0xf8) === 0xd0) at++
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return 'damaged'
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
/** Frames that no browser shows, such as of arithmetic coding, which takes much longer. */
const OTHER_CODINGS = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

function readWebp(bytes: Buffer): GivenPicture | PictureFault {
  const still = stillWebp(bytes)
  if (still) return { kind: 'webp', bytes: still.bytes, isLossless: still.isLossless }
  return bytes.toString('latin1', 12, 16) === 'VP8X' && (bytes.readUInt8(20) & 2) !== 0
    ? 'animated'
    : 'damaged'
}

function readAnimation(given: Buffer): GivenPicture | PictureFault {
  const gif = readGif(given)
  if (typeof gif === 'string') return gif
  const { bytes, frames } = gif
  return { kind: 'gif', bytes, isLossless: true, ...(frames.length > 1 && { animation: gif }) }
}
