import type { Acting } from '../../acts/acting.ts'
import { ACTS } from '../../acts/acts.ts'
import { isTold } from '../../announce/choose.ts'
import { FEEDS, publicBase, versionPagePath, withoutScheme } from '../../domain/addresses/paths.ts'
import { kindName } from '../../domain/hook-kinds.ts'
import { said } from '../../domain/reasons.ts'
import type { Hook, Product, Version } from '../../domain/records.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { DAY_MS, formatInstant } from '../../domain/time/time.ts'
import { countKinds } from '../../domain/versions/derived.ts'
import { hiddenChangelog } from '../../domain/versions/hidden.ts'
import { titleBeside } from '../../domain/versions/names.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { plainText } from '../../notes/html/render.ts'
import { badgesOf } from '../../notes/release.ts'
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
  type Desk,
  type Named,
  productHref,
  publishedHref,
  type Sent,
  type Visit,
  versionHref,
} from '../visit.ts'
import { differences, writtenBy } from './conflict.ts'
import { refusalLine } from './refused.ts'

interface Choice {
  when: 'now' | 'at'
  day: string
  time: string
  zone: string
}

/** What will happen, and when. */
export const publishPage = (visit: Visit, names: Named): Promise<Response> => shown(visit, names, null, null)

/** Publishes or schedules a version as the page showed it. */
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
    const seen = { of: name, version: id, stamp: stampIn(form.text('opened')) }
    const at = choice.when === 'at' ? momentIn(choice.day, choice.time, choice.zone) : null
    if (choice.when === 'at' && at === null) throw said(words.publish.noTime)
    const before = async (by: Acting): Promise<void> => {
      const { version } = await findVersion(by.records, name, id)
      if (isUnnamed(version)) throw said(words.publish.unnamed)
      if (form.has('public')) await ACTS.makePublic.run(by, name)
    }
    if (at === null)
      await performing(visit, ACTS.publish, (run, by) => before(by).then(() => run(seen, 'due')))
    else await performing(visit, ACTS.schedule, (run, by) => before(by).then(() => run(seen, at)))
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
  const { desk, form } = visit
  const { words, language, config } = desk
  const { version: id, ...name } = names
  const { product, text, revealed, hooks, counts } = await desk.read(async (records) => {
    const found = await findVersion(records, name, id)
    const text = await openText(records, found.version)
    const hooks = await records.hooks.list(found.product.team)
    const revealed = await revealedBy(records, found.product, hooks)
    return {
      revealed,
      text,
      product: found.product,
      counts: countKinds(text.opened.stored?.changes ?? [], found.version),
      hooks: hooks.filter(
        (hook) => isTold(hook, found.product.id, found.version) || revealed?.told.has(hook),
      ),
    }
  })
  const { version } = text
  if (version.status === 'published')
    return seeOther(form ? publishedHref(desk, name, id) : versionHref(desk, name, id))
  const opened = form?.text('opened') ?? ''
  const seen =
    form?.has('seen') && !isSameStamp(stampIn(opened), text.opened.stamp)
      ? openedFrom(opened, form.text('seen'))
      : null
  const choice = chosen ?? firstChoice(version, desk.now())
  const edit = versionHref(desk, name, id)
  const title = titleBeside(version)
  const path = versionPagePath(product.team.slug, product.slug, version)
  const page = withoutScheme(publicBase(config) + path)
  const buttons = { at: words.publish.schedule, now: words.publish.publish }
  return deskPage(desk, {
    title: fillText(words.publish.title, { name: `${product.name} ${version.label}` }),
    form: seen ? 'two' : 'one',
    status: seen ? 409 : message === null ? 200 : 422,
    body: html`<header>
${topLine(visit, { name: product.name, href: productHref(desk, name) }, { name: version.label, href: edit })}<h1 dir="auto">${fillText(words.publish.title, { name: `${product.name} ${version.label}` })}</h1>
<p class="byline under">${title && html`<span dir="auto">${plainText(title)}</span> `}${badgesOf(counts).map(
      (mark) =>
        html`<span class="badge ${mark}">${counts.get(mark) ? `${language.number(counts.get(mark) ?? 0)} ` : ''}${language.words.kinds[mark]}</span> `,
    )}</p>
</header>
<main>
${refusal(isUnnamed(version) ? html`${words.publish.unnamed}` : message)}${
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
}<fieldset class="choice"><legend class="hidden">${words.publish.when}</legend>
<label><input type="radio" name="when" value="now"${choice.when === 'now' ? html` checked` : null}><span><b>${words.publish.now}</b></span></label>
<div class="option"><input type="radio" name="when" value="at" id="at"${choice.when === 'at' ? html` checked` : null}><label for="at"><b>${words.publish.at}</b></label>
<div class="range"><input class="input" type="date" name="date" value="${choice.day}" aria-label="${words.edit.date}"> <input class="input" type="time" name="time" value="${choice.time}" aria-label="${words.publish.time}"> <select class="input" name="zone" aria-label="${words.publish.zone}" data-zones="${words.publish.both}"${chosen ? html` data-chosen` : null}${version.scheduled ? html` data-at="${formatInstant(version.publishedAt)}"` : null}>${zones(choice.zone)}</select> <span class="quiet" data-in></span></div></div>
</fieldset>
${
  hiddenChangelog(product).length === 0
    ? null
    : html`<div class="notice warning unseen"><p>${revealed ? words.publish.stillHidden : words.home.locked}</p>${
        revealed &&
        html`<label class="check"><input type="checkbox" name="public"${form?.has('public') ? html` checked` : null}> ${fillText(words.publish.makePublic, { team: product.team.name, product: product.name })}</label>${othersLine(desk, revealed)}`
      }</div>\n`
}<h2 class="step">${words.publish.happens}</h2>
<dl class="steps">
<dt>${words.publish.page}</dt><dd>${config.pages === 'off' ? words.publish.noPages : html`<bdi>${page}</bdi>`}</dd>
<dt>${words.publish.feeds}</dt><dd>${config.pages === 'off' ? words.publish.noPages : language.list(Object.keys(FEEDS).map((feed) => FEED_NAMES[feed] ?? feed))}</dd>
<dt>${words.publish.told}</dt><dd>${hooks.length === 0 ? words.publish.nobody : toldLines(hooks)}</dd>
</dl>
<p class="act"><button type="submit" class="button main"${isUnnamed(version) ? html` disabled` : null}><span class="if-at">${fillText(buttons.at, { label: version.label })}</span><span class="if-now">${fillText(buttons.now, { label: version.label })}</span></button> <a class="button plainest" href="${edit}">${words.publish.keepEditing}</a>${hooks.length > 0 ? html` <span class="quiet">${words.publish.undoable}</span>` : null}</p>
</form>
</main>`,
  })
}

const FEED_NAMES: Readonly<Record<string, string>> = { atom: 'Atom', rss: 'RSS', json: 'JSON' }

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

const toldLines = (hooks: readonly Hook[]): Markup[] =>
  hooks.map((hook) => html`<p><bdi>${hook.name}</bdi> <small>${kindName(hook.kind)}</small></p>`)
