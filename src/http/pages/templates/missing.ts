import { printable } from '../../../domain/text/controls.ts'
import { cut } from '../../../domain/text/cut.ts'
import { html, type Markup } from '../../../notes/html/markup.ts'
import { type DatedVersion, dateOf, type Near } from '../../../store/store.ts'
import { fillText } from '../../../words/languages.ts'
import { standingNames } from '../../html/standing.ts'
import { changelogLink, versionLink } from '../../reading/links.ts'
import type { UpgradeRange } from '../../reading/upgrade.ts'
import type { Site } from '../../site/site.ts'
import { changelogCrumbs, layout } from './layout.ts'
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
  const [first] = instead
  // Without a neighbour, everything.
  const ends = first ? insteadOf(page, first).between : { from: labels.at(-1) ?? '', to: labels[0] ?? '' }
  const card = (version: DatedVersion): Markup => {
    const { href, labels } = insteadOf(page, version)
    const date = dateOf(version)
    const side = version === page.older ? 'older' : version === page.newer ? 'newer' : null
    const rel = side && html` rel="${side === 'newer' ? 'next' : 'prev'}"`
    const said = [side && near[side], date && language.day(date), ...standingNames(language, version)]
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
  labels.length > 1
    ? html`<h2 class="step">${isNear ? texts.choose : upgrade.plan}</h2>
${rangeForm(language, page, { ...between, ...ends }, labels)}\n`
    : null
}<p class="small-print"><a href="${changelogLink(page)}">${changelog.showAll}</a></p>
</main>`,
  })
}

/** The request with a version in place of the missing one: its address, the labels in it, and its range, if it has one. */
export function insteadOf(page: MissingPage, version: DatedVersion) {
  if (!page.between) return { href: versionLink(page, version), labels: [version.label] }
  const between = replaced(page.label, page.between, version.label)
  const labels = [between.from ?? [], between.to ?? []].flat()
  return { href: upgradeHref(changelogLink(page), between), labels, between }
}

/** The range with another label in place of one. */
export const replaced = (label: string, { from, to, ...rest }: UpgradeRange, by: string): UpgradeRange => ({
  ...rest,
  ...(from !== undefined && { from: from === label ? by : from }),
  ...(to !== undefined && { to: to === label ? by : to }),
})
