import { teamPagePath } from '../../../domain/addresses/paths.ts'
import type { Kind } from '../../../domain/kinds.ts'
import type { LabelRange } from '../../../store/store.ts'
import { changelogLink, versionLink } from '../links.ts'
import type { Site } from '../site.ts'
import type { RenderedGroup, Upgrade } from '../upgrade.ts'
import { alternates } from './changelog.ts'
import { nameOf, pills } from './kinds.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { formatDay } from './release.ts'

export interface UpgradePage extends Upgrade {
  between: LabelRange
  /** The kind that it is about, if it is not about all. */
  kind: Kind | null
  rendered: readonly RenderedGroup[]
  /** Labels to choose from, newest first. */
  labels: readonly string[]
  /** Where it goes on with older releases. */
  olderHref: string | null
}

/** What changed from one version to another. Search engines leave it out: there is one for each two versions. */
export function upgradePage(site: Site, page: UpgradePage): string {
  const { info, between, rendered } = page
  const { team, product, changelog } = info
  const to = between.to ?? page.highest ?? between.from ?? ''
  const title = between.from === undefined ? `Up to ${to}` : `From ${between.from} to ${to}`
  return layout(site, {
    title: `${title} · ${product.name}`,
    description: `What changes in ${product.name}: ${title}.`,
    path: null,
    alternates: alternates(info),
    body: html`<header>
${breadcrumbs(
  site,
  { name: team.name, href: site.hasLists ? teamPagePath(team.slug) : null },
  { name: changelog.name, href: changelogLink(info) },
)}
<h1 dir="auto">${title}</h1>
<p class="summary">${summary(page)}</p>
${form(page, to)}
${
  rendered.length > 1
    ? pills(
        'In these releases',
        rendered.map(({ kind, count }) => ({ name: nameOf(kind), href: `#${kind}`, count, kind })),
        page.next !== null,
      )
    : null
}
</header>
<main>
${rendered.length > 0 ? rendered.map((group) => section(page, group)) : html`<p class="empty">No changes listed. <a href="${changelogLink(info)}">Show all releases</a></p>`}
</main>
${
  page.olderHref === null
    ? null
    : html`<nav class="turn" aria-label="Pages"><a class="button" rel="next" href="${page.olderHref}">Changes of older releases →</a></nav>`
}`,
  })
}

function summary({ groups, releaseCount, until, next, kind, between, info }: UpgradePage): Markup {
  const count = [...groups.values()].reduce((sum, group) => sum + group.count, 0)
  const extent = next === null ? '' : 'At least '
  const changes = `${counted(count, 'change')}${kind === null ? '' : ` under ${nameOf(kind)}`}`
  const date = until === null ? '' : `, until ${formatDay(until)}`
  const all =
    kind === null ? null : html` · <a href="${upgradeHref(changelogLink(info), between)}">Show all kinds</a>`
  return html`${extent}${changes} in ${counted(releaseCount, 'release')}${date}${all}`
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

function form({ info, between, labels }: UpgradePage, to: string): Markup {
  const options = (chosen: string | undefined) =>
    (chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen]).map(
      (label) => html`<option${label === chosen ? html` selected` : null}>${label}</option>`,
    )
  return html`<form class="range" action="${changelogLink(info)}">
<label for="from">From</label> <select id="from" name="from">${options(between.from)}</select>
<label for="to">to</label> <select id="to" name="to">${options(to)}</select>
<button class="button main" type="submit">Show changes</button>
</form>`
}

const section = (
  { info, between }: UpgradePage,
  { kind, count, changes }: RenderedGroup,
): Markup => html`<section class="release by-kind ${kind}" id="${kind}">
<div class="when"><h2 class="kind ${kind}">${nameOf(kind)} <small>${count.toLocaleString('en')}</small></h2></div>
<div class="part ${kind}"><ul class="since">
${changes.map(
  ({ change: { title, description }, version }) =>
    html`<li><a href="${versionLink(info, version)}">${version.label}</a><div dir="auto">${title}${
      description && html`<div class="text">${description}</div>`
    }</div></li>\n`,
)}</ul>${
  changes.length < count
    ? html`<p class="more"><a class="button" href="${upgradeHref(changelogLink(info), between, kind)}">Show all ${count.toLocaleString('en')} →</a></p>`
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
