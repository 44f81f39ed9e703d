import { inflateSync } from 'node:zlib'
import { isGif } from '../../domain/gif.ts'
import { type DerivedPicture, PICTURE_LIMITS, type Side } from '../../domain/pictures.ts'
import { isImageError, isTransparent } from '../../domain/webp.ts'
import type { WritableStore } from '../../store/store.ts'

const QUALITY = { quality: 85 } as const
/** As bright as gray in the middle, as people see it. */
const LIGHT = 0.5
/** Round corners alone need no ground. */
const OPAQUE = 0.95

/** What is made of a stored picture, off the event loop. Nothing but that it was tried, if the picture cannot be decoded. */
export async function derivedFrom(bytes: Uint8Array): Promise<DerivedPicture> {
  const { area, wide, small: width, side } = PICTURE_LIMITS
  const image = () => new Bun.Image(bytes, { maxPixels: area })
  try {
    const isWide = (await image().metadata()).width > wide
    const moves = isGif(bytes)
    const fitting = () => (isWide ? image().resize(width, side, { fit: 'inside' }) : image())
    const smaller = isWide || moves ? await fitting().webp(QUALITY).bytes() : null
    const small = smaller && (moves || smaller.length < bytes.length) ? smaller : null
    if (!isTransparent(bytes)) return { ground: false, small, card: await fitting().jpeg(QUALITY).bytes() }
    const pixels = pixelsOf(await fitting().png().buffer())
    const ground = isDark(pixels)
    return {
      ground,
      small,
      card: await new Bun.Image(onGround(ground ? 255 : 22, pixels)).jpeg(QUALITY).bytes(),
    }
  } catch (error) {
    if (isImageError(error)) return { ground: false, small: null, card: null }
    throw error
  }
}

/** Makes what is missing beside pictures, of all products, until `signal` is aborted. */
export async function derivePictures(store: WritableStore, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const picture = await store.snapshot(({ pictures }) => pictures.underived())
    if (!picture) return
    const derived = await derivedFrom(picture.bytes)
    await store.transaction(({ pictures }) => pictures.addDerived(picture, derived))
  }
}

/** In four bytes each: red, green, blue and alpha. */
interface Pixels extends Side {
  data: Buffer
}

/** The pixels of a PNG as our encoder writes it: eight bits a channel, not interlaced. */
export function pixelsOf(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [line, lines] = [4 * width, inflateSync(Buffer.concat(parts))]
  const data = Buffer.alloc(line * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (line + 1)]
    for (let x = 0; x < line; x++) {
      const at = y * line + x
      const left = x < 4 ? 0 : (data[at - 4] as number)
      const up = y === 0 ? 0 : (data[at - line] as number)
      const before = x < 4 || y === 0 ? 0 : (data[at - line - 4] as number)
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? nearest(left, up, before)
                : 0
      data[at] = (lines[y * (line + 1) + 1 + x] as number) + guess
    }
  }
  return { width, height, data }
}

/** The filter of Paeth. */
function nearest(left: number, up: number, before: number): number {
  const [a, b, c] = [Math.abs(up - before), Math.abs(left - before), Math.abs(left + up - 2 * before)]
  return a <= b && a <= c ? left : b <= c ? up : before
}

/** True if what can be seen is dark on the whole, and something behind it would show through. */
function isDark({ data }: Pixels): boolean {
  let [seen, light] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const color = (of: number) => data[at + of] as number
    seen += color(3)
    light += (color(3) * (0.299 * color(0) + 0.587 * color(1) + 0.114 * color(2))) / 255
  }
  return seen < OPAQUE * 255 * (data.length / 4) && light < seen * LIGHT
}

/** A BMP of the pixels on a ground. */
function onGround(gray: number, { width, height, data }: Pixels): Buffer {
  const bmp = Buffer.alloc(54 + data.length, 255)
  bmp.write('BM', 'latin1')
  bmp.fill(0, 2, 54)
  for (const [at, value] of [
    [2, bmp.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, -height],
  ] as const)
    bmp.writeInt32LE(value, at)
  bmp.writeInt32LE(0x20_0001, 26)
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number
    for (let color = 0; color < 3; color++)
      bmp[54 + at + 2 - color] = gray + (((data[at + color] as number) - gray) * alpha) / 255
  }
  return bmp
}
