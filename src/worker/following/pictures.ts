import { reasonOf } from '../../domain/errors.ts'
import type { Instant } from '../../domain/records.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { backOff, isDue } from '../../domain/time/waiting.ts'
import type { ParsedVersion } from '../../formats/parsed.ts'
import type { Memory } from '../../sources/check-context.ts'
import { Postponed } from '../../sources/quotas.ts'
import {
  addressesIn,
  isWithin,
  type PicturePlace,
  type TakenPicture,
  TOO_MANY,
  taker,
} from '../../transfer/pictures/take.ts'

/** Pictures are read after their release was imported: see `syncSource`. */
export type KnownPictures = NonNullable<Memory['pictures']>

/** So that the pictures of one source hold up no other source of its host. The rest is read at the next check. */
const MOST_MS = 60_000

/** How long a picture is tried again. */
const TRIED_MS = 7 * DAY_MS

/** The most pictures of a text, the newest ones, and the longest address of one: all are remembered. */
const MOST = 1_000
const MOST_LENGTH = 1_000

/** The addresses in the versions of a file that may lead to pictures beside it. */
export function addressesOf(versions: readonly ParsedVersion[], place: PicturePlace): Set<string> {
  const all = new Set(versions.flatMap((version) => [...addressesIn(version)]))
  const within = [...all].filter((each) => each.length <= MOST_LENGTH && isWithin(place, each))
  return new Set(within.slice(0, MOST))
}

/** Those to be read now: new ones first, then those that have failed least often. */
export const duePictures = ({ unread, missing }: KnownPictures, now: Instant): ReadonlySet<string> =>
  new Set([
    ...unread,
    ...missing
      .filter(({ nextAt }) => nextAt !== null && isDue(nextAt, now, DAY_MS))
      .toSorted((one, other) => one.tries - other.tries)
      .map(({ address }) => address),
  ])

/** Reads what is due. Gives what was taken, why others were not, and those that there was no time for. */
export async function readPictures(place: PicturePlace, due: ReadonlySet<string>) {
  const taken = new Map<string, TakenPicture>()
  const failed = new Map<string, string>()
  const unread: string[] = []
  const take = taker(place)
  const spent = AbortSignal.timeout(MOST_MS)
  for (const address of due) {
    const isOver = unread.length > 0 || spent.aborted
    const result = isOver ? TOO_MANY : await take(address).catch(failure)
    if (result === TOO_MANY) unread.push(address)
    else if (typeof result === 'string') failed.set(address, result)
    else if (result) taken.set(address, result)
  }
  return { taken, failed, unread }
}

const failure = (error: unknown): string =>
  error instanceof Postponed ? TOO_MANY : `cannot be read: ${reasonOf(error)}`

/** Those that are missing after some were read. One that fails is tried again less and less often, for a week. */
export function missingAfter(
  before: KnownPictures['missing'],
  failed: ReadonlyMap<string, string>,
  isHad: (address: string) => boolean,
  every: number,
  now: Instant,
): KnownPictures['missing'] {
  const kept = before.filter(({ address }) => !failed.has(address) && !isHad(address))
  const again = [...failed].map(([address, reason]) => {
    const { since = now, tries = 0 } = before.find((each) => each.address === address) ?? {}
    const nextAt = now - since < TRIED_MS ? now + backOff(tries + 1, every, DAY_MS) : null
    return { address, reason, since, tries: tries + 1, nextAt }
  })
  return [...kept, ...again]
}
