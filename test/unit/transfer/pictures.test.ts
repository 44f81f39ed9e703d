import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import {
  PICTURE_LIMITS,
  PictureRefused,
  pictureId,
  picturesIn,
  sidesOf,
} from '../../../src/domain/pictures.ts'
import { decodedPictureId, stillWebp, storedPictureId } from '../../../src/domain/webp.ts'
import { pixelsOf } from '../../../src/transfer/pictures/derive.ts'
import { rewritePicture } from '../../../src/transfer/pictures/rewrite.ts'
import {
  cmykJpeg,
  gif,
  gifExtension,
  jpeg,
  orientation,
  png,
  pngChunk,
  progressiveJpeg,
  transparentPng,
  withExif,
} from '../../support/pictures.ts'

const sideOf = (bytes: Uint8Array) => {
  const { width, height } = stillWebp(bytes) ?? { width: 0, height: 0 }
  return [width, height]
}

const profile = (bytes: number) =>
  pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]))

test('what is stored of a picture is a still WebP with nothing but its image, the same each time', async () => {
  const place = withExif(await jpeg(40, 30), Buffer.from('GPS 52.5N 13.4E'))
  const given = {
    png: png(40, 30),
    'png of 16 bits': png(40, 30, { depth: 16 }),
    'png with a profile of 20 MB': png(40, 30, { extra: [profile(20_000_000)] }),
    jpeg: place,
    'jpeg and a script': Buffer.concat([place, Buffer.from('<script>alert(1)</script>PK\x03\x04')]),
    'jpeg in the colors of print': cmykJpeg(),
    gif: gif(1),
    webp: Buffer.from(await new Bun.Image(png(40, 30)).webp({ quality: 70 }).bytes()),
  }
  for (const [name, bytes] of Object.entries(given)) {
    const { bytes: stored } = await rewritePicture(name, bytes)
    const side = name === 'gif' ? [1, 1] : name.includes('print') ? [8, 8] : [40, 30]
    expect([name, sideOf(stored)]).toEqual([name, side])
    expect(Buffer.compare(stored, stillWebp(stored)?.bytes ?? Buffer.alloc(0))).toBe(0)
    expect(Buffer.from(stored).toString('latin1')).not.toMatch(/ICCP|EXIF|XMP |GPS|script/)
    expect((await rewritePicture(name, bytes)).bytes).toEqual(stored)
  }
})

test('a screenshot keeps every pixel, stands upright and is at most as wide as pages show', async () => {
  const shot = png(300, 200)
  const { bytes } = await rewritePicture('shot.png', shot)
  const pixels = (image: Uint8Array) => new Bun.Image(image).png({ compressionLevel: 0 }).bytes()
  expect(await pixels(bytes)).toEqual(await pixels(shot))
  const turned = await rewritePicture('turned.jpg', withExif(await jpeg(40, 30), orientation(6)))
  expect(sideOf(turned.bytes)).toEqual([30, 40])
  const wide = await rewritePicture('wide.png', png(4_000, 100))
  expect(sideOf(wide.bytes)).toEqual([PICTURE_LIMITS.width, 72])
})

test('a picture that is too large to be written without losses in little memory is written with them', async () => {
  const written = async (width: number, height: number) =>
    stillWebp((await rewritePicture('shot.png', png(width, height))).bytes)?.isLossless
  expect(await written(PICTURE_LIMITS.width, 1_800)).toBe(true)
  expect(await written(PICTURE_LIMITS.width, 3_000)).toBe(false)
})

test('a picture of very many empty chunks is refused before it holds up others', async () => {
  const chunks = (count: number) => Array.from({ length: count }, () => pngChunk('tEXt', Buffer.alloc(0)))
  expect(sideOf((await rewritePicture('few', png(40, 30, { extra: chunks(50) }))).bytes)).toEqual([40, 30])
  expect(rewritePicture('many', png(40, 30, { extra: chunks(20_000) }))).rejects.toThrow('many is damaged.')
})

test('a JPEG that is read over and over is refused before it is decoded', async () => {
  const refused = (given: Buffer) => expect(rewritePicture('x.jpg', given)).rejects
  const message = 'x.jpg has too many scans: more than 500 million pixels in all of them together.'
  await refused(progressiveJpeg(5_000, 5_000, 400)).toThrow(message)
  await refused(progressiveJpeg(8, 8, 600)).toThrow(message)
  const usual = progressiveJpeg(800, 600, 10)
  expect(sideOf((await rewritePicture('x.jpg', usual)).bytes)).toEqual([800, 600])
  // Scans of another picture: a small one in the metadata, or one behind it.
  const others = progressiveJpeg(8, 8, 600)
  const both = Buffer.concat([withExif(usual, others), others])
  expect(sideOf((await rewritePicture('x.jpg', both)).bytes)).toEqual([800, 600])
  const inData = Buffer.concat([usual.subarray(0, -2), ...Array<Buffer>(600).fill(usual.subarray(-50, -2))])
  await refused(Buffer.concat([inData, usual.subarray(-2)])).toThrow(message)
})

test('a small picture waits for no large one, and the pictures of one author for one of each other', async () => {
  const done: string[] = []
  const take = async (name: string, given: Buffer) => {
    await rewritePicture(name, given, name[0])
    done.push(name)
  }
  const large = await jpeg(2_000, 1_100)
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => take(name, large)),
    take('b1', large),
    ...['a5', 'b2'].map((name) => take(name, png(40, 30))),
  ])
  expect(done.filter((name) => !['a5', 'b2'].includes(name))).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  expect(done.indexOf('b2')).toBeLessThan(done.indexOf('a4'))
})

test('a picture that is not taken is refused with the reason', async () => {
  const shot = png(40, 30)
  const photo = await jpeg(40, 30)
  const webp = Buffer.from(await new Bun.Image(shot).webp().bytes())
  const animation = Buffer.from(webp)
  animation.write('VP8X', 12, 'latin1')
  animation[20] = 2
  const faults: [given: Uint8Array, fault: PictureRefused['fault']][] = [
    [Buffer.alloc(0), 'empty'],
    [Buffer.alloc(PICTURE_LIMITS.given + 1), 'large'],
    [png(30_000, 30_000, { lines: Buffer.alloc(100) }), 'side'],
    [png(6_000, 5_000, { lines: Buffer.alloc(100) }), 'area'],
    [png(40, 30, { extra: [pngChunk('acTL', Buffer.alloc(8))] }), 'animated'],
    [animation, 'animated'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'kind'],
    [Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'latin1'), 'kind'],
    [Buffer.from('BM'.padEnd(100, '\0')), 'kind'],
    [Buffer.from('<html><script>alert(1)</script>'), 'kind'],
    ...[shot, photo, webp, gif(1)].map((whole): [Uint8Array, 'damaged'] => [
      whole.subarray(0, whole.length - 12),
      'damaged',
    ]),
    [
      Buffer.from(photo).fill(0xca, photo.indexOf('ffc0', 'hex') + 1, photo.indexOf('ffc0', 'hex') + 2),
      'kind',
    ],
    [png(40, 30, { lines: Buffer.alloc(10) }), 'damaged'],
    [png(2_000, 2_000, { noise: 1 }), 'large'],
    [png(1_800, 1_800, { noise: 1 }), 'result'],
  ]
  for (const [at, [given, fault]] of faults.entries()) {
    const thrown = await rewritePicture(`picture ${at}`, given).catch((error: unknown) => error)
    expect([at, thrown instanceof PictureRefused ? thrown.fault : thrown]).toEqual([at, fault])
  }
})

test('a GIF that moves is kept with its frames, and without what nobody sees', async () => {
  const secret = Buffer.from('taken at home')
  const loops = gifExtension(0xff, Buffer.concat([Buffer.from('NETSCAPE2.0'), Buffer.from([1, 7, 0])]))
  const wait = gifExtension(0xf9, Buffer.from([2, 10, 0, 0]))
  const extra = [
    gifExtension(0xfe, secret),
    gifExtension(0xff, Buffer.concat([Buffer.from('XMP DataXMP'), secret])),
  ]
  const given = gif(3, { screen: [30, 20], extra: [...extra, loops, gifExtension(1, secret), wait] })
  const kept = await rewritePicture('a.gif', Buffer.concat([given, secret]))
  const written = ['21ff0b4e45545343415045322e300301070000', '21f904000a000000']
  const expected = gif(3, { screen: [30, 20], extra: written.map((each) => Buffer.from(each, 'hex')) })
  expect(Buffer.from(kept.bytes).toString('hex')).toBe(expected.toString('hex'))
  const id = storedPictureId(kept.bytes) ?? ''
  expect(id).toEndWith('-30x20.gif')
  expect((await rewritePicture('a.gif', kept.bytes, null, id)).bytes).toEqual(kept.bytes)
  expect(await decodedPictureId(kept.bytes)).toBe(id)
  const still = new Bun.Image(kept.derived.small ?? '')
  expect(await still.metadata()).toMatchObject({ width: 30, height: 20, format: 'webp' })
  expect((await rewritePicture('still.gif', gif(1))).bytes[0]).toBe(0x52)
  // Neither is as it would be stored, or can be decoded.
  expect(storedPictureId(given)).toBeNull()
  const spoiled = gif(2, { screen: [9, 9], codes: [4, 0, 5] })
  expect([typeof storedPictureId(spoiled), await decodedPictureId(spoiled)]).toEqual(['string', null])
})

test('a hostile GIF is refused, and what it says is bounded before its pixels are looked at', async () => {
  const two = gif(2, { screen: [8, 8] })
  const doubling = Array.from({ length: 60 }, (_, at) => 6 + (at % 2))
  const faults: [given: Buffer, fault: PictureRefused['fault']][] = [
    [two.subarray(0, -1), 'damaged'],
    [two.subarray(0, -20), 'damaged'],
    [gif(2, { screen: [8, 8], frame: [0, 0, 0, 8] }), 'damaged'],
    [gif(2, { screen: [8, 8], frame: [1, 0, 8, 8] }), 'damaged'],
    [gif(2, { screen: [0, 0], frame: [0, 0, 1, 1] }), 'damaged'],
    // Fewer pixels than it says, more, a code that stands for nothing, and no end.
    [gif(2, { screen: [8, 8], codes: [4, 0, 5] }), 'damaged'],
    [gif(2, { codes: [4, 0, ...doubling, 5] }), 'damaged'],
    [gif(2, { codes: [4, 7, 5] }), 'damaged'],
    [gif(2, { screen: [8, 8], codes: [4] }), 'damaged'],
    // A block that is longer than the file.
    [Buffer.concat([two.subarray(0, -3), Buffer.from([255, 0, 0x3b])]), 'damaged'],
    [gif(1_001), 'animation'],
    [gif(51, { screen: [2_000, 5_000], frame: [0, 0, 1, 1] }), 'animation'],
    [gif(2, { screen: [2_881, 1] }), 'animation'],
    [gif(2, { screen: [2_000, 13_000], frame: [0, 0, 1, 1] }), 'area'],
    [gif(1_000, { screen: [100, 100] }), 'animation'],
  ]
  for (const [at, [given, fault]] of faults.entries()) {
    const thrown = await rewritePicture(`picture ${at}`, given).catch((error: unknown) => error)
    expect([at, thrown instanceof PictureRefused ? thrown.fault : thrown]).toEqual([at, fault])
  }
})

test('a text shows the pictures that it names by their own address, each once', () => {
  const id = pictureId(Buffer.from('x'), { width: 640, height: 400 })
  const text = `![a](pictures/${id}.webp) <img src="pictures/${id}.webp">`
  expect(picturesIn(text, null, text)).toEqual([id])
  expect(sidesOf(id)).toEqual({ width: 640, height: 400 })
  for (const other of [
    `/pictures/${id}.webp`,
    `x/pictures/${id}.webp`,
    `pictures/${id}.webpx`,
    `pictures/${id}.png`,
    `pictures/${id}.gif.webp`,
    `pictures/${id}.small.webp`,
  ])
    expect(picturesIn(`![](${other})`)).toEqual([])
  expect(picturesIn(`![](pictures/${id}.gif)`)).toEqual([`${id}.gif`])
})

test.each([
  ['dark on nothing', 20, 20, true, 255],
  ['light on nothing', 240, 20, false, 22],
  ['dark with round corners', 20, 1, false, 22],
  ['dark, on a ground of its own', 20, 0, false, 20],
])(
  'a picture that is %s is measured, and its card has the ground that it needs',
  async (_, gray, clear, ground, above) => {
    const { derived } = await rewritePicture('shot.png', transparentPng(40, 40, gray, clear))
    expect(derived.ground).toBe(ground)
    const card = await new Bun.Image(derived.card ?? '').resize(1, 40, { filter: 'nearest' }).png().buffer()
    const { data } = pixelsOf(card)
    expect(Math.abs((data[0] ?? 0) - above)).toBeLessThan(8)
    expect(Math.abs((data.at(-4) ?? 0) - gray)).toBeLessThan(8)
  },
)
