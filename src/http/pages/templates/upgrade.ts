import { teamPagePath } from '../../../domain/addresses/paths.ts'
import type { Kind } from '../../../domain/kinds.ts'
import type { LabelRange } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../languages/languages.ts'
import { changelogLink, versionLink } from '../links.ts'
import type { Site } from '../site.ts'
import type { RenderedGroup, Upgrade } from '../upgrade.ts'
import { alternates } from './changelog.ts'
import { pills } from './kinds.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'

export interface UpgradePage extends Upgrade {
  between: LabelRange
  /** The kind that it is about, if it is not about all. */
  kind: Kind | null
  rendered: readonly RenderedGroup[]
  /** Labels to choose from, newest first. */
  labels: readonly string[]
  /** Path and query. */
  own: string
  /** Where it goes on with older releases. */
  olderHref: string | null
}

/** What changed from one version to another. Search engines leave it out: there is one for each two versions. */
export function upgradePage(site: Site, page: UpgradePage): string {
  const { info, between, rendered } = page
  const { team, product, changelog } = info
  const to = between.to ?? page.highest ?? between.from ?? ''
  const { language } = site
  const { words } = language
  const { from } = between
  const title =
    from === undefined ? fillText(words.upgrade.upTo, { to }) : fillText(words.upgrade.fromTo, { from, to })
  return layout(site, {
    title: `${title} · ${product.name}`,
    description: fillText(words.upgrade.about, { product: product.name, range: title }),
    path: null,
    alternates: alternates(language, info, page.own),
    body: html`<header>
${breadcrumbs(
  site,
  { name: team.name, href: site.hasLists ? teamPagePath(team.slug) : null },
  { name: changelog.name, href: changelogLink(info) },
)}
<h1 dir="auto">${title}</h1>
<p class="summary">${summary(language, page)}</p>
${form(language, page, to)}
${
  rendered.length > 1
    ? pills(
        language,
        words.upgrade.inThese,
        rendered.map(({ kind, count }) => ({ name: words.kinds[kind], href: `#${kind}`, count, kind })),
        page.next !== null,
      )
    : null
}
</header>
<main>
${rendered.length > 0 ? rendered.map((group) => section(language, page, group)) : html`<p class="empty">${words.release.noChanges} <a href="${changelogLink(info)}">${words.changelog.showAll}</a></p>`}
</main>
${
  page.olderHref === null
    ? null
    : html`<nav class="turn" aria-label="${words.pages.name}"><a class="button" rel="next" href="${page.olderHref}">${language.onward(words.upgrade.older)}</a></nav>`
}`,
  })
}

function summary(
  { words, counted, day }: PageLanguage,
  { groups, releaseCount, until, next, kind, between, info }: UpgradePage,
): Markup {
  const { changelog: texts, upgrade } = words
  const count = [...groups.values()].reduce((sum, group) => sum + group.count, 0)
  const changes = counted(texts.changes, count)
  let found = fillText(texts.inReleases, {
    changes: kind === null ? changes : fillText(texts.under, { found: changes, kind: words.kinds[kind] }),
    releases: counted(texts.releases, releaseCount),
  })
  if (next !== null) found = fillText(texts.atLeast, { found })
  if (until !== null) found = fillText(upgrade.until, { found, date: day(until) })
  const all =
    kind === null
      ? null
      : html` · <a href="${upgradeHref(changelogLink(info), between)}">${upgrade.allKinds}</a>`
  return html`${found}${all}`
}

function form(
  { words: { upgrade: texts } }: PageLanguage,
  { info, between, labels }: UpgradePage,
  to: string,
): Markup {
  const options = (chosen: string | undefined) =>
    (chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen]).map(
      (label) => html`<option${label === chosen ? html` selected` : null}>${label}</option>`,
    )
  return html`<form class="range" action="${changelogLink(info)}">
<label for="from">${texts.from}</label> <select id="from" name="from">${options(between.from)}</select>
<label for="to">${texts.to}</label> <select id="to" name="to">${options(to)}</select>
<button class="button main" type="submit">${texts.button}</button>
</form>`
}

const section = (
  { words, number, onward }: PageLanguage,
  { info, between }: UpgradePage,
  { kind, count, changes }: RenderedGroup,
): Markup => html`<section class="release by-kind ${kind}" id="${kind}">
<div class="when"><h2 class="kind ${kind}">${words.kinds[kind]} <small>${number(count)}</small></h2></div>
<div class="part ${kind}"><ul class="since">
${changes.map(
  ({ change: { title, description, repeats }, version }) =>
    html`<li><a href="${versionLink(info, version)}">${version.label}</a><div dir="auto">${repeats === 'summary' ? null : title}${
      description && html`<div class="text">${description}</div>`
    }</div></li>\n`,
)}</ul>${
  changes.length < count
    ? html`<p class="more"><a class="button" href="${upgradeHref(changelogLink(info), between, kind)}">${onward(fillText(words.upgrade.showAll, { count: number(count) }))}</a></p>`
    : null
}</div>
</section>
`

/** The order is that of the parameters of a changelog page. */
export function upgradeHref(
  path: string,
  { from, to }: LabelRange,
  kind?: Kind | null,
  cursor?: string,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ kind, cursor, from, to })) if (value) query.set(name, value)
  return `${path}?${query}`
}
