import type { Instant } from './records.ts'
import { Refusal } from './refusal.ts'
import { size } from './text/size.ts'

/** The formats that pictures may come in. All are stored as WebP. */
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
} as const

/** How long a picture stays that no version shows: as long as deletions can be undone. */
export const UNSHOWN_DAYS = 30

/** A picture of a product. Its bytes are a still WebP without any metadata. */
export interface Picture {
  /** Follows from its bytes: their hash, its width and its height. */
  id: string
  kind: PictureKind
  createdAt: Instant
}

/** Why a file is refused, as a sentence about it goes on. */
export const PICTURE_REFUSALS = {
  empty: 'is empty',
  large: `has more than ${size(PICTURE_LIMITS.given)}`,
  kind: 'is no picture of a kind that is taken: PNG, JPEG, WebP or GIF',
  animated: 'is animated, and only still pictures are taken',
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
  `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)}-${width}x${height}`

const ID = '[0-9a-f]{32}-[1-9]\\d{0,4}x[1-9]\\d{0,4}'
const WHOLE_ID = new RegExp(`^${ID}$`)

export const isPictureId = (text: string): boolean => WHOLE_ID.test(text)

export function sidesOf(id: string): Side {
  const [width = 0, height = 0] = id.slice(id.indexOf('-') + 1).split('x')
  return { width: Number(width), height: Number(height) }
}

/** The folder of pictures: below a changelog, and beside a text that shows them. */
export const PICTURES = 'pictures'
export const PICTURE_ENDING = '.webp'

/** How a stored text names a picture, whatever the address of the site. */
export const pictureAddress = (id: string): string => `${PICTURES}/${id}${PICTURE_ENDING}`

const IN_TEXT = new RegExp(`(?<![\\w./%-])${PICTURES}/(${ID})\\.webp(?![\\w./%-])`, 'g')

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
