import type { Act } from '../../acts/acting.ts'
import { ACTS } from '../../acts/acts.ts'
import { VERSION_STATES, type VersionState, versionState } from '../../acts/seen.ts'
import { changelogPagePath, versionPagePath } from '../../domain/addresses/paths.ts'
import { Refused, said } from '../../domain/reasons.ts'
import type { Product, ProductName, VersionHead } from '../../domain/records.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { hiddenChangelog, hiddenVersion } from '../../domain/versions/hidden.ts'
import { hasNumber, labelInWords, shownName } from '../../domain/versions/names.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { fill, html, type Markup } from '../../notes/html/markup.ts'
import { plainText } from '../../notes/html/render.ts'
import { plainName } from '../../notes/markdown.ts'
import type { Writer } from '../../store/bookkeeping/writers.ts'
import type { KeptState } from '../../store/records/kept.ts'
import { findProduct } from '../../transfer/find.ts'
import { lastWriters } from '../../transfer/stamp.ts'
import { keptVersion } from '../../transfer/undo/keep.ts'
import { fillText } from '../../words/languages.ts'
import { deskPage, hidden, refusal, tokenField, topLine } from '../layout.ts'
import { moment } from '../moments.ts'
import { perform } from '../perform.ts'
import type { Form } from '../request/form.ts'
import { seeOther } from '../respond.ts'
import { sourceLines, sourceStates } from '../sources.ts'
import { deliveryRows } from '../telling.ts'
import { type Desk, may, PUBLIC, productHref, type Sent, type Visit, versionHref } from '../visit.ts'
import { hiddenWhy } from './home.ts'
import { othersLine, type Revealed, revealedBy } from './publish.ts'
import { isMissing, refusalLine } from './refused.ts'

/** How many versions a page has. */
const MOST = 50

/** The versions of a product by state. */
export const productPage = (visit: Visit, name: ProductName): Promise<Response> => shown(visit, name, null)

async function shown(visit: Visit, name: ProductName, message: Markup | null): Promise<Response> {
  const { desk, url } = visit
  const wanted = VERSION_STATES.find((state) => state === url.searchParams.get('state')) ?? null
  const page = Math.max(1, Math.trunc(Number(url.searchParams.get('page'))) || 1)
  const { product, versions, kept, revealed, hooks } = await desk.read(async (records) => {
    const product = await findProduct(records, name)
    const versions = await records.versions.heads(product)
    const kept = await keptVersion(records, product)
    const hooks = await records.hooks.list(product.team)
    const isWaiting = versions.some((version) => versionState(version) !== 'draft')
    const revealed = isWaiting ? await revealedBy(records, product, hooks) : null
    return { product, versions, kept, revealed, hooks }
  })
  const counts = Map.groupBy(versions, versionState)
  const published = versions.find(({ id }) => id === url.searchParams.get('published'))
  const chosen = wanted === null ? versions : (counts.get(wanted) ?? [])
  const part = chosen.slice((page - 1) * MOST, page * MOST)
  const known = await desk.bookkeeping.writers.find(part.map(({ id }) => id))
  const writers =
    known.size === 0 ? known : await desk.read((records) => lastWriters(records, product, known))
  const source = (await sourceStates(desk)).get(product.id)
  const { words, language } = desk
  const href = productHref(desk, name)
  const pill = (state: VersionState | null, count: number) =>
    html`<a${state && html` class="dot ${state}"`} href="${href}${state === null ? '' : `?state=${state}`}"${state === wanted ? html` aria-current="true"` : null}>${state === null ? words.product.all : words.states[state]} <b>${language.number(count)}</b></a>\n`
  const older =
    page * MOST < chosen.length
      ? `${href}?${wanted === null ? '' : `state=${wanted}&`}page=${page + 1}`
      : null
  return deskPage(desk, {
    title: product.name,
    status: message === null ? 200 : 422,
    body: html`<header>
${topLine(visit, { name: product.team.name, href: null })}<div class="head">
<div><h1><bdi>${product.name}</bdi> <span>${words.product.releases}</span></h1></div>
<div class="tools">${pageLink(desk, product)}<a class="button main" href="${versionHref(desk, name, 'new')}">${words.home.newRelease}</a></div>
</div>
${stateNotes(desk, product)}${source && html`<div class="states">${sourceLines(desk, source)}<p>${words.source.corrections}</p></div>\n`}<nav class="kinds" aria-label="${words.product.show}">
${pill(null, versions.length)}${VERSION_STATES.map((state) => (counts.has(state) ? pill(state, counts.get(state)?.length ?? 0) : null))}</nav>
</header>
<main>
${refusal(message)}${revealed && may(visit, MENU.public.needs) ? hiddenNotice(visit, product, revealed) : null}${published && publicLine(desk, product, published)}${published && (await deliveryRows(visit, { ...name, version: published.id }, hooks))}${kept && undoLine(visit, name, kept)}${
  part.length === 0
    ? html`<p class="empty">${words.product.none}</p>`
    : html`<ul class="rows versions">
${part.map((version) => versionRow(visit, product, version, writers.get(version.id)))}</ul>`
}
${older && html`<p class="more"><a class="button" href="${older}">${language.onward(language.words.pages.older)}</a></p>`}</main>`,
  })
}

/** Why nobody sees it yet. */
const stateNotes = (desk: Desk, product: Product): Markup[] =>
  [
    ...(product.team.visibility === 'private' ? [desk.words.home.privateTeam] : []),
    ...hiddenWhy(desk, product),
  ].map(
    (why) =>
      html`<p class="states"><span><span class="badge warning">${desk.words.states.hidden}</span> ${why}</span></p>\n`,
  )

/** What makes it public, and who hears of it then. */
function hiddenNotice(visit: Visit, product: Product, revealed: Revealed): Markup {
  const { desk } = visit
  const { publish } = desk.words
  const name = { team: product.team.slug, product: product.slug }
  const hooks = desk.language.list([...revealed.told].map((hook) => hook.name))
  return html`<form class="notice warning" method="post" action="${productHref(desk, name)}">${tokenField(visit)}<p>${publish.stillHidden}</p>${othersLine(desk, revealed)}
<p class="act"><button type="submit" class="button" name="do" value="public">${fillText(publish.makePublic, { team: product.team.name, product: product.name })}</button>${
    revealed.told.size > 0 ? html` <span class="quiet">${fillText(publish.tells, { hooks })}</span>` : null
  }</p></form>\n`
}

/** To the public page, where there is one: at the desk itself, if no address says where it is served. */
function pageLink({ config, words, base }: Desk, product: Product, version?: VersionHead): Markup | null {
  const { team, slug } = product
  if (config.pages === 'off') return null
  const why = version ? hiddenVersion(product, version) : hiddenChangelog(product)
  const path = version ? versionPagePath(team.slug, slug, version) : changelogPagePath(team.slug, slug)
  return why.length === 0
    ? html`<a class="button plainest" href="${config.publicUrl || base + PUBLIC}${path}">${words.product.viewPage}</a>`
    : null
}

/** After publishing: it is public, and where. */
const publicLine = (desk: Desk, product: Product, version: VersionHead): Markup | null =>
  hiddenVersion(product, version).length === 0
    ? html`<p class="notice published" role="status">${fillText(desk.words.product.isPublic, { label: plainName(version) })} ${pageLink(desk, product, version)}</p>\n`
    : null

function undoLine(visit: Visit, name: ProductName, kept: KeptState): Markup {
  const { desk } = visit
  const { words } = desk
  return html`<form class="undo" method="post" action="${productHref(desk, name)}">${tokenField(visit)}${hidden('version', kept.head.ids[0] ?? '')}<span>${fill(words.product.wasDeleted, { what: html`<code>${labelInWords(kept.head.label ?? '')}</code>`, time: moment(desk, kept.at) })}</span> <button type="submit" class="link" name="do" value="undo">${words.product.undo}</button></form>\n`
}

function versionRow(
  visit: Visit,
  product: Product,
  version: VersionHead,
  writer: Writer | undefined,
): Markup {
  const { desk } = visit
  const { words, language } = desk
  const name = { team: product.team.slug, product: product.slug }
  const state = versionState(version)
  const edit = versionHref(desk, name, version.id)
  const { label, title } = shownName(version)
  const isNumber = hasNumber(version.label)
  const when =
    state === 'scheduled'
      ? moment(desk, version.publishedAt)
      : state === 'draft'
        ? null
        : version.dateKnown
          ? language.day(version.publishedAt)
          : null
  const written =
    writer && fillText(words.product.written, { name: writer.name, time: moment(desk, writer.at) })
  const about = [
    isNumber || state === 'scheduled' ? when : label,
    state === 'yanked' ? version.yanked : null,
    written,
  ]
    .filter(Boolean)
    .join(' · ')
  return html`<li${state === 'yanked' ? html` class="yanked"` : null}>
<div>${isNumber ? html`<span class="label${isPrerelease(version) ? ' pre' : ''}">${version.label}</span>` : html`<span class="quiet">${language.day(version.publishedAt)}</span>`}</div>
<div><p class="title"><a${title === null ? html` class="untitled"` : null} href="${edit}" dir="auto">${title === null ? words.product.noTitle : plainText(title)}</a> <span class="badge ${state}">${words.states[state]}</span>${
    isPrerelease(version) ? html` <span class="badge pre">${language.words.standing.prerelease}</span>` : null
  }</p>${about && html`<p class="quiet" dir="auto">${about}</p>`}</div>
<div class="acts">${pageLink(desk, product, version)}<a class="button" href="${edit}">${words.product.edit}</a>${menu(visit, name, version, state)}</div>
</li>
`
}

const DOTS = html`<svg viewBox="0 0 16 16" fill="currentcolor" aria-hidden="true"><circle cx="3" cy="8" r="1.4"/><circle cx="8" cy="8" r="1.4"/><circle cx="13" cy="8" r="1.4"/></svg>`

function menu(visit: Visit, name: ProductName, version: VersionHead, state: VersionState): Markup | null {
  const { words } = visit.desk
  const { acts } = words
  const item = (act: keyof typeof acts & string, about: string, more: Markup | null = null, style = '') =>
    html`<li>${more}<button type="submit"${style && html` class="${style}"`} name="do" value="${act}">${acts[act]}<span>${about}</span></button></li>`
  const isPublic = state === 'published' || state === 'yanked'
  if (state !== 'draft' && !may(visit, 'publish')) return null
  return html`<details class="menu"><summary aria-label="${fillText(words.product.more, { label: plainName(version) })}">${DOTS}</summary><form method="post" action="${productHref(visit.desk, name)}">${tokenField(visit)}${hidden('version', version.id)}${hidden('state', state)}<ul>${isPublic ? html`<li><a href="${versionHref(visit.desk, name, version.id, 'publish')}">${words.telling.whoTold}</a></li>` : null}${
    state === 'published'
      ? item(
          'yank',
          words.about.yank,
          html`<label class="field">${words.product.reason} <input type="text" class="input" name="reason" maxlength="1000"></label>`,
        )
      : null
  }${state === 'yanked' ? item('unyank', words.about.unyank) : null}${isPublic ? item('unpublish', words.about.unpublish) : null}${
    state === 'scheduled' ? item('unschedule', words.about.unpublish) : null
  }${item('delete', words.about.delete, null, 'danger')}</ul></form></details>`
}

/** What a menu does: to the version as the list showed it. */
export async function actOnVersion(visit: Sent, name: ProductName): Promise<Response> {
  const { desk } = visit
  try {
    await act(visit, name)
    return seeOther(productHref(desk, name))
  } catch (error) {
    if (isMissing(error) && !(error instanceof Refused))
      return shown(visit, name, html`${desk.words.reasons.changed}`)
    if (isRefusal(error)) return shown(visit, name, await refusalLine(desk, name, error))
    throw error
  }
}

/** What a menu, or a button of the list, does. */
export const MENU = {
  undo: ACTS.restoreVersion,
  public: ACTS.makePublic,
  delete: ACTS.deleteVersion,
  yank: ACTS.yank,
  unyank: ACTS.unyank,
  unpublish: ACTS.unpublish,
  unschedule: ACTS.unschedule,
}

/** None for a button that does not exist. */
export const menuAct = (form: Form): Act | undefined =>
  new Map<string, Act>(Object.entries(MENU)).get(form.text('do'))

async function act(visit: Sent, of: ProductName): Promise<unknown> {
  const { desk, form } = visit
  const version = form.text('version')
  const wanted = form.text('do') as keyof typeof MENU
  if (wanted === 'undo') return perform(visit, MENU.undo, of, version)
  if (wanted === 'public') return perform(visit, MENU.public, of)
  const seen = { of, version, state: form.text('state') as VersionState }
  if (wanted === 'yank') return perform(visit, MENU.yank, seen, form.text('reason').trim())
  if (!menuAct(form)) throw said(desk.words.refused.staleAbout)
  return perform(visit, MENU[wanted], seen)
}
