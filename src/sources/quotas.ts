import type { Instant } from '../domain/records.ts'
import { isDue } from '../domain/time/due.ts'
import { DAY_MS } from '../domain/time/time.ts'
import { Postponed } from './errors.ts'

const HOUR_MS = 3_600_000
/** How much of a quota is used: others may share the address of this machine. */
const SHARE = 0.8
/** The pause that a host gets which does not say how long it wants one, and the longest that it may ask for. */
const PAUSE_MS = 60_000

interface Quota {
  blockedUntil: Instant
  /** Requests an hour, if every request counts; otherwise null. */
  hourly: number | null
  /** How many requests the last check of each source took, and when that was. */
  asked: Map<string, { requests: number; at: Instant }>
}

/**
 * What hosts have said about how often they may be asked: one for all sources of a process, which share it. A token has
 * a quota of its own.
 */
export class Quotas {
  private readonly quotas = new Map<string, Quota>()

  /** A check of a source begins. */
  begin(source: string, now: Instant): void {
    for (const { asked } of this.quotas.values()) {
      asked.delete(source)
      for (const [other, { at }] of asked) if (at < now - 2 * DAY_MS) asked.delete(other)
    }
  }

  /** Counts a request that is about to be sent. Throws `Postponed` if the host has asked for a pause. */
  spend(origin: string, token: string | null, source: string, now: Instant): void {
    const quota = this.of(origin, token)
    if (!isDue(quota.blockedUntil, now, DAY_MS)) throw usedUp(origin, token, quota.blockedUntil)
    const { requests } = quota.asked.get(source) ?? { requests: 0 }
    quota.asked.set(source, { requests: requests + 1, at: now })
  }

  /** Learns from an answer. Throws `Postponed` if it is a refusal for being asked too often. */
  learn(
    origin: string,
    token: string | null,
    answer: Pick<Response, 'status' | 'headers'>,
    now: Instant,
  ): void {
    const { status, headers } = answer
    const quota = this.of(origin, token)
    const isSpent = number(headers, 'x-ratelimit-remaining', 'ratelimit-remaining') === 0
    const after = retryAfter(headers, now)
    const isRefused =
      status === 429 || (status === 403 && (isSpent || after !== null)) || (status === 503 && after !== null)
    // Only GitHub has such a quota, of which answers without news are a part unless there is a token.
    if (token === null && headers.has('x-github-request-id'))
      quota.hourly = number(headers, 'x-ratelimit-limit')
    if (!isRefused && !isSpent) return
    const until = after ?? (isSpent ? reset(headers, now) : null) ?? now + PAUSE_MS
    quota.blockedUntil = Math.min(Math.max(until, now + 1_000), now + DAY_MS)
    if (isRefused) throw usedUp(origin, token, quota.blockedUntil)
  }

  /** Notes a pause that a host has asked another process for. */
  pause(origin: string, token: string | null, until: Instant): void {
    const quota = this.of(origin, token)
    quota.blockedUntil = Math.max(quota.blockedUntil, until)
  }

  /** The earliest time of the next check of a source if all that share its quota are to get their turn, or null. A day at most. */
  notBefore(source: string, now: Instant): Instant | null {
    let wait = 0
    for (const { hourly, asked } of this.quotas.values()) {
      if (hourly === null || !asked.has(source)) continue
      const requests = [...asked.values()].reduce((sum, one) => sum + one.requests, 0)
      wait = Math.max(wait, (requests * HOUR_MS) / (hourly * SHARE))
    }
    return wait === 0 ? null : now + Math.min(DAY_MS, Math.ceil(wait))
  }

  private of(origin: string, token: string | null): Quota {
    const key = `${origin} ${token ?? ''}`
    const known = this.quotas.get(key)
    if (known) return known
    const quota: Quota = { blockedUntil: 0, hourly: null, asked: new Map() }
    this.quotas.set(key, quota)
    return quota
  }
}

function usedUp(origin: string, token: string | null, until: Instant): Postponed {
  const { host } = new URL(origin)
  return new Postponed(
    `${host} wants no more requests for now.`,
    until,
    token === null ? 'A token allows more requests: see docs/following.md.' : null,
    origin,
    token !== null,
  )
}

function number(headers: Headers, ...names: string[]): number | null {
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null && /^\d+$/.test(value.trim())) return Number(value)
  }
  return null
}

/** Seconds, or a date. */
function retryAfter(headers: Headers, now: Instant): Instant | null {
  const seconds = number(headers, 'retry-after')
  if (seconds !== null) return now + seconds * 1_000
  const date = Date.parse(headers.get('retry-after') ?? '')
  return Number.isNaN(date) ? null : date
}

/** A time in seconds since 1970, or, as others send it, seconds from now. */
function reset(headers: Headers, now: Instant): Instant | null {
  const value = number(headers, 'x-ratelimit-reset', 'ratelimit-reset')
  if (value === null) return null
  return value > 1_000_000_000 ? value * 1_000 : now + value * 1_000
}
