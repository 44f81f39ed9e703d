import { pick } from '../../../domain/objects.ts'
import { address, type Instant, type Product, type Source } from '../../../domain/records.ts'
import { hintText } from '../../../domain/refusal.ts'
import { targetOf } from '../../../domain/sources.ts'
import { plural } from '../../../domain/text/plural.ts'
import { DAY_MS, formatInstant } from '../../../domain/time/time.ts'
import { recalled } from '../../../sources/check-context.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { SourceCheck, Trouble } from '../../../store/bookkeeping/source-checks.ts'
import type { Followed } from '../../../store/records/types.ts'
import { isMisdated, noticesOf } from '../../../worker/following/sync-source.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { timeOrNull } from '../../terminal/json.ts'
import { event, moment } from '../../terminal/moments.ts'
import type { Fields } from '../../terminal/records.ts'
import { plain } from '../../terminal/text.ts'

export interface CheckedSource extends Followed {
  /** Null if it was never checked. */
  check: SourceCheck | null
  isLate?: boolean
  /** True if the next check is noted for a time further ahead than the interval: the source is due now. */
  isMisdated?: boolean
}

/** How long a worker may be busy with other sources. */
const LATE_MS = 10 * 60_000

/** Adds what the worker has noted. */
export async function withChecks(context: Context, { db }: Common, followed: readonly Followed[]) {
  if (followed.length === 0) return []
  using bookkeeping = await openExistingBookkeeping(databaseFrom(context, db), { clock: context.now })
  const checks = await bookkeeping?.sourceChecks.all()
  return followed.map((each): CheckedSource => {
    const now = context.now()
    const check = checks?.get(each.source.id)
    if (check?.target !== targetOf(each.source)) return { ...each, check: null }
    // A pause ends on time, even if no worker is there to check the source.
    const late = now - check.nextAt
    const isLate = late > (check.waiting ? 0 : LATE_MS)
    // The check of a source that fails has the reason of that; its memory has the one of a pause.
    const { until, why } = recalled(check.memory).pause ?? {}
    const paused = until === check.nextAt && why ? { since: check.checkedAt, ...why } : null
    const waiting = late > 0 ? null : (check.waiting ?? paused)
    return { ...each, check: { ...check, waiting }, isLate, isMisdated: isMisdated(each.source, check, now) }
  })
}

/** Why sources are not up to date, and other remarks: a line for each, with the remedy. */
export const sourceLines = (sources: readonly CheckedSource[], now: Instant): string[] =>
  sources.flatMap((each) => {
    const { source, product, check } = each
    if (source.paused || !check) return []
    const notices = noticesOf(each, check.memory).map(({ reason, hint }) => `: ${reason} ${hintText(hint)}`)
    return [...stateLine(each, check, now), ...notices].map((text) => plain(address(product) + text))
  })

function stateLine({ isLate, isMisdated }: CheckedSource, check: SourceCheck, now: Instant): string[] {
  if (isMisdated) return [` ${misdatedText(check, now)}. ${MISDATED_REMEDY}`]
  const { failure, waiting, nextAt } = check
  if (!failure && !waiting && isLate) return [` has been due since ${moment(nextAt, now)}. ${NOT_CHECKED}`]
  const why = ({ reason, remedy }: Trouble) => [reason, remedy ?? ''].join(' ').trimEnd()
  return [
    ...(waiting ? [` is waiting until ${moment(nextAt, now)}: ${why(waiting)}`] : []),
    ...(failure ? [` has been failing since ${moment(failure.since, now)}: ${why(failure)}`] : []),
  ]
}

const NOT_CHECKED = 'If a worker is running, check its log. To start one: changelogd serve --worker'

export const misdatedText = ({ nextAt }: SourceCheck, now: Instant): string =>
  `is due, but was scheduled for ${moment(nextAt, now)}: the clock was wrong, or the interval longer`
export const MISDATED_REMEDY = 'Check the clock, and run a worker: changelogd serve --worker'

export const sourceFields: Fields<CheckedSource> = (checked, { isPage, now }) => {
  const { source, product, check } = checked
  const { hostKind, tokenFile } = source
  const optional = (title: string, value: string | null): [string, string] | false =>
    isPage && value !== null && [title, plain(value)]
  return [
    ['product', address(product)],
    ['source', plain(source.url)],
    ['follows', plain(followedText(source))],
    optional('host kind', hostKind),
    optional('token file', tokenFile),
    isPage && source.stable && ['stable only', 'yes'],
    isPage && !source.pictures && ['pictures', 'no'],
    isPage && source.prune && ['prune', 'yes'],
    ['every', intervalText(source.every)],
    ['checked', check ? event(check.checkedAt, now) : 'never'],
    ['changed', check?.changedAt ? event(check.changedAt, now) : '-'],
    ['state', stateOf(checked)],
  ]
}

/** `docs/CHANGELOG.md at main`, `releases of app@…`; `auto` where nothing is given. */
function followedText({ kind, file, ref, tagDates, tagPrefix }: Source): string {
  const at = ref === null ? '' : ` at ${ref}`
  const of = tagPrefix === null ? '' : ` of ${tagPrefix}…`
  if (kind === 'file') return `${file}${at}${tagDates ? `, dates from tags${of}` : ''}`
  return `${kind}${of}${at}`
}

/** Names the new source of a product, and the one `before`. */
export function followText(product: Product, source: Source, before: Source | null): string {
  const [now, former] = [sourceText(source), before && sourceText(before)]
  const isOther = former !== null && former !== now
  const target = isOther ? `now follows ${now} instead of ${former}` : `follows ${now}`
  const resumed = before?.paused ? ' It is no longer paused.' : ''
  return `${address(product)} ${target}.${resumed} Checked every ${intervalText(source.every)}.`
}

/** The followed releases, tags or file and their address, for a sentence. */
const sourceText = (source: Source): string => {
  const what = followedText(source)
  if (what === 'auto') return plain(source.url)
  return plain(source.kind === 'file' ? `${what} in ${source.url}` : `the ${what} in ${source.url}`)
}

function stateOf({ source, check, isLate, isMisdated }: CheckedSource): string {
  if (source.paused) return 'paused'
  if (!check || isMisdated) return 'needs a worker'
  return check.waiting ? 'waiting' : check.failure ? 'failing' : isLate ? 'due' : 'ok'
}

export const sourceJson = ({ source, product, check, isMisdated }: CheckedSource) => ({
  id: source.id,
  product: address(product),
  ...pick(source, 'url', 'kind', 'hostKind', 'file', 'ref', 'tagDates', 'tagPrefix'),
  ...pick(source, 'stable', 'pictures', 'prune', 'paused'),
  everySeconds: source.every / 1_000,
  tokenFile: source.tokenFile,
  createdAt: formatInstant(source.createdAt),
  checkedAt: timeOrNull(check?.checkedAt),
  changedAt: timeOrNull(check?.changedAt),
  nextCheckAt: isMisdated ? null : timeOrNull(check?.nextAt),
  failing: check?.failure ? whyJson(check.failure, { checks: check.failure.count }) : null,
  waiting: check?.waiting ? whyJson(check.waiting, { until: formatInstant(check.nextAt) }) : null,
  notices: (check ? noticesOf({ source, product }, check.memory) : []).map(({ reason, hint }) => ({
    reason,
    remedy: hintText(hint),
  })),
})

const whyJson = <More>({ since, reason, remedy }: Trouble, more: More) => ({
  since: formatInstant(since),
  ...more,
  reason,
  remedy,
})

/** `15 minutes` */
export function intervalText(ms: number): string {
  if (ms % DAY_MS === 0) return plural(ms / DAY_MS, 'day')
  if (ms % 3_600_000 === 0) return plural(ms / 3_600_000, 'hour')
  return ms % 60_000 === 0 ? plural(ms / 60_000, 'minute') : plural(ms / 1_000, 'second')
}
