import { version as program } from '../../package.json'
import type { Hearer } from '../announce/choose.ts'
import { mailOf } from '../announce/compose.ts'
import { observe } from '../announce/observe.ts'
import { sendTo } from '../announce/send.ts'
import { linksOf, reachOf } from '../announce/setup.ts'
import { MAILTO, mailUrlOf } from '../domain/addresses/mail-address.ts'
import { kindName } from '../domain/hook-kinds.ts'
import { shownUrl } from '../domain/hooks.ts'
import { newId } from '../domain/id.ts'
import { said } from '../domain/reasons.ts'
import type { Hook, Instant } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { html, type Markup } from '../notes/html/markup.ts'
import type { Records } from '../store/records/records.ts'
import type { PublicVersion } from '../store/records/types.ts'
import { findVersion } from '../transfer/find.ts'
import { fillText } from '../words/languages.ts'
import { hidden, tokenField } from './layout.ts'
import { moment } from './moments.ts'
import { htmlResponse } from './respond.ts'
import { type Desk, type Named, type Sent, type Visit, versionHref } from './visit.ts'

/** The rows of a form that chooses who hears of a release. The chosen ones have a tick. */
export function hearerRows(visit: Visit, names: Named, hearers: readonly Hearer[]): Markup {
  const { desk, form, writer } = visit
  const { words } = desk
  const isChosen = ({ hook, isQuiet, told }: Hearer) =>
    form?.has(SHOWN) ? form.has(fieldOf(hook)) : !isQuiet && told === null
  const testTo = mailUrlOf(writer.name ?? '') === null ? '' : (writer.name ?? '')
  return html`${hidden(SHOWN, hearers.map(({ hook }) => hook.id).join(' '))}<ul class="told">
${hearers.map((hearer) => {
  const { hook, told } = hearer
  const preview = versionHref(desk, names, names.version, 'mail')
  return html`<li><label><input type="checkbox" name="${fieldOf(hook)}"${isChosen(hearer) ? html` checked` : null}><span><b><bdi>${hook.name}</bdi>, ${kindName(hook.kind)}</b><small><bdi>${shownUrl(hook.url) ?? ''}</bdi></small>${
    told &&
    html`<small>${fillText(words.telling.before, { time: told.at === null ? '' : moment(desk, told.at) })}</small>`
  }</span></label>${
    hook.kind === 'mail'
      ? html`<span class="do">${
          desk.config.smtpUrl && desk.config.publicUrl
            ? html`<input class="input" type="email" name="to-${hook.id}" value="${form?.text(`to-${hook.id}`) || testTo}" aria-label="${words.telling.testTo}" placeholder="${words.telling.testTo}"><button type="submit" class="link" name="test" value="${hook.id}" formnovalidate>${words.telling.test}</button>`
            : null
        }</span><details class="frame"><summary>${words.edit.preview}</summary><iframe src="${preview}?hook=${hook.id}" title="${words.edit.preview}" loading="lazy"></iframe></details>`
      : null
  }</li>
`
})}</ul>
<p class="quiet">${words.telling.follow}</p>`
}

/** The ids of the hooks that a form shows: one that was added meanwhile hears of it as usual. */
const SHOWN = 'told'
const fieldOf = ({ id }: Hook): string => `tell-${id}`

/** The hooks that the page showed, and which of them are ticked; null for a form without them. */
export function chosenHearers(
  { form }: Sent,
  hearers: readonly Hearer[],
): { shown: Hearer[]; isChosen: (hook: Hook) => boolean } | null {
  if (!form.has(SHOWN)) return null
  const ids = new Set(form.text(SHOWN).split(' '))
  return {
    shown: hearers.filter(({ hook }) => ids.has(hook.id)),
    isChosen: (hook) => form.has(fieldOf(hook)),
  }
}

/** Queues messages at once, so that the page can say when they go out. */
export async function queue(desk: Desk): Promise<void> {
  await observe(desk.read, desk.bookkeeping, desk.now()).catch(desk.report)
}

/** A version, and the hooks of its team. */
export async function withHooks(records: Records, { version: named, ...name }: Named) {
  const found = await findVersion(records, name, named)
  return { ...found, hooks: await records.hooks.list(found.product.team) }
}

interface Asked {
  hook: Hook
  found: PublicVersion
}

async function asked(records: Records, names: Named, hookId: string, now: Instant): Promise<Asked> {
  const { product, version, hooks } = await withHooks(records, names)
  const hook = hooks.find((each) => each.id === hookId && each.kind === 'mail')
  if (!hook) throw new Refusal('There is no such hook.', { kind: 'not_found' })
  const changes = await records.changes.list(version)
  const publishedAt = version.status === 'published' || version.dated ? version.publishedAt : now
  return { hook, found: { product, version: { ...version, publishedAt, dateKnown: true }, changes } }
}

/** A page that may show pictures and nothing else, in a frame of the desk. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; frame-ancestors 'self'; sandbox allow-popups"

/** The mail as it will be. */
export async function mailPage({ desk, url }: Visit, names: Named): Promise<Response> {
  const { hook, found } = await desk.read((records) =>
    asked(records, names, url.searchParams.get('hook') ?? '', desk.now()),
  )
  const links = linksOf({ ...desk.config, publicUrl: desk.config.publicUrl || 'http://localhost' })
  const response = htmlResponse((await mailOf(hook, found, desk.now(), links)).html)
  response.headers.set('content-security-policy', MAIL_POLICY)
  return response
}

/** Test mails of the last hour, of all who write: so that the desk is no way to mail strangers. */
const tests: Instant[] = []
const HOUR_MS = 3_600_000
const MOST_TESTS = 10

/** Mails a release to one address, marked as a test. Returns the address. */
export async function sendTest({ desk, form }: Sent, names: Named): Promise<string> {
  const { telling } = desk.words
  const hookId = form.text('test')
  const to = mailUrlOf(form.text(`to-${hookId}`).trim())
  if (to === null) throw said(telling.noAddress)
  const now = desk.now()
  const { hook, found } = await desk.read((records) => asked(records, names, hookId, now))
  const mail = await mailOf(hook, found, now, linksOf(desk.config))
  // Nothing is awaited between the two.
  tests.splice(0, tests.findLastIndex((at) => at <= now - HOUR_MS) + 1)
  if (tests.length >= MOST_TESTS)
    throw said(fillText(telling.tooMany, { most: desk.language.number(MOST_TESTS) }))
  tests.push(now)
  const { 'Auto-Submitted': automatic = 'auto-generated' } = mail.headers
  const body = {
    ...mail,
    subject: fillText(telling.testSubject, { subject: mail.subject }),
    headers: { 'Auto-Submitted': automatic },
  }
  const message = { id: newId('msg'), body: JSON.stringify(body) }
  const sent = await sendTo({ kind: 'mail', url: to }, [], message, now, reachOf(desk.config, program))
  const address = to.slice(MAILTO.length)
  if (sent.status === null || sent.status >= 300)
    throw said(fillText(telling.testFailed, { address, answer: sent.answer }))
  return address
}

/** What became of the messages about a release, with what can still be done. Null if there are none. */
export async function deliveryRows(
  visit: Visit,
  names: Named,
  hooks: readonly Hook[],
): Promise<Markup | null> {
  const { desk } = visit
  const { telling } = desk.words
  const byId = new Map(hooks.map((hook) => [hook.id, hook]))
  const deliveries = (await desk.bookkeeping.deliveries.ofVersion(names.version)).flatMap((delivery) => {
    const hook = byId.get(delivery.hookId)
    return hook ? [{ ...delivery, hook }] : []
  })
  if (deliveries.length === 0) return null
  const act = (what: 'dismiss' | 'again', id: string) =>
    html`<button type="submit" class="link" name="${what}" value="${id}">${telling[what]}</button>`
  return html`<form method="post" action="${versionHref(desk, names, names.version, 'publish')}">${tokenField(visit)}<ul class="told">
${deliveries.map(({ id, hook, state, last, nextAt }) => {
  const at = moment(desk, state === 'waiting' ? nextAt : (last?.at ?? nextAt))
  const time =
    state === 'waiting'
      ? html`<time datetime="${new Date(nextAt).toISOString()}" data-until>${at}</time>`
      : at
  return html`<li><span><b><bdi>${hook.name}</bdi>, ${kindName(hook.kind)}</b><small>${desk.words.sending[state]} ${state === 'dropped' || state === 'dismissed' ? null : time}</small>${
    state === 'failed' && last ? html`<small dir="auto">${last.answer}</small>` : null
  }</span><span class="do">${state === 'waiting' ? act('dismiss', id) : act('again', id)}</span></li>
`
})}</ul></form>`
}

/** Sends a message about the release again, or keeps one that waits from being sent. */
export async function changeDelivery({ desk, form }: Sent, names: Named): Promise<void> {
  const { deliveries } = desk.bookkeeping
  const id = form.text('again') || form.text('dismiss')
  const { version, hooks } = await desk.read((records) => withHooks(records, names))
  const found = (await deliveries.ofVersion(version.id)).find((each) => each.id === id)
  const hook = hooks.find((each) => each.id === found?.hookId)
  const changed = !hook
    ? []
    : form.has('again')
      ? await deliveries.again(hook.id, { ids: [id], failed: false }, desk.now())
      : await deliveries.dismiss(hook.id, [id])
  if (changed.length === 0) throw said(desk.words.telling.tooLate)
}
