import { printable } from '../../../domain/text/controls.ts'
import { cut } from '../../../domain/text/cut.ts'
import { precedenceOf } from '../../../domain/versions/precedence.ts'
import { type DatedVersion, dateOf, type Near } from '../../../store/store.ts'
import { fillText } from '../languages/languages.ts'
import { changelogLink, versionLink } from '../links.ts'
import type { Site } from '../site.ts'
import type { UpgradeRange } from '../upgrade.ts'
import { changelogCrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { standingNames } from './standing.ts'
import { rangeForm, upgradeHref } from './upgrade.ts'

/** A label that leads to no version, and what there is instead. */
export interface MissingPage extends Near {
  label: string
  /** The upgrade that it is an end of; null if it is in the address of a release. */
  between: UpgradeRange | null
  /** Labels to choose from, newest first. */
  labels: readonly string[]
}

/** Of a label that anyone may write into an address. */
const SHOWN = 60

/** It is of a changelog that is public: of another, not even that there is one is told. */
export function missingPage(site: Site, page: MissingPage): string {
  const { product, older, newer, between, labels } = page
  const { language } = site
  const { missing: texts, near, changelog, upgrade, release } = language.words
  const title = fillText(texts.title, { version: cut(printable(page.label), SHOWN) })
  const isNear = older !== null || newer !== null
  const chosen = between && labels.length > 0 && chosenInstead(page, between)
  const card = (version: DatedVersion, side: 'older' | 'newer'): Markup => {
    const { href, labels } = insteadOf(page, version)
    const date = dateOf(version)
    const said = [near[side], date !== null && language.day(date), ...standingNames(language, version)]
    const words = said.filter(Boolean).join(' · ')
    // Each by itself, so that they stay in this order from right to left too.
    const names = labels.map(
      (label, at) => html`${at > 0 ? `${language.onward('')} ` : ''}<bdi>${label}</bdi>`,
    )
    return html`<a rel="${side === 'newer' ? 'next' : 'prev'}" href="${href}"><span>${words}</span>${names}</a>\n`
  }
  return layout(site, {
    title: `${title} · ${product.name}`,
    description: title,
    path: null,
    isSingle: true,
    body: html`<header>
${changelogCrumbs(site, page)}
<h1 dir="auto">${title}</h1>
</header>
<main>
${
  isNear
    ? html`<p class="plainly">${near.perhaps}</p>
<nav class="pages" aria-label="${release.releases}">
${older && card(older, 'older')}${newer && card(newer, 'newer')}</nav>\n`
    : null
}${
  chosen
    ? html`<h2 class="step">${isNear ? texts.choose : upgrade.plan}</h2>
${rangeForm(language, page, chosen, labels)}\n`
    : null
}<p class="small-print"><a href="${changelogLink(page)}">${changelog.showAll}</a></p>
</main>`,
  })
}

/** What was asked for, with a version in place of the missing one: its address, and the labels in it. */
export function insteadOf(page: MissingPage, version: DatedVersion): { href: string; labels: string[] } {
  if (!page.between) return { href: versionLink(page, version), labels: [version.label] }
  const between = replaced(page, page.between, version.label)
  const labels = [between.from ?? [], between.to ?? []].flat()
  return { href: upgradeHref(changelogLink(page), between), labels }
}

/** The older one, so that nothing is skipped; without an order, everything there is. What is chosen has to lead somewhere. */
function chosenInstead(page: MissingPage, between: UpgradeRange): UpgradeRange {
  const { older, newer, labels, label } = page
  const instead = (older ?? newer)?.label ?? labels.at(between.to === label ? 0 : -1)
  const { from, to, ...rest } = replaced(page, between, instead ?? label)
  const isBelow = (one: string, other: string) => {
    const [key, limit] = [precedenceOf(one), precedenceOf(other)]
    return key && limit ? key < limit : labels.indexOf(one) > labels.indexOf(other)
  }
  const below = from && to && !isBelow(from, to) ? labels.find((each) => isBelow(each, to)) : from
  return { ...rest, ...(below && { from: below }), ...(to && { to }) }
}

/** From before to. */
const replaced = ({ label }: MissingPage, { from, to, ...rest }: UpgradeRange, by: string): UpgradeRange => ({
  ...rest,
  ...(from !== undefined && { from: from === label ? by : from }),
  ...(to !== undefined && { to: to === label ? by : to }),
})
