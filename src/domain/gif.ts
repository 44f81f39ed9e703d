import { PICTURE_LIMITS, type PictureFault, type Side } from './pictures.ts'
import { handOver } from './turns.ts'

/** A GIF without comments and unknown extensions. */
export interface Gif extends Side {
  bytes: Uint8Array<ArrayBuffer>
  frames: readonly Frame[]
}

interface Frame extends Side {
  codeSize: number
  /** Its compressed pixels. */
  data: Buffer
}

const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** How often an animation runs. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

export const isGif = (bytes: Uint8Array): boolean =>
  /^GIF8[79]a$/.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))

/**
 * Reads the blocks of a GIF and writes them anew, without looking at pixels. Returns the fault of one that is not taken: its frames
 * are bounded before any of them is.
 */
export function readGif(given: Uint8Array): Gif | PictureFault {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return 'damaged'
    throw error
  }
}

function read(bytes: Buffer): Gif | PictureFault {
  let at = 6
  const take = (length: number): Buffer => {
    at += length
    if (at > bytes.length) throw new RangeError('a block beyond the end')
    return bytes.subarray(at - length, at)
  }
  /** The length of a table of colors, from the flags before it. */
  const colors = (flags: number): Buffer => take((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const blocks = (): Buffer => {
    const parts: Buffer[] = []
    for (let length = take(1)[0]; length; length = take(1)[0]) parts.push(take(length))
    return Buffer.concat(parts)
  }
  const screen = Buffer.from(take(7))
  const side = { width: screen.readUInt16LE(0), height: screen.readUInt16LE(2) }
  const flags = screen.readUInt8(4)
  screen[6] = 0
  const written = [Buffer.from('GIF89a'), screen, colors(flags)]
  const area = side.width * side.height
  const frames: Frame[] = []
  let control: Buffer | null = null
  let loops: Buffer | null = null
  for (let block = take(1)[0]; block !== END; block = take(1)[0])
    if (block === EXTENSION) {
      const label = take(1)[0]
      const data = blocks()
      if (label === CONTROL && data.length === 4) {
        // Without the flag that waits for a key.
        data[0] = data.readUInt8(0) & 0x1d
        control = Buffer.from([EXTENSION, CONTROL, 4, ...data, 0])
      }
      if (label === APPLICATION && data.length >= 14 && LOOPS.includes(data.toString('latin1', 0, 11)))
        loops = Buffer.from([
          EXTENSION,
          APPLICATION,
          11,
          ...Buffer.from(LOOPS[0] ?? ''),
          3,
          1,
          ...data.subarray(12, 14),
          0,
        ])
    } else if (block === IMAGE) {
      const head = Buffer.from(take(9))
      const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((from) => head.readUInt16LE(from))
      if (width * height === 0 || left + width > side.width || top + height > side.height) return 'damaged'
      head[8] = head.readUInt8(8) & 0xc7
      const own = colors(head.readUInt8(8))
      if (((flags | head.readUInt8(8)) & 0x80) === 0) return 'damaged'
      const codeSize = take(1).readUInt8(0)
      if (codeSize < 2 || codeSize > 8) return 'damaged'
      const data = blocks()
      frames.push({ width, height, codeSize, data })
      const { frames: most, work, width: widest } = PICTURE_LIMITS
      if (frames.length > 1 && (frames.length > most || frames.length * area > work || side.width > widest))
        return 'animation'
      if (frames.length === 1 && loops) written.push(loops)
      written.push(
        ...(control ? [control] : []),
        Buffer.from([IMAGE]),
        head,
        own,
        Buffer.from([codeSize]),
        ...chunked(data),
      )
      control = null
    } else return 'damaged'
  if (frames.length === 0) return 'damaged'
  const whole = Buffer.concat([...written, Buffer.from([END])])
  if (frames.length > 1 && whole.length > PICTURE_LIMITS.animation) return 'animation'
  return { ...side, frames, bytes: whole }
}

function chunked(data: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return [...parts, Buffer.alloc(1)]
}

/** True if each frame has exactly the pixels that it says. Hands over between frames. */
export async function hasItsPixels({ frames }: Gif): Promise<boolean> {
  for (const frame of frames) {
    if (!isWhole(frame)) return false
    await handOver()
  }
  return true
}

/** Follows the codes of a frame, and only counts what each stands for: however much that is, it takes as long as its bytes. */
function isWhole({ width, height, codeSize, data }: Frame): boolean {
  const [clear, end, most] = [1 << codeSize, (1 << codeSize) + 1, width * height]
  const lengths = new Uint16Array(4096).fill(1, 0, clear)
  let [size, next, previous] = [codeSize + 1, end + 1, -1]
  let [held, bits, pixels] = [0, 0, 0]
  for (const byte of data) {
    held |= byte << bits
    bits += 8
    while (bits >= size) {
      const code = held & ((1 << size) - 1)
      held >>>= size
      bits -= size
      if (code === end) return pixels === most
      if (code === clear) {
        ;[size, next, previous] = [codeSize + 1, end + 1, -1]
        continue
      }
      if (code > next || (code === next && previous < 0)) return false
      if (previous >= 0 && next < 4096) {
        lengths[next++] = (lengths[previous] as number) + 1
        if (next === 1 << size && size < 12) size++
      }
      pixels += lengths[code] as number
      if (pixels > most) return false
      previous = code
    }
  }
  return pixels === most
}
