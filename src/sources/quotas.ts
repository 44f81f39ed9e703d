import type { Instant, Source } from '../domain/records.ts'
import { DAY_MS } from '../domain/time/time.ts'
import { isDue, retryAfter } from '../domain/time/waiting.ts'

/** The pause that a host gets which does not say how long it wants one. */
const PAUSE_MS = 60_000

/** A token has a quota of its own, which is called after where the token is: that may be known. */
export const quotaOf = (
  origin: string,
  token: string | null,
  { tokenFile }: Pick<Source, 'tokenFile'>,
): string => (token === null ? origin : `${origin} ${tokenFile ?? 'token'}`)

/** Notes until when hosts want no requests. All sources of a process share one. */
export class Quotas {
  private readonly pauses = new Map<string, Instant>()

  /** Throws `Postponed` if the host has asked for a pause. */
  refuse(quota: string, now: Instant): void {
    const until = this.pauses.get(quota) ?? 0
    if (!isDue(until, now, DAY_MS)) throw new Postponed(quota, until)
  }

  /** Learns from an answer. Throws `Postponed` if it is a refusal for being asked too often. */
  learn(quota: string, { status, headers }: Pick<Response, 'status' | 'headers'>, now: Instant): void {
    const isSpent = number(headers, 'x-ratelimit-remaining', 'ratelimit-remaining') === 0
    const after = retryAfter(headers, now)
    const isRefused =
      status === 429 || (status === 403 && (isSpent || after !== null)) || (status === 503 && after !== null)
    if (!isRefused && !isSpent) return
    const until = after ?? (isSpent ? reset(headers, now) : null) ?? now + PAUSE_MS
    this.pauses.set(quota, Math.min(Math.max(until, now + 1_000), now + DAY_MS))
    if (isRefused) this.refuse(quota, now)
  }

  /** Notes a pause that a host has asked another process for. */
  pause(quota: string, until: Instant): void {
    this.pauses.set(quota, Math.max(this.pauses.get(quota) ?? 0, until))
  }
}

/** The requests of a host that pictures leave to releases. */
const SPARED = 20

/** True if a host allows only few more requests for now. */
export const isScarce = ({ headers }: Pick<Response, 'headers'>): boolean =>
  (number(headers, 'x-ratelimit-remaining', 'ratelimit-remaining') ?? SPARED) < SPARED

function number(headers: Headers, ...names: string[]): number | null {
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null && /^\d+$/.test(value.trim())) return Number(value)
  }
  return null
}

/** A time in seconds since 1970, or, as others send it, seconds from now. */
function reset(headers: Headers, now: Instant): Instant | null {
  const value = number(headers, 'x-ratelimit-reset', 'ratelimit-reset')
  if (value === null) return null
  return value > 1_000_000_000 ? value * 1_000 : now + value * 1_000
}

/** The host wants to be left alone until a time. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
  readonly remedy: string | null

  constructor(
    readonly quota: string,
    readonly until: Instant,
  ) {
    const [origin = '', token] = quota.split(' ')
    super(`The rate limit of ${new URL(origin).host} is reached.`)
    this.remedy =
      token === undefined
        ? 'A token allows more requests: set GITHUB_TOKEN, GITLAB_TOKEN or FORGEJO_TOKEN, or use --token-file.'
        : null
  }
}
