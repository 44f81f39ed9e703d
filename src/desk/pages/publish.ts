import type { Acting } from '../../acts/acting.ts'
import { ACTS } from '../../acts/acts.ts'
import { choose, hearersOf, isTold, publishTo, type Choice as TellingChoice } from '../../announce/choose.ts'
import { publicBase, versionPagePath, withoutScheme } from '../../domain/addresses/paths.ts'
import { said } from '../../domain/reasons.ts'

import { type Hook, type Product, UNRELEASED, type Version } from '../../domain/records.ts'

import { isRefusal } from '../../domain/refusal.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { DAY_MS, formatInstant } from '../../domain/time/time.ts'
import { countKinds } from '../../domain/versions/derived.ts'
import { hiddenChangelog } from '../../domain/versions/hidden.ts'

import { nameWith, shownName } from '../../domain/versions/names.ts'

import { html, type Markup } from '../../notes/html/markup.ts'
import { plainText } from '../../notes/html/render.ts'
import { plainName } from '../../notes/markdown.ts'
import { badgesOf, firstWords } from '../../notes/release.ts'
import type { Records } from '../../store/records/records.ts'
import { findVersion } from '../../transfer/find.ts'
import { isSameStamp } from '../../transfer/stamp.ts'
import { fillText } from '../../words/languages.ts'
import { isUnnamed, openedField, openedFrom, openText, stampIn } from '../editing/text.ts'
import { deskPage, hidden, refusal, tokenField, topLine } from '../layout.ts'
import { MACHINE_ZONE, momentIn } from '../moments.ts'
import { performing } from '../perform.ts'
import { seeOther } from '../respond.ts'
import {
  changeDelivery,
  chosenHearers,
  deliveryRows,
  hearerRows,
  queue,
  sendTest,
  withHooks,
} from '../telling.ts'
import {
  type Desk,
  type Named,
  productHref,
  publishedHref,
  type Sent,
  type Visit,
  versionHref,
} from '../visit.ts'
import { differences, knownWriter, writtenBy } from './conflict.ts'
import { refusalLine } from './refused.ts'

interface Choice {
  when: 'now' | 'at'
  day: string
  time: string
  zone: string
}

/** What will happen, and when. */
export const publishPage = (visit: Visit, names: Named): Promise<Response> => shown(visit, names, null, null)

/** Publishes or schedules a version as the page showed it, and tells whom it has ticked. Or what another button of the page does. */
export async function publish(visit: Sent, names: Named): Promise<Response> {
  const { desk, form } = visit
  const { version: id, ...name } = names
  const { words } = desk
  const choice: Choice = {
    when: form.text('when') === 'at' ? 'at' : 'now',
    day: form.text('date'),
    time: form.text('time'),
    zone: form.text('zone'),
  }
  try {
    if (form.has('test')) {
      const to = await sendTest(visit, names)
      return seeOther(`${versionHref(desk, name, id, 'publish')}?tested=${encodeURIComponent(to)}`)
    }
    if (form.has('again') || form.has('dismiss')) {
      await changeDelivery(visit, names)
      return seeOther(versionHref(desk, name, id, 'publish'))
    }
    const seen = { of: name, version: id, stamp: stampIn(form.text('opened')) }
    const at = choice.when === 'at' ? momentIn(choice.day, choice.time, choice.zone) : null
    if (choice.when === 'at' && at === null) throw said(words.publish.noTime)
    const before = async (by: Acting): Promise<void> => {
      const { version } = await findVersion(by.records, name, id)
      if (isUnnamed(version)) throw said(unnamed(words, version))
      if (form.text('who') === 'all') await ACTS.makePublic.run(by, name)
    }
    const write = async (): Promise<unknown> =>
      at === null
        ? performing(visit, ACTS.publish, (run, by) => before(by).then(() => run(seen, 'due')))
        : performing(visit, ACTS.schedule, (run, by) => before(by).then(() => run(seen, at)))
    const chosen = form.text('who') === 'none' ? null : await choiceOf(visit, names)
    await (chosen ? publishTo(desk.bookkeeping, id, chosen, write) : write())
    await queue(desk)
    return seeOther(publishedHref(desk, name, id))
  } catch (error) {
    if (isRefusal(error)) return shown(visit, names, choice, await refusalLine(desk, names, error))
    throw error
  }
}

/** What is seen when a product is made public: of a private team, also its other products. And who hears of it. */
export interface Revealed {
  others: readonly Product[]
  told: ReadonlySet<Hook>
}

/** Null if the product is not hidden, or locked and so not made public. The hooks are those of its team. */
export async function revealedBy(
  records: Records,
  product: Product,
  hooks: readonly Hook[],
): Promise<Revealed | null> {
  const why = hiddenChangelog(product)
  if (why.length === 0 || why.some(({ code }) => code.startsWith('locked'))) return null
  const { id, team } = product
  const all = team.visibility === 'private' ? await records.products.list(team) : []
  const isSeen = (each: Product) => each.status === 'published' && each.changelog.status === 'published'
  const others = all.filter((each) => each.id !== id && isSeen(each))
  const told = new Set<Hook>()
  for (const each of [product, ...others])
    for (const version of await records.versions.heads(each))
      if (storedStatus(version) === 'published')
        for (const hook of hooks) if (isTold(hook, each.id, version)) told.add(hook)
  return { others, told }
}

export const othersLine = ({ words, language }: Desk, { others }: Revealed): Markup | null =>
  others.length > 0
    ? html`<p class="quiet">${fillText(words.publish.alsoPublic, { products: language.list(others.map(({ name }) => name)) })}</p>`
    : null

/** Of longer texts, a form cannot say what they were. */
const LONGEST_SEEN = 500_000

async function shown(
  visit: Visit,
  names: Named,
  chosen: Choice | null,
  message: Markup | null,
): Promise<Response> {
  const { desk, form, url } = visit
  const { words, language, config } = desk
  const { version: id, ...name } = names
  const { product, text, revealed, hooks, counts } = await desk.read(async (records) => {
    const found = await findVersion(records, name, id)
    const text = await openText(records, found.version)
    const hooks = await records.hooks.list(found.product.team)
    const revealed = await revealedBy(records, found.product, hooks)
    const counts = countKinds(text.opened.stored?.changes ?? [], found.version)
    return { revealed, text, product: found.product, counts, hooks }
  })
  const { version } = text
  if (version.status === 'published')
    return form?.has('opened')
      ? seeOther(publishedHref(desk, name, id))
      : toldPage(visit, names, product, version, hooks, message)
  const opened = form?.text('opened') ?? ''
  const seen =
    form?.has('seen') && !isSameStamp(stampIn(opened), text.opened.stamp)
      ? openedFrom(opened, form.text('seen'))
      : null
  const choice = chosen ?? firstChoice(version, desk.now())
  const edit = versionHref(desk, name, id)
  const { title } = shownName(version)
  const { name: named } = nameWith(product.name, version, language.day(version.publishedAt), plainText)
  const path = versionPagePath(product.team.slug, product.slug, version)
  const page = withoutScheme(publicBase(config) + path)
  const isHidden = hiddenChangelog(product).length > 0
  // Other products that become visible with it are a reason to ask.
  const isForAll = form?.has('who') ? form.text('who') === 'all' : revealed?.others.length === 0
  const hearing = await hearersOf(desk.bookkeeping, hooks, product.id, version)
  const others = revealed
    ? [...revealed.told].filter((hook) => !hearing.some((each) => each.hook === hook))
    : []
  const beginning = firstWords({ label: version.label, description: text.text, closing: null })
  const { telling } = words
  const writer = await knownWriter(desk, text)
  const tested = form ? null : url.searchParams.get('tested')
  return deskPage(desk, {
    title: fillText(words.publish.title, { name: named }),
    form: seen ? 'two' : 'one',
    status: seen ? 409 : message === null ? 200 : 422,
    body: html`<header>
${topLine(visit, { name: product.name, href: productHref(desk, name) }, { name: plainName(version), href: edit })}<h1>${telling.publish}</h1>
</header>
<main>
${refusal(isUnnamed(version) ? html`${unnamed(words, version)}` : message)}${tested === null ? null : html`<p class="notice published" role="status">${fillText(telling.tested, { address: tested })}</p>`}${
  seen &&
  html`<div class="diff">
<div class="pair"><header><h2>${words.publish.seen}</h2></header><header><h2>${words.publish.present} <small dir="auto">${await writtenBy(desk, text)}</small></h2></header></div>
${differences(desk, seen, text)}</div>
`
}${text.text === '' ? html`<p class="notice warning">${words.publish.noText}</p>\n` : null}<form class="one" method="post" action="${versionHref(desk, name, id, 'publish')}" enctype="multipart/form-data">
${tokenField(visit)}${hidden('opened', openedField(text))}${
  text.text.length > LONGEST_SEEN
    ? null
    : html`<textarea name="seen" hidden>
${text.text}</textarea>
`
}<section class="out"><div><b dir="auto">${title === null ? plainName(version) : plainText(title)}</b>${beginning && html`<p dir="auto">${beginning}</p>`}<span class="quiet">${badgesOf(
      counts,
    ).map(
      (mark) =>
        html`<span class="badge ${mark}">${counts.get(mark) ? `${language.number(counts.get(mark) ?? 0)} ` : ''}${language.words.kinds[mark]}</span> `,
    )}<span dir="auto">${writer}</span></span></div></section>
${
  isHidden && !revealed
    ? html`<p class="notice warning">${words.home.locked}</p>`
    : html`<fieldset class="ask"><legend>${telling.who}</legend>${
        revealed
          ? html`<div class="choice half">
<label><input type="radio" name="who" value="all"${isForAll ? html` checked` : null}><span><b>${telling.all}</b><small>${config.pages === 'off' ? words.publish.noPages : html`<bdi>${page}</bdi>`}</small><small>${fillText(words.publish.makePublic, { team: product.team.name, product: product.name })}.</small>${othersLine(desk, revealed)}${
              others.length > 0
                ? html`<small>${fillText(words.publish.tells, { hooks: language.list(others.map((hook) => hook.name)) })}</small>`
                : null
            }</span></label>
<label><input type="radio" name="who" value="none" id="nobody"${isForAll ? null : html` checked`}><span><b>${telling.none}</b><small>${fillText(telling.stays, { product: product.name })}</small></span></label>
</div>`
          : html`<p class="quiet">${telling.all}: ${config.pages === 'off' ? words.publish.noPages : html`<bdi>${page}</bdi>`}</p>`
      }</fieldset>`
}
<fieldset class="ask"><legend>${words.publish.when}</legend><div class="choice">
<label><input type="radio" name="when" value="now"${choice.when === 'now' ? html` checked` : null}><span><b>${words.publish.now}</b></span></label>
<div class="option"><input type="radio" name="when" value="at" id="at"${choice.when === 'at' ? html` checked` : null}><label for="at"><b>${words.publish.at}</b></label>
<div class="range"><input class="input" type="date" name="date" value="${choice.day}" aria-label="${words.edit.date}"> <input class="input" type="time" name="time" value="${choice.time}" aria-label="${words.publish.time}"> <select class="input" name="zone" aria-label="${words.publish.zone}" data-zones="${words.publish.both}"${chosen ? html` data-chosen` : null}${version.scheduled ? html` data-at="${formatInstant(version.publishedAt)}"` : null}>${zones(choice.zone)}</select> <span class="quiet" data-in></span></div></div>
</div></fieldset>
${isHidden && !revealed ? null : html`<fieldset class="ask if-all"><legend>${telling.told}</legend>${hearing.length === 0 ? html`<p class="quiet">${words.publish.nobody}. ${telling.follow}</p>` : hearerRows(visit, names, hearing)}</fieldset>`}
<p class="quiet if-none">${telling.untold}</p>
<p class="act"><button type="submit" class="button main"${isUnnamed(version) ? html` disabled` : null}><span class="if-all"><span class="if-now" data-told="${telling.publishTo}">${telling.publishAll}</span><span class="if-at" data-told="${telling.scheduleTo}">${telling.scheduleAll}</span></span><span class="if-none"><span class="if-now">${telling.publishHidden}</span><span class="if-at">${telling.scheduleHidden}</span></span></button> <a class="button plainest" href="${edit}">${words.publish.keepEditing}</a>${hearing.length > 0 ? html` <span class="quiet if-all">${words.publish.undoable}</span>` : null}</p>
</form>
</main>`,
  })
}

/** Of a public release: who was told, and is to be. */
async function toldPage(
  visit: Visit,
  names: Named,
  product: Product,
  version: Version,
  hooks: readonly Hook[],
  message: Markup | null,
): Promise<Response> {
  const { desk } = visit
  const { words } = desk
  const { title } = shownName(version)
  const name = title === null ? plainName(version) : plainText(title)
  return deskPage(desk, {
    title: fillText(words.telling.messages, { name }),
    form: 'one',
    status: message === null ? 200 : 422,
    body: html`<header>
${topLine(visit, { name: product.name, href: productHref(desk, names) }, { name, href: versionHref(desk, names, version.id) })}<h1 dir="auto">${fillText(words.telling.messages, { name })}</h1>
</header>
<main>${refusal(message)}${(await deliveryRows(visit, names, hooks)) ?? html`<p class="empty">${words.publish.nobody}</p>`}</main>`,
  })
}

/** Whom the form has ticked; null if it shows nobody. */
async function choiceOf(visit: Sent, names: Named): Promise<TellingChoice | null> {
  const { desk } = visit
  const { product, version, hooks } = await desk.read((records) => withHooks(records, names))
  const chosen = chosenHearers(visit, await hearersOf(desk.bookkeeping, hooks, product.id, version))
  return chosen && choose(chosen.shown, chosen.isChosen)
}

const unnamed = ({ publish }: Desk['words'], { label }: Version): string =>
  label === UNRELEASED ? publish.unnamed : publish.untitled

/** A date that is to come is a time to publish at. */
function firstChoice(version: Version, now: number): Choice {
  const isLater = (version.dated || version.scheduled) && version.publishedAt > now
  const at = isLater ? version.publishedAt : now + DAY_MS
  const isDay = !version.scheduled && at % DAY_MS === 0
  const local = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    when: isLater ? 'at' : 'now',
    day: isDay
      ? formatInstant(at).slice(0, 10)
      : `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`,
    time: version.scheduled ? `${two(local.getHours())}:${two(local.getMinutes())}` : '09:00',
    zone: MACHINE_ZONE,
  }
}

/** The machine's and UTC; a script adds the browser's. */
const zones = (chosen: string): Markup[] =>
  [...new Set([MACHINE_ZONE, 'UTC', chosen])]
    .filter(Boolean)
    .map(
      (zone) =>
        html`<option value="${zone}"${zone === chosen ? html` selected` : null}>${zone.replaceAll('_', ' ')}</option>`,
    )
