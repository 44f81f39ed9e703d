import { withoutV } from '../../../domain/rules.ts'
import type { Kind } from '../../../domain/versions/kinds.ts'
import type { ChangelogInfo } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../languages/languages.ts'
import { changelogLink, versionLink, withQuery } from '../links.ts'
import type { Site } from '../site.ts'
import type { Upgrade, UpgradeRange, VersionName, WrittenKind } from '../upgrade.ts'
import { alternates } from './changelog.ts'
import { pills } from './kinds.ts'
import { changelogCrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { markBadges, repeatsSummary, textOf, titleOf } from './release.ts'
import { yankedNotice } from './standing.ts'

export interface UpgradePage extends Upgrade {
  between: UpgradeRange & { to: string }
  /** The kind that it is about, if it is not about all. */
  kind: Kind | null
  written: readonly WrittenKind[]
  /** Labels to choose from, newest first. */
  labels: readonly string[]
  /** Path and query. */
  own: string
  /** Whether it goes on from a page of newer releases. */
  isFurther: boolean
  /** Where it goes on with older releases. */
  olderHref: string | null
}

/** What changed from one version to another. Search engines leave it out: there is one for each two versions. */
export function upgradePage(site: Site, page: UpgradePage): string {
  const { info, between, written } = page
  const { product } = info
  const { language } = site
  const { words } = language
  const { from, to } = between
  const title =
    from === undefined || from === to
      ? fillText(words.upgrade.upTo, { to })
      : fillText(words.upgrade.fromTo, { from, to })
  return layout(site, {
    title: `${title} · ${product.name}`,
    description: fillText(words.upgrade.about, { product: product.name, range: title }),
    path: null,
    alternates: alternates(language, info, page.own),
    body: html`<header>
${changelogCrumbs(site, info)}
<h1 dir="auto">${title}</h1>
${from === to ? null : html`<p class="summary">${summary(language, page)}</p>\n`}${rangeForm(language, page.info, between, page.labels)}
${
  written.length > 1
    ? pills(
        language,
        words.upgrade.inThese,
        written.map(({ kind, count }) => ({ name: words.kinds[kind], href: `#${kind}`, count, kind })),
        page.next !== null,
      )
    : null
}
</header>
<main>
${page.yanked.map((version) => yankedNotice(language, version))}${written.length > 0 ? written.map((group) => section(language, page, group)) : html`<p class="empty">${from === to ? fillText(words.upgrade.nothingNewer, { version: to }) : words.release.noChanges} <a href="${changelogLink(info)}">${words.changelog.showAll}</a></p>`}
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
  { groups, releaseCount, until, next, kind, between, info, isFurther }: UpgradePage,
): Markup {
  const { changelog: texts, upgrade } = words
  const count = [...groups.values()].reduce((sum, group) => sum + group.count, 0)
  const changes = counted(texts.changes, count)
  let found = fillText(texts.inReleases, {
    changes: kind === null ? changes : fillText(texts.under, { found: changes, kind: words.kinds[kind] }),
    releases: counted(texts.releases, releaseCount),
  })
  if (isFurther || next) found = fillText(isFurther ? texts.furtherOn : texts.atLeast, { found })
  if (until !== null) found = fillText(upgrade.until, { found, date: day(until) })
  const all =
    kind === null
      ? null
      : html` · <a href="${upgradeHref(changelogLink(info), between)}">${upgrade.allKinds}</a>`
  return html`${found}${all}`
}

/** A range with its labels spelled as those in a list, with or without a `v`. */
export function asListed({ from, to, ...rest }: UpgradePage['between'], labels: readonly string[]) {
  const listed = (label: string) =>
    labels.includes(label) ? label : (labels.find((each) => withoutV(each) === withoutV(label)) ?? label)
  return { ...rest, ...(from !== undefined && { from: listed(from) }), to: listed(to) }
}

/** Chooses the ends of an upgrade. */
export function rangeForm(
  { words: { upgrade: texts } }: PageLanguage,
  info: ChangelogInfo,
  between: UpgradeRange,
  labels: readonly string[],
): Markup {
  const options = (chosen: string | undefined) =>
    (chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen]).map(
      (label) => html`<option${label === chosen ? html` selected` : null}>${label}</option>`,
    )
  return html`<form class="range" action="${changelogLink(info)}">
<label for="from">${texts.from}</label> <select id="from" name="from">${options(between.from)}</select>
<label for="to">${texts.to}</label> <select id="to" name="to">${options(between.to)}</select>
${between.prereleases && html`<input type="hidden" name="prereleases" value="no">\n`}<button class="button main" type="submit">${texts.button}</button>
</form>`
}

const section = (
  language: PageLanguage,
  page: UpgradePage,
  { kind, count, changes }: WrittenKind,
): Markup => html`<section class="release by-kind ${kind}" id="${kind}">
<div class="when"><h2 class="kind ${kind}">${language.words.kinds[kind]} <small>${language.number(count)}</small></h2></div>
<div class="part ${kind}"><ul class="since">
${changes.map(
  ({ change, version, isAside }) =>
    html`<li${isAside ? html` class="aside"` : null}><a href="${versionLink(page.info, version)}">${version.label}</a><div dir="auto">${markBadges(
      language,
      change,
      kind,
    )}${repeatsSummary(change) ? null : titleOf(change)}${textOf(change)}</div></li>\n`,
)}</ul>${changes.length < count ? more(language, page, kind, count, changes.at(-1)?.version) : null}</div>
</section>
`

/** A link to all of a kind, or, from there, to the release that is longer than a page. */
function more(
  { words: { upgrade: texts }, number, onward }: PageLanguage,
  { info, between, kind: own }: UpgradePage,
  kind: Kind,
  count: number,
  last?: VersionName,
): Markup {
  const [href, text] =
    own !== null && last
      ? [versionLink(info, last), fillText(texts.allOf, { version: last.label })]
      : [upgradeHref(changelogLink(info), between, kind), fillText(texts.showAll, { count: number(count) })]
  return html`<p class="more"><a class="button" href="${href}">${onward(text)}</a></p>`
}

/** The order is that of the parameters of a changelog page. */
export const upgradeHref = (
  path: string,
  { from, to, prereleases }: UpgradeRange,
  kind?: Kind | null,
  cursor?: string,
): string => withQuery(path, { kind, prereleases, cursor, from, to })
