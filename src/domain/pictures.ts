import { namesOf } from './objects.ts'
import type { Instant } from './records.ts'
import { Refusal } from './refusal.ts'
import { size } from './text/size.ts'

/** The formats that pictures may come in. All are stored as WebP, but for animations, which are GIF. */
export const PICTURE_KINDS = ['png', 'jpeg', 'webp', 'gif'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

export const PICTURE_LIMITS = {
  /** In bytes, of a file that is given, and of what is stored. */
  given: 10_000_000,
  stored: 2_000_000,
  /** In pixels. */
  area: 25_000_000,
  /** The pixels of all scans of a JPEG, for each of its colors. */
  work: 500_000_000,
  side: 16_383,
  width: 2_880,
  /** Of a GIF that moves: in bytes, and how many frames it has. The pixels of all frames together are `work`. */
  animation: 5_000_000,
  frames: 1_000,
  /** Wider ones also have one of the small width. */
  wide: 1_200,
  small: 1_080,
} as const

/** How long a picture stays that no version shows: as long as deletions can be undone. */
export const UNSHOWN_DAYS = 30

/** A picture of a product. Its bytes are a still WebP, or a GIF that moves, without any metadata. */
export interface Picture {
  /** Follows from its bytes: their hash, its width and its height. */
  id: string
  kind: PictureKind
  createdAt: Instant
}

/** What is made of a picture, beside it: in no export, and made again wherever it is missing. */
export interface DerivedPicture {
  /** Dark on nothing: it needs a light ground on a dark page. */
  ground: boolean
  /** A WebP of the small width, which is still; null if the picture is so itself and not wide, or shorter. */
  small: Uint8Array | null
  /** A JPEG of at most that width, for networks that read no WebP. */
  card: Uint8Array | null
}

/** What the address of each ends with, behind the id. The picture itself is in its place while there is none. */
export const PICTURE_FORMS = { small: '.small.webp', card: '.card.jpg' } as const
export type PictureForm = keyof typeof PICTURE_FORMS

/** Why a file is refused, as a sentence about it goes on. */
export const PICTURE_REFUSALS = {
  empty: 'is empty',
  large: `has more than ${size(PICTURE_LIMITS.given)}`,
  kind: 'is no picture of a kind that is taken: PNG, JPEG, WebP or GIF',
  animated: 'is animated, and of animations only GIF is taken',
  animation:
    'is an animation of more than 5 MB, 1,000 frames, 500 million pixels in all of them together, or 2,880 pixels in width',
  area: `has more than ${PICTURE_LIMITS.area / 1e6} million pixels`,
  scans: `has too many scans: more than ${PICTURE_LIMITS.work / 1e6} million pixels in all of them together`,
  side: `is wider or higher than ${PICTURE_LIMITS.side.toLocaleString('en')} pixels`,
  damaged: 'is damaged',
  result: `has more than ${size(PICTURE_LIMITS.stored)} as WebP`,
} as const
export type PictureFault = keyof typeof PICTURE_REFUSALS

export class PictureRefused extends Refusal {
  constructor(
    name: string,
    readonly fault: PictureFault,
  ) {
    super(`${name} ${PICTURE_REFUSALS[fault]}.`)
  }
}

export interface Side {
  width: number
  height: number
}

/** The sides are in the id, so that every page can say them without another read. */
export const pictureId = (bytes: Uint8Array, { width, height }: Side): string =>
  `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)}-${width}x${height}${isGif(bytes) ? GIF : ''}`

const GIF = '.gif'
const STILL_ID = '[0-9a-f]{32}-[1-9]\\d{0,4}x[1-9]\\d{0,4}'
const WHOLE_ID = new RegExp(`^${STILL_ID}(?:\\${GIF})?$`)

const isGif = (bytes: Uint8Array): boolean => bytes[0] === 0x47

/** True for an animation, of which the small form is the first frame. */
export const isMoving = (id: string): boolean => id.endsWith(GIF)

export const isPictureId = (text: string): boolean => WHOLE_ID.test(text)

export function sidesOf(id: string): Side {
  const [width = '', height = ''] = id.slice(id.indexOf('-') + 1).split('x')
  return { width: Number(width), height: Number.parseInt(height, 10) }
}

export const isWide = (id: string): boolean => sidesOf(id).width > PICTURE_LIMITS.wide

/** The sides of what is derived from a picture. */
export function smallSides(id: string): Side {
  const { width, height } = sidesOf(id)
  const { small } = PICTURE_LIMITS
  return isWide(id)
    ? { width: small, height: Math.max(1, Math.round((height * small) / width)) }
    : { width, height }
}

/** The folder of pictures: below a changelog, and beside a text that shows them. */
export const PICTURES = 'pictures'
export const PICTURE_ENDING = '.webp'

/** How a stored text names a picture, whatever the address of the site. */
export const pictureAddress = (id: string): string => `${PICTURES}/${fileOf(id)}`

const fileOf = (id: string): string => (isMoving(id) ? id : id + PICTURE_ENDING)

/** The address of what is derived from a picture, by that of the picture. */
export const inForm = (address: string, form: PictureForm): string =>
  address.replace(/(?:\.webp)?(?:#.*)?$/, PICTURE_FORMS[form])

/** The picture that a file of that folder is, or is derived from; null for any other name. */
export function pictureFile(name: string): { id: string; form: PictureForm | null } | null {
  const form = namesOf(PICTURE_FORMS).find((each) => name.endsWith(PICTURE_FORMS[each])) ?? null
  const id = form ? name.slice(0, -PICTURE_FORMS[form].length) : name.replace(/\.webp$/, '')
  if (!isPictureId(id) || (form === null && fileOf(id) !== name)) return null
  return form === 'small' && !isWide(id) && !isMoving(id) ? null : { id, form }
}

export const isPictureName = (path: string): boolean => /\.(?:webp|gif|jpg)$/.test(path)

/** The type of a picture, or of what is derived from it. */
export const pictureType = (bytes: Uint8Array): string =>
  bytes[0] === 0xff ? 'image/jpeg' : isGif(bytes) ? 'image/gif' : 'image/webp'

export const isPictureType = (type: string): boolean => /^image\/(?:gif|jpeg|webp)$/.test(type)

const IN_TEXT = new RegExp(
  `(?<![\\w./%-])${PICTURES}/(${STILL_ID}(?:\\${GIF}|(?=\\${PICTURE_ENDING})))(?:(?<!\\${GIF})\\${PICTURE_ENDING})?(?![\\w./%-])`,
  'g',
)

/** The ids of the pictures that texts show, each once. */
export function picturesIn(...texts: (string | null | undefined)[]): string[] {
  const ids = texts.flatMap((text) =>
    text?.includes(`${PICTURES}/`) ? [...text.matchAll(IN_TEXT)].map(([, id = '']) => id) : [],
  )
  return [...new Set(ids)]
}

/** The text with other addresses for its pictures. */
export const withPictures = <Text extends string | null | undefined>(
  text: Text,
  addressOf: (id: string) => string,
): Text =>
  (text?.includes(`${PICTURES}/`) ? text.replace(IN_TEXT, (_, id: string) => addressOf(id)) : text) as Text
