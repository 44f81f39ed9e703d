import { posix } from 'node:path'
import { orNull, reasonOf } from '../../domain/errors.ts'
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
  /** The bytes at a path from that root; or why there are none, as a sentence about it goes on. An error is such a reason too. */
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

/** What was taken, or why not; null for what is ours already. */
export type Takings = Map<string, TakenPicture | string | null>

export const isTaken = (result: TakenPicture | string | null): result is TakenPicture =>
  result !== null && typeof result !== 'string'

/**
 * Takes in the pictures that versions show by a relative address, which then have their own. Each other one keeps its
 * address, and a warning names it with its line of `text`. `known` ones are not looked for.
 */
export async function takePictures(
  { versions, warnings }: Pick<ParsedChangelog, 'versions' | 'warnings'>,
  text: string,
  place: PicturePlace,
  known: ReadonlySet<string> = new Set(),
): Promise<TakenPicture[]> {
  const shown = Map.groupBy(
    versions.flatMap((version) => [...addressesIn(version)].map((address) => ({ address, version }))),
    ({ address }) => address,
  )
  const takings = await takeAll(place, new Set(shown.keys()).difference(known))
  const lines = text.split('\n')
  const ids = new Map<string, string>()
  for (const [address, result] of takings) {
    if (isTaken(result)) ids.set(address, result.id)
    const version = shown.get(address)?.[0]?.version
    if (typeof result !== 'string' || !version) continue
    const written = new RegExp(`(?<![\\w./%-])${RegExp.escape(address)}(?![\\w./%-])`)
    const line = lines.findIndex((line, at) => at + 1 >= version.line && written.test(line)) + 1
    const message = `the picture ${address} ${result}`
    warnings.push({ text: version.text, line: line || version.line, message })
  }
  for (const [at, version] of versions.entries()) versions[at] = showing(version, ids)
  return [...takings.values()].filter(isTaken)
}

/** The version with its pictures of ours, by their ids. */
export const showing = (version: ParsedVersion, ids: ReadonlyMap<string, string>): ParsedVersion =>
  mapTexts(version, (text) =>
    withAddresses(text, (address) => {
      const id = ids.get(address)
      return id && pictureAddress(id)
    }),
  )

/** The addresses of all pictures that a version shows. */
export function addressesIn(version: Texts): Set<string> {
  const found = new Set<string>()
  mapTexts(version, (text) => withAddresses(text, (address) => void found.add(address)))
  return found
}

/** Takes in one picture after the other, until there are too many or `signal` is aborted: those have no result, or `TOO_MANY`. */
export async function takeAll(
  place: PicturePlace,
  addresses: Iterable<string>,
  signal?: AbortSignal,
): Promise<Takings> {
  const takings: Takings = new Map()
  let size = 0
  const take = async (address: string, path: string): Promise<TakenPicture | string | null> => {
    if (!place.isAnywhere && /^\.\.(?:\/|$)/.test(path)) return NOT_TAKEN.outside
    const given = await place.read(path)
    const [own] = picturesIn(address)
    if (typeof given === 'string') return own ? null : given
    size += given.length
    if (size > MOST_BYTES) return TOO_MANY
    const picture = await rewritePicture(address, given, place, own)
    return { ...picture, id: storedPictureId(picture.bytes) ?? '' }
  }
  const failure = (error: unknown): string =>
    error instanceof PictureRefused ? PICTURE_REFUSALS[error.fault] : `cannot be read: ${reasonOf(error)}`
  for (const address of addresses) {
    const path = pathOf(address, place)
    if (path === null) continue
    const isOver = takings.size === MOST_PICTURES || signal?.aborted
    const result = isOver ? TOO_MANY : await take(address, path).catch(failure)
    takings.set(address, result)
    if (result === TOO_MANY) break
  }
  return takings
}

/** The path from the root that a relative address means, also once it is decoded; null for another one. */
export function pathOf(address: string, { file, isAnywhere = false }: PicturePlace): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|[\\?#]|$)/i.test(address)) return null
  const written = address.replace(/[?#].*$/s, '')
  const path = orNull(() => decodeURIComponent(written)) ?? written
  if (/\p{Cc}|\\/u.test(path) || (path.startsWith('/') && !isAnywhere)) return null
  return path.startsWith('/') ? path : posix.join(posix.dirname(file), path)
}
