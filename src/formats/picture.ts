import { PICTURE_LIMITS, type PictureFault, type PictureKind, type Side } from '../domain/pictures.ts'
import { isWebp, stillWebp } from '../domain/webp.ts'

/** A picture of a kind that is taken, as its header says. */
export interface GivenPicture extends Side {
  kind: PictureKind
  /** Without what could make it much larger when it is decoded. */
  bytes: Uint8Array
  isLossless: boolean
}

/** Reads what a file says of itself, without decoding it. Returns the fault of one that is not taken. */
export function readPicture(given: Uint8Array): GivenPicture | PictureFault {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { length } = bytes
  if (length === 0) return 'empty'
  if (length > PICTURE_LIMITS.given) return 'large'
  try {
    const read = READERS.find(({ begins }) => begins(bytes))?.read(bytes) ?? 'kind'
    if (typeof read === 'string') return read
    if (read.width === 0 || read.height === 0) return 'damaged'
    if (Math.max(read.width, read.height) > PICTURE_LIMITS.side) return 'side'
    return read.width * read.height > PICTURE_LIMITS.area ? 'area' : read
  } catch (error) {
    // A header that ends too early.
    if (error instanceof RangeError) return 'damaged'
    throw error
  }
}

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
  { begins: startsWith('GIF87a', 'GIF89a'), read: readGif },
]

/** What an image needs; others, such as a color profile, may be very long when they are unpacked. */
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'eXIf', 'IEND'])

function readPng(bytes: Buffer): GivenPicture | PictureFault {
  const kept = [bytes.subarray(0, 8)]
  for (let at = 8; ; ) {
    const next = at + 12 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (next > bytes.length) return 'damaged'
    if (name === 'acTL') return 'animated'
    if (PNG_CHUNKS.has(name)) kept.push(bytes.subarray(at, next))
    if (name === 'IEND') break
    at = next
  }
  const side = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return { kind: 'png', ...side, bytes: Buffer.concat(kept), isLossless: true }
}

function readJpeg(bytes: Buffer): GivenPicture | PictureFault {
  let side: Side | undefined
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return 'damaged'
    const marker = bytes.readUInt8(at + 1)
    // Filling before a marker.
    if (marker === 0xff) at++
    else if (marker === START_OF_SCAN)
      // The decoder takes what is cut off for gray.
      return side && bytes.indexOf(END_OF_IMAGE, at) > 0
        ? { kind: 'jpeg', ...side, bytes, isLossless: false }
        : 'damaged'
    else {
      if (isFrame(marker)) side = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = Buffer.from([0xff, 0xd9])
/** Tables have numbers among those of frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function readWebp(bytes: Buffer): GivenPicture | PictureFault {
  const still = stillWebp(bytes)
  if (still) return { ...still, kind: 'webp' }
  return bytes.toString('latin1', 12, 16) === 'VP8X' && (bytes.readUInt8(20) & 2) !== 0
    ? 'animated'
    : 'damaged'
}

function readGif(bytes: Buffer): GivenPicture | PictureFault {
  const side = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let images = 0
  for (let at = 13 + colorsOf(bytes.readUInt8(10)); at < bytes.length; ) {
    const block = bytes.readUInt8(at)
    if (block === 0x3b) break
    if (block === 0x2c) {
      if (++images > 1) return 'animated'
      at = afterBlocks(bytes, at + 11 + colorsOf(bytes.readUInt8(at + 9)))
    } else if (block === 0x21) at = afterBlocks(bytes, at + 2)
    else return 'damaged'
  }
  return images === 0 ? 'damaged' : { kind: 'gif', ...side, bytes, isLossless: true }
}

/** The length of a table of colors, from the flags before it. */
const colorsOf = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

function afterBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at)
  return at + 1
}
