import type { Instant } from '../../domain/records.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { isDue } from '../../domain/time/waiting.ts'
import type { ParsedVersion } from '../../formats/parsed.ts'
import type { KnownPictures, WantedPicture } from '../../sources/check-context.ts'
import {
  addressesIn,
  type PicturePlace,
  pathOf,
  type Takings,
  TOO_MANY,
} from '../../transfer/pictures/take.ts'

/** How long a picture is tried again. */
const TRIED_MS = 7 * DAY_MS

/** The most pictures of a text, the newest ones, and the longest address of one: all are remembered. */
const MOST = 1_000
const MOST_LENGTH = 1_000

/** The addresses in the versions of a file that may lead to pictures beside it. */
export function addressesOf(versions: readonly ParsedVersion[], place: PicturePlace): Set<string> {
  const all = new Set(versions.flatMap((version) => [...addressesIn(version)]))
  const within = all.values().filter((each) => each.length <= MOST_LENGTH && pathOf(each, place) !== null)
  return new Set(within.take(MOST))
}

/** Those to be read now: new ones first, then the others that are not shown. */
export const duePictures = ({ ids, wanted }: KnownPictures, now: Instant): string[] => {
  const shown = new Set(ids.map(([address]) => address))
  return wanted
    .filter(({ nextAt }) => nextAt !== null && isDue(nextAt, now, DAY_MS))
    .toSorted((a, b) => Number(shown.has(a.address)) - Number(shown.has(b.address)) || b.since - a.since)
    .map(({ address }) => address)
}

/** All pictures of a text that is other. */
export const wantedAnew = (
  addresses: ReadonlySet<string>,
  before: readonly WantedPicture[],
  now: Instant,
): WantedPicture[] =>
  [...addresses].map((address) => {
    const known = before.find((each) => each.address === address)
    return { address, since: now, reason: null, ...known, nextAt: now }
  })

/** Those that are wanted after some were read. One that fails is tried again less and less often, for a week. */
export const stillWanted = (
  wanted: readonly WantedPicture[],
  takings: Takings,
  every: number,
  now: Instant,
): WantedPicture[] =>
  wanted.flatMap((each) => {
    const reason = takings.get(each.address)
    if (reason === undefined || reason === TOO_MANY) return each
    if (typeof reason !== 'string') return []
    const age = now - each.since
    const nextAt = age < TRIED_MS ? now + Math.min(DAY_MS, Math.max(every, age)) : null
    return { ...each, reason, nextAt }
  })

export const warningsOf = (takings: Takings): { message: string }[] =>
  [...takings].flatMap(([address, reason]) =>
    typeof reason === 'string' && reason !== TOO_MANY ? { message: `the picture ${address} ${reason}` } : [],
  )
