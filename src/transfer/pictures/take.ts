import { posix } from 'node:path'
import { orNull } from '../../domain/errors.ts'
import { PICTURE_REFUSALS, PictureRefused, pictureAddress, picturesIn } from '../../domain/pictures.ts'
import { mapTexts, type Texts } from '../../domain/versions/texts.ts'
import { storedPictureId } from '../../domain/webp.ts'
import { withAddresses } from '../../formats/markdown/pictures.ts'
import type { ParsedChangelog, ParsedVersion } from '../../formats/parsed.ts'
import { type RewrittenPicture, rewritePicture } from './rewrite.ts'

/** Where the pictures of a text are. */
export interface PicturePlace {
  /** The path of the text, from the root of its repository or folder. */
  file: string
  /** The author of the text names files of this machine, wherever they are. */
  isAnywhere?: boolean
  /** The bytes at a path from that root; or why there are none, as a sentence about it goes on. */
  read(path: string): Promise<Uint8Array | string>
}

export interface TakenPicture extends RewrittenPicture {
  id: string
}

/** Why a picture is not read. */
export const NOT_TAKEN = {
  missing: 'does not exist',
  outside: 'is outside the repository or folder of the text',
  link: 'is a link, which is not followed',
  elsewhere: 'is redirected elsewhere',
} as const

/** Of one run. */
const MOST_PICTURES = 200
const MOST_BYTES = 100_000_000
export const TOO_MANY = 'and those after it are beyond the 200 pictures or 100 MB of one run'

/**
 * Takes in the pictures that versions show by a relative address, which then have their own. Each other one keeps its
 * address, and a warning names it with its line of `text`. Returns null if there is no such address but `known` ones.
 */
export async function takePictures(
  { versions, warnings }: Pick<ParsedChangelog, 'versions' | 'warnings'>,
  text: string,
  place: PicturePlace,
  known: ReadonlySet<string> = new Set(),
): Promise<TakenPicture[] | null> {
  const take = taker(place)
  const lines = text.split('\n')
  const taken = new Map<string, TakenPicture>()
  const isKnown = new Set(known)
  let [isAny, isFull] = [false, false]
  for (const [at, version] of versions.entries()) {
    for (const address of addressesIn(version)) {
      if (isFull || isKnown.has(address)) continue
      isKnown.add(address)
      const result = await take(address)
      isAny ||= result !== null
      isFull = result === TOO_MANY
      if (typeof result !== 'string') {
        if (result) taken.set(address, result)
        continue
      }
      const written = new RegExp(`(?<![\\w./%-])${RegExp.escape(address)}(?![\\w./%-])`)
      const line = lines.findIndex((line, at) => at + 1 >= version.line && written.test(line)) + 1
      const message = `the picture ${address} ${result}`
      warnings.push({ text: version.text, line: line || version.line, message })
    }
    if (taken.size === 0) continue
    versions[at] = showing(version, (address) => taken.get(address)?.id)
  }
  return isAny ? [...taken.values()] : null
}

/** The version with its pictures of ours: those that `to` gives for their addresses. */
export const showing = (version: ParsedVersion, to: (address: string) => string | undefined): ParsedVersion =>
  mapTexts(version, (text) =>
    withAddresses(text, (address) => {
      const id = to(address)
      return id && pictureAddress(id)
    }),
  )

/** The addresses of all pictures that a version shows. */
export function addressesIn(version: Texts): Set<string> {
  const found = new Set<string>()
  mapTexts(version, (text) => withAddresses(text, (address) => void found.add(address)))
  return found
}

/** Takes in one picture after the other. Null for an address that is not relative, or is ours already. */
export function taker(place: PicturePlace) {
  const { file, isAnywhere = false, read } = place
  let [pictures, size] = [0, 0]
  return async (address: string): Promise<TakenPicture | string | null> => {
    const path = pathOf(address, file, isAnywhere)
    if (path === null) return null
    if (pictures++ === MOST_PICTURES) return TOO_MANY
    if (!isAnywhere && /^\.\.(?:\/|$)/.test(path)) return NOT_TAKEN.outside
    const given = await read(path)
    const [own] = picturesIn(address)
    if (typeof given === 'string') return own ? null : given
    size += given.length
    if (size > MOST_BYTES) return TOO_MANY
    try {
      const picture = await rewritePicture(address, given, place, own)
      return { ...picture, id: storedPictureId(picture.bytes) ?? '' }
    } catch (error) {
      if (error instanceof PictureRefused) return PICTURE_REFUSALS[error.fault]
      throw error
    }
  }
}

/** True for an address that may lead to a picture of the place. */
export const isWithin = ({ file, isAnywhere = false }: PicturePlace, address: string): boolean =>
  pathOf(address, file, isAnywhere) !== null

/** The path from the root that a relative address means, also once it is decoded; null for another one. */
function pathOf(address: string, file: string, isAnywhere: boolean): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|[\\?#]|$)/i.test(address)) return null
  const written = address.replace(/[?#].*$/s, '')
  const path = orNull(() => decodeURIComponent(written)) ?? written
  if (/\p{Cc}|\\/u.test(path) || (path.startsWith('/') && !isAnywhere)) return null
  return path.startsWith('/') ? path : posix.join(posix.dirname(file), path)
}
