import { printable } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { dateOf, type LabelRange, type Near } from '../../store/store.ts'
import { fillText } from '../../words/languages.ts'
import type { Reads } from '../answers/reads.ts'
import type { MissingPage } from '../answers/responder.ts'
import { standingNames } from '../html/badges.ts'
import { changelogLink, type Names, versionLink } from '../reading/addresses.ts'
import { readIsOfEntries, readNewest } from '../reading/slices.ts'
import { readLabels, type UpgradeRange } from '../reading/upgrade.ts'
import type { Site } from '../site/site.ts'
import { createDocuments, type Instead } from './documents.ts'
import type { PageForm } from './form.ts'
import { changelogCrumbs, layout } from './templates/layout.ts'
import { rangeForm, upgradeHref } from './templates/upgrade.ts'

/** A label that leads to no version of this changelog. */
interface MissingLabel extends Near {
  label: string
  /** The versions that it may mean. */
  instead: readonly (Instead & { range: UpgradeRange | null })[]
  /** The upgrade that it is an end of; null if it is in the address of a release. */
  between: UpgradeRange | null
}

/** A 404 that names other versions; null if there is no such changelog. Hidden versions take the same steps. */
export async function missingBody(
  site: Site,
  reads: Reads,
  names: Names,
  form: PageForm,
  label: string,
  between: UpgradeRange | null = null,
): Promise<MissingPage | null> {
  const { team, product } = names
  const near = await reads.ask('readNear', 'public', team, product, label)
  if (!near) return null
  const instead: MissingLabel['instead'][number][] = []
  for (const version of near.alike.length > 0 ? near.alike : [near.older, near.newer]) {
    if (!version) continue
    const range = between && replaced(label, between, version.label)
    // Where the order of the list and that of numbers disagree, it may be on the wrong side of the other end.
    const page = range && { limit: 1, after: null, since: null, withChanges: false, between: range }
    const read = page && (await reads.ask('readChangelog', 'public', team, product, page))
    if (page && read?.upTo === undefined) continue
    const labels = range ? [range.from ?? [], range.to ?? []].flat() : [version.label]
    const href = range ? upgradeHref(changelogLink(near), range) : versionLink(near, version)
    instead.push({ version, range, labels, href })
  }
  const labels = between ? await readLabels(reads, names) : []
  const { latest, before } = await readNewest(reads, names)
  const ends = instead[0]?.range ?? { from: before?.label ?? '', to: latest?.label ?? '' }
  const page = { ...near, label, between, instead }
  const inOwn = site.in(near, await readIsOfEntries(reads, names))
  const text = form.isMarkdown ? createDocuments(site).missing(page) : missingPage(inOwn, page, ends, labels)
  return { ...form.body(text, inOwn.language), kind: 'missing page' }
}

/** Characters of the label that are shown: anyone may write one into an address. */
const SHOWN = 60

/** `labels` are those to choose from, newest first. */
function missingPage(site: Site, page: MissingLabel, ends: LabelRange, labels: readonly string[]): string {
  const { product, instead, between } = page
  const { language } = site
  const { missing: texts, near, changelog, upgrade, release } = language.words
  const title = fillText(texts.title, { version: cut(printable(page.label), SHOWN) })
  const [first] = instead
  const card = ({ version, href, labels }: Instead): Markup => {
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
  first
    ? html`<p class="plainly">${near.perhaps}</p>
<nav class="pages" aria-label="${release.releases}">
${instead.map(card)}</nav>\n`
    : null
}${
  labels.length > 1
    ? html`<h2 class="step">${first ? texts.choose : upgrade.plan}</h2>
${rangeForm(language, page, { ...between, ...ends }, labels)}\n`
    : null
}<p class="small-print"><a href="${changelogLink(page)}">${changelog.showAll}</a></p>
</main>`,
  })
}

/** The range with another label in place of one. */
const replaced = (label: string, { from, to, ...rest }: UpgradeRange, by: string): UpgradeRange => ({
  ...rest,
  ...(from !== undefined && { from: from === label ? by : from }),
  ...(to !== undefined && { to: to === label ? by : to }),
})
