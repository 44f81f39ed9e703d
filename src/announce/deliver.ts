import { withPeriod } from '../domain/errors.ts'
import { addressOfHook, type Delivery, hookCommand, needsSecret, rotateCommand } from '../domain/hooks.ts'
import { Notice } from '../domain/notice.ts'
import type { Hook, Instant } from '../domain/records.ts'
import { commandLine } from '../domain/text/shell.ts'
import type { HookState } from '../store/bookkeeping/announced.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'
import { compose } from './compose.ts'
import type { Snapshot } from './content.ts'
import type { Links } from './message.ts'
import { type Reach, type Sent, sendTo } from './send.ts'

export interface Announcing {
  snapshot: Snapshot
  bookkeeping: Bookkeeping
  links: Links
  reach: Reach
  now(): Instant
  report(event: unknown): void
}

/** Tries one delivery that this process has claimed, and writes down what came of it. Throws the reason of `signal`. */
export async function deliver(
  announcing: Announcing,
  delivery: Delivery,
  state: HookState,
  signal: AbortSignal,
): Promise<'done' | 'dropped' | 'failed'> {
  const { snapshot, bookkeeping, now, reach } = announcing
  const { deliveries, hookSecrets } = bookkeeping
  const { id, hookId } = delivery
  const told = await deliveries.told(hookId, delivery.productId)
  const found = await snapshot(async (records) => {
    const hook = await records.hooks.find(hookId)
    return hook?.status === 'active'
      ? { hook, composed: await compose(records, hook, delivery, told, announcing.links) }
      : null
  })
  // Disabled or removed a moment ago: the next comparison sees that.
  if (!found) {
    await deliveries.release(id)
    return 'failed'
  }
  const { hook, composed } = found
  const isUntold = delivery.type === 'version.withdrawn' && (await deliveries.isUntold(delivery))
  if (composed === null || isUntold) {
    await deliveries.settle(id, { ...delivery, state: 'dropped' })
    return 'dropped'
  }
  const { body, news } = composed
  const secrets = await hookSecrets.list(hookId, now())
  const start = now()
  await deliveries.begin(id, start, hook.kind === 'webhook' ? body : null)
  const sent =
    needsSecret(hook) && secrets.length === 0
      ? NO_SECRET
      : await sendTo(hook, secrets, { id, body }, start, reach, signal)
  const last = { at: start, tookMs: Math.max(0, now() - start), status: sent.status, answer: sent.answer }
  const tries = delivery.tries + 1
  if (sent.status !== null && sent.status >= 200 && sent.status < 300) {
    // First, so that a process killed in between repeats nothing.
    if (news.length > 0) await deliveries.noteTold(news, start)
    await deliveries.settle(id, { state: 'done', tries, nextAt: start, last })
    if (state.failingSince !== null) await isBack(announcing, hook, state)
    return 'done'
  }
  const isOver = sent.status === GONE || sent === NO_SECRET
  const nextAt = isOver || sent.isFinal ? null : retryAt(tries, now(), sent.notBefore)
  // First, so that a killed process does not leave a hook that is tried for ever.
  if (nextAt === null) await giveUp(announcing, hook, delivery, state, sent)
  else await isFailing(announcing, hook, state, sent)
  await deliveries.settle(id, {
    state: nextAt === null ? 'failed' : 'waiting',
    tries,
    nextAt: nextAt ?? start,
    last,
  })
  return 'failed'
}

const GONE = 410
const NO_SECRET: Sent = { status: null, answer: 'The hook has no secret.', notBefore: null }

export const reasonOf = ({ status, answer }: Pick<Sent, 'status' | 'answer'>): string =>
  status === null ? answer : `It returned ${status}${answer === '' ? '' : `: ${answer}`}`

async function isBack({ bookkeeping, report }: Announcing, hook: Hook, state: HookState): Promise<void> {
  state.failingSince = null
  await bookkeeping.announced.setFailing(hook.id, null, null)
  report(new Notice('hook_back', `Hook ${addressOfHook(hook)} works again.`))
}

async function isFailing(
  { bookkeeping, report, now }: Announcing,
  hook: Hook,
  state: HookState,
  sent: Sent,
): Promise<void> {
  const isKnown = state.failingSince !== null
  const reason = reasonOf(sent)
  if (isKnown && state.reason === reason) return
  state.failingSince ??= now()
  state.reason = reason
  await bookkeeping.announced.setFailing(hook.id, state.failingSince, reason)
  if (isKnown) return
  const what = `Hook ${addressOfHook(hook)} failed. The worker will retry. ${withPeriod(reason)}`
  report(new Notice('hook_failing', what, 'warning'))
}

/** Logs an error even if the hook is known to fail: no other try will tell of this delivery. */
async function giveUp(
  { bookkeeping, report, now }: Announcing,
  hook: Hook,
  { label }: Delivery,
  state: HookState,
  sent: Sent,
): Promise<void> {
  const name = addressOfHook(hook)
  if (sent.isFinal) {
    // The server works, and other messages may be taken.
    state.failingSince = null
    await bookkeeping.announced.setFailing(hook.id, null, null)
    const replay = commandLine(hookCommand('replay', hook, { failed: true }))
    const what = `Hook ${name} gave up ${label}. ${withPeriod(reasonOf(sent))} To send it again: ${replay}`
    return report(new Notice('delivery_given_up', what, 'error'))
  }
  const why = sent.status === GONE ? 'the receiver is gone (410)' : reasonOf(sent)
  await bookkeeping.announced.stop(hook.id, now(), why)
  const command = sent === NO_SECRET ? rotateCommand(hook) : hookCommand('enable', hook)
  const what = `Hook ${name} is disabled: ${label} could not be delivered. ${withPeriod(reasonOf(sent))} To enable it: ${commandLine(command)}`
  report(new Notice('hook_stopped', what, 'error'))
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after a failed try the next one comes. After the last, the hook is disabled: three days and four hours in all. */
export const RETRIES_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** The share that is added at random, so that receivers that failed together are not tried together. */
const JITTER = 0.2

/** The most that a receiver may put off the next try by Retry-After. */
const MOST_MS = 24 * HOUR

/** When to try again after `tries` failed ones; null if that was the last. `notBefore` is the receiver's wish. */
export function retryAt(
  tries: number,
  now: Instant,
  notBefore: Instant | null,
  random = Math.random,
): Instant | null {
  const delay = RETRIES_MS[tries - 1]
  if (delay === undefined) return null
  const at = now + Math.round(delay * (1 + random() * JITTER))
  return notBefore === null ? at : Math.max(at, Math.min(notBefore, now + MOST_MS))
}
