import { crc32, deflateSync } from 'node:zlib'
import { Random } from './random.ts'

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([number(data.length), body, number(crc32(body))])
}

interface PngOptions {
  depth?: 8 | 16
  /** Chunks before the image. */
  extra?: readonly Buffer[]
  /** The lines, if they are not what the sides say. */
  lines?: Buffer
  /** Noise of another seed is another picture, which is hardly compressed. */
  noise?: number
}

/** A PNG of some colors. */
export function png(width: number, height: number, { depth = 8, extra = [], lines, noise }: PngOptions = {}) {
  const head = Buffer.concat([number(width), number(height), Buffer.from([depth, 2, 0, 0, 0])])
  const line = 1 + (width * 3 * depth) / 8
  const random = noise === undefined ? null : new Random(noise)
  const pixels = () => {
    const all = Buffer.alloc(line * height)
    for (let at = 0; at < all.length; at++)
      if (at % line > 0) all[at] = random ? random.below(256) : (at % line) + at / line
    return all
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...extra,
    pngChunk('IDAT', deflateSync(lines ?? pixels())),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of one gray, of which as many lines as `clear` says are transparent. */
export function transparentPng(width: number, height: number, gray: number, clear: number): Buffer {
  const head = Buffer.concat([number(width), number(height), Buffer.from([8, 6, 0, 0, 0])])
  const line = (alpha: number) =>
    Buffer.from([0, ...Array.from({ length: width }, () => [gray, gray, gray, alpha]).flat()])
  const lines = Array.from({ length: height }, (_, at) => line(at < clear ? 0 : 255))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.concat(lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG that says that it moves. */
export const movingPng = (): Buffer => png(4, 4, { extra: [pngChunk('acTL', Buffer.alloc(8))] })

export const jpeg = (width: number, height: number): Promise<Buffer> =>
  new Bun.Image(png(width, height)).jpeg().toBuffer()

interface GifOptions {
  /** The sides of all of it, and of each frame with its place. */
  screen?: readonly [width: number, height: number]
  frame?: readonly [left: number, top: number, width: number, height: number]
  /** Blocks before the frames. */
  extra?: readonly Buffer[]
  /** The codes of each frame, of three bits, if they are not what its sides say. */
  codes?: readonly number[]
}

const [GIF_CLEAR, GIF_END] = [4, 5]
const short = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [value & 255, value >> 8]))

/** A GIF of so many frames in black. */
export function gif(
  frames: number,
  { screen = [1, 1], frame = [0, 0, ...screen], extra = [], codes }: GifOptions = {},
) {
  const [, , width, height] = frame
  const own = codes ?? [
    ...Array(width * height)
      .fill([GIF_CLEAR, 0])
      .flat(),
    GIF_END,
  ]
  const bits = own
    .map((code) => code.toString(2).padStart(3, '0'))
    .toReversed()
    .join('')
  const bytes = (bits.match(/.{1,8}(?=(?:.{8})*$)/g) ?? [])
    .map((byte) => Number.parseInt(byte, 2))
    .toReversed()
  const image = Buffer.concat([
    Buffer.from([0x2c]),
    short(...frame),
    Buffer.from([0, 2]),
    gifBlocks(Buffer.from(bytes)),
  ])
  const head = Buffer.concat([
    Buffer.from('GIF89a'),
    short(...screen),
    Buffer.from('800000000000ffffff', 'hex'),
  ])
  return Buffer.concat([head, ...extra, ...Array<Buffer>(frames).fill(image), Buffer.from([0x3b])])
}

/** A block of a GIF that is none of its images. */
export const gifExtension = (label: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x21, label]), gifBlocks(data)])

const gifBlocks = (data: Buffer): Buffer =>
  Buffer.concat([
    ...Array.from({ length: Math.ceil(data.length / 255) }, (_, at) =>
      data.subarray(at * 255, at * 255 + 255),
    ).flatMap((part) => [Buffer.from([part.length]), part]),
    Buffer.alloc(1),
  ])

/** A WebP whose frame says how large it is, and has nothing else that can be decoded. */
export const spoiledWebp = (given: Uint8Array): Uint8Array =>
  // The last byte may be one that fills up.
  new Uint8Array(given).fill(0x55, 32, given.length - 1)

/** A JPEG with EXIF before its tables: an orientation, or a place. */
export const withExif = (given: Buffer, exif: Buffer): Buffer => {
  const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])
  const head = Buffer.from([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255])
  return Buffer.concat([given.subarray(0, 2), head, data, given.subarray(2)])
}

/** Big-endian TIFF with one tag, of one short number. */
export const orientation = (value: number): Buffer =>
  Buffer.from(`4d4d002a00000008${'0001'}${'0112'}${'0003'}00000001000${value}000000000000`, 'hex')

const segment = (marker: number, ...data: number[]): number[] => [0xff, marker, 0, data.length + 2, ...data]

/** A JPEG of eight by eight gray pixels in the four colors of print. */
export function cmykJpeg(): Buffer {
  const colors = [1, 2, 3, 4]
  const adobe = [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0]
  // One code, of one bit, for a block without anything in it.
  const codes = (table: number) => segment(0xc4, table, 1, ...Array<number>(15).fill(0), 0)
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xee, ...adobe),
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc0, 8, 0, 8, 0, 8, 4, ...colors.flatMap((color) => [color, 0x11, 0])),
    ...codes(0x00),
    ...codes(0x10),
    ...segment(0xda, 4, ...colors.flatMap((color) => [color, 0]), 0, 63, 0),
    ...[0x00, 0xff, 0xd9],
  ])
}

/** A progressive JPEG of gray pixels, whose last scan, of a few bytes, comes as often as `scans` says. */
export function progressiveJpeg(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const sides = [height >> 8, height & 255, width >> 8, width & 255]
  const code = (table: number, symbol: number) =>
    segment(0xc4, table, 1, ...Array<number>(15).fill(0), symbol)
  // So many blocks without anything new: a code of one bit, and fourteen of a number.
  const run = (length: number) => `0${(length - RUN).toString(2).padStart(14, '0')}`
  const runs = Array.from({ length: Math.ceil(blocks / RUN) - 1 }, () => run(RUN)).join('')
  const scan = (...head: number[]) => Buffer.from(segment(0xda, 1, 1, 0, ...head))
  const refined = Buffer.concat([scan(1, 63, 0x10), bitsOf(runs + run(RUN))])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, ...segment(0xdb, 0, ...Array<number>(64).fill(1))]),
    Buffer.from(segment(0xc2, 8, ...sides, 1, 1, 0x11, 0)),
    Buffer.from([...code(0x00, 0), ...code(0x10, 0xe0)]),
    Buffer.concat([scan(0, 0, 0), Buffer.alloc(Math.ceil(blocks / 8))]),
    Buffer.concat([scan(1, 63, 1), bitsOf(runs + run(RUN))]),
    ...Array<Buffer>(scans - 2).fill(refined),
    Buffer.from([0xff, 0xd9]),
  ])
}

const RUN = 16_384

/** The bits of a scan, in which no byte is as those of a marker. */
const bitsOf = (bits: string): Buffer =>
  Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
