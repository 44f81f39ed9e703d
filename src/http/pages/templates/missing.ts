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

/** A label that leads to no version. */
export interface MissingPage extends Near {
  label: string
  /** The versions that it may mean. With each of them in its place, the address leads somewhere. */
  instead: readonly DatedVersion[]
  /** The upgrade that it is an end of; null if it is in the address of a release. */
  between: UpgradeRange | null
  /** Labels to choose from, newest first. */
  labels: readonly string[]
}

/** Characters of the label that are shown: anyone may write one into an address. */
const SHOWN = 60

/** Only for a public changelog: a hidden one is not told apart from a missing one. */
export function missingPage(site: Site, page: MissingPage): string {
  const { product, instead, between, labels } = page
  const { language } = site
  const { missing: texts, near, changelog, upgrade, release } = language.words
  const title = fillText(texts.title, { version: cut(printable(page.label), SHOWN) })
  const isNear = instead.length > 0
  const chosen = between && labels.length > 0 && chosenInstead(page, between)
  const card = (version: DatedVersion): Markup => {
    const { href, labels } = insteadOf(page, version)
    const date = dateOf(version)
    const side = version === page.older ? 'older' : version === page.newer ? 'newer' : null
    const rel = side && html` rel="${side === 'newer' ? 'next' : 'prev'}"`
    const said = [
      side && near[side],
      date !== null && language.day(date),
      ...standingNames(language, version),
    ]
    const words = said.filter(Boolean).join(' · ')
    // Each by itself, so that they stay in this order from right to left too.
    const names = labels.map(
      (label, at) => html`${at > 0 ? `${language.onward('')} ` : ''}<bdi>${label}</bdi>`,
    )
    return html`<a${rel} href="${href}"><span>${words}</span>${names}</a>\n`
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
${instead.map(card)}</nav>\n`
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

/** The address of the request with a version in place of the missing one, and the labels in it. */
export function insteadOf(page: MissingPage, version: DatedVersion): { href: string; labels: string[] } {
  if (!page.between) return { href: versionLink(page, version), labels: [version.label] }
  const between = replaced(page.label, page.between, version.label)
  const labels = [between.from ?? [], between.to ?? []].flat()
  return { href: upgradeHref(changelogLink(page), between), labels }
}

/** A range that leads somewhere: from the older neighbour, so that nothing is skipped; without one, over everything. */
function chosenInstead(page: MissingPage, between: UpgradeRange): UpgradeRange {
  const { labels, label } = page
  const chosen = page.instead[0]?.label ?? labels.at(between.to === label ? 0 : -1)
  const { from, to, ...rest } = replaced(label, between, chosen ?? label)
  const isBelow = (one: string, other: string) => {
    const [key, limit] = [precedenceOf(one), precedenceOf(other)]
    return key && limit ? key < limit : labels.indexOf(one) > labels.indexOf(other)
  }
  const below = from && to && !isBelow(from, to) ? labels.find((each) => isBelow(each, to)) : from
  return { ...rest, ...(below && { from: below }), ...(to && { to }) }
}

/** The range with another label in place of one. */
export const replaced = (label: string, { from, to, ...rest }: UpgradeRange, by: string): UpgradeRange => ({
  ...rest,
  ...(from !== undefined && { from: from === label ? by : from }),
  ...(to !== undefined && { to: to === label ? by : to }),
})
