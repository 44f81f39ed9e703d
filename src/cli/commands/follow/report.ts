import { address, type Instant, type Source } from '../../../domain/records.ts'
import { targetOf } from '../../../domain/source.ts'
import { DAY_MS, formatInstant } from '../../../domain/time/time.ts'
import type { SourceCheck } from '../../../store/bookkeeping/bookkeeping.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Followed } from '../../../store/records/types.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { moment, relative } from '../../terminal/moments.ts'
import { pick } from '../../terminal/record-json.ts'
import type { Fields } from '../../terminal/record-tables.ts'
import { plain, plural } from '../../terminal/text.ts'

/** What is followed, and what the worker knows of it. */
export interface CheckedSource extends Followed {
  /** Null if it was never checked. */
  check: SourceCheck | null
}

/** Adds what the worker has noted. */
export async function withChecks(
  context: Context,
  { db }: Pick<Common, 'db'>,
  followed: readonly Followed[],
): Promise<CheckedSource[]> {
  const bookkeeping =
    followed.length > 0
      ? await openExistingBookkeeping(databaseFrom(context, db), { clock: context.now })
      : null
  try {
    const checks = await bookkeeping?.sourceChecks.all()
    return followed.map((each) => {
      const check = checks?.get(each.source.id)
      return { ...each, check: check?.target === targetOf(each.source) ? check : null }
    })
  } finally {
    bookkeeping?.close()
  }
}

/** Why it is not up to date in one line, with the remedy; null if its last check succeeded. */
export function failureLine({ product, check }: CheckedSource, now: Instant): string | null {
  const why = check?.failure ?? check?.waiting
  if (!check || !why) return null
  const { since, reason, remedy } = why
  const state = check.failure
    ? `fails since ${moment(since, now)}`
    : `waits until ${moment(check.nextAt, now)}`
  return plain([`${address(product)} ${state}: ${reason}`, ...(remedy ? [remedy] : [])].join(' '))
}

export const failureLines = (sources: readonly CheckedSource[], now: Instant): string[] =>
  sources.flatMap((source) => (source.source.paused ? [] : (failureLine(source, now) ?? [])))

export const sourceFields: Fields<CheckedSource> = ({ source, product, check }, { isPage, now }) => {
  const { hostKind, tokenFile } = source
  const optional = (title: string, value: string | null): [string, string] | false =>
    isPage && value !== null && [title, plain(value)]
  return [
    ['product', address(product)],
    ['source', plain(source.url)],
    ['follows', plain(followedText(source))],
    optional('host kind', hostKind),
    optional('token file', tokenFile),
    isPage && source.prune && ['prune', 'yes'],
    ['every', intervalText(source.every)],
    ['checked', check ? relative(check.checkedAt, now) : 'never'],
    ['changed', check?.changedAt ? relative(check.changedAt, now) : '-'],
    ['state', stateOf({ source, product, check })],
  ]
}

/** `docs/CHANGELOG.md at main`, `releases of app@…`; `auto` where nothing is given. */
function followedText({ kind, file, ref, tagDates, tagPrefix }: Source): string {
  const at = ref === null ? '' : ` at ${ref}`
  const of = tagPrefix === null ? '' : ` of ${tagPrefix}…`
  if (kind === 'file') return `${file}${at}${tagDates ? `, dates from tags${of}` : ''}`
  return `${kind}${of}${at}`
}

/** What is followed and where, in a sentence. */
export const sourceText = (source: Source): string => {
  const what = followedText(source)
  return plain(what === 'auto' ? source.url : `${what}, ${source.url}`)
}

function stateOf({ source, check }: CheckedSource): string {
  if (source.paused) return 'paused'
  if (!check) return 'waits for a worker'
  return check.failure ? 'fails' : check.waiting ? 'waits' : 'ok'
}

export const sourceJson = ({ source, product, check }: CheckedSource) => ({
  id: source.id,
  product: address(product),
  ...pick(source, 'url', 'kind', 'hostKind', 'file', 'ref', 'tagDates', 'tagPrefix', 'prune', 'paused'),
  everySeconds: source.every / 1_000,
  tokenFile: source.tokenFile,
  createdAt: formatInstant(source.createdAt),
  checkedAt: check && formatInstant(check.checkedAt),
  changedAt: check?.changedAt ? formatInstant(check.changedAt) : null,
  nextCheckAt: check && formatInstant(check.nextAt),
  failing: check?.failure
    ? {
        since: formatInstant(check.failure.since),
        checks: check.failure.count,
        ...pick(check.failure, 'reason', 'remedy'),
      }
    : null,
  waiting: check?.waiting
    ? {
        since: formatInstant(check.waiting.since),
        until: formatInstant(check.nextAt),
        ...pick(check.waiting, 'reason', 'remedy'),
      }
    : null,
})

/** `15 minutes` */
export function intervalText(ms: number): string {
  if (ms % DAY_MS === 0) return plural(ms / DAY_MS, 'day')
  if (ms % 3_600_000 === 0) return plural(ms / 3_600_000, 'hour')
  return ms % 60_000 === 0 ? plural(ms / 60_000, 'minute') : plural(ms / 1_000, 'second')
}
