import { markdownAddress } from '../../../domain/addresses/paths.ts'
import { withoutV } from '../../../domain/rules.ts'
import { isListedAside, type Kind, kindOfChange } from '../../../domain/versions/kinds.ts'
import { isOfKind } from '../../../domain/versions/marks.ts'
import { shownName } from '../../../domain/versions/names.ts'
import { versionFilter } from '../../../domain/versions/properties.ts'
import { isPrerelease } from '../../../domain/versions/standing.ts'
import { MOST_MAJOR, majorOf, type PassedRelease } from '../../../domain/versions/verdict.ts'
import { fill, html, type Markup, trusted } from '../../../notes/html/markup.ts'
import { plainText } from '../../../notes/html/render.ts'
import {
  URGENT_KINDS,
  type WrittenKind,
  type WrittenPassed,
  type WrittenStep,
  type WrittenUpgrade,
} from '../../../notes/upgrade.ts'
import type { WrittenChange } from '../../../notes/writing.ts'
import type { ChangelogInfo, Cursor } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../../../words/languages.ts'
import type { Plural } from '../../../words/words.ts'
import { badge, withdrawn } from '../../html/badges.ts'
import { day, pointTo, repeatsSummary, signBadges, textOf, titleOf } from '../../html/release.ts'
import { changelogLink, versionLink, withQuery, writeCursor } from '../../reading/addresses.ts'
import type { Upgrade, UpgradeRange } from '../../reading/upgrade.ts'
import type { Site } from '../../site/site.ts'
import { alternates } from './changelog.ts'
import { changelogCrumbs, layout } from './layout.ts'

export interface UpgradePage extends Upgrade {
  between: UpgradeRange & { to: string }
  /** The kind that it is about, if it is not about all. */
  kind: Kind | null
  written: WrittenUpgrade
  /** Labels to choose from, newest first. */
  labels: readonly string[]
  /** Path and query. */
  own: string
  /** True if it continues a page of newer releases. */
  isFurther: boolean
  olderHref: string | null
}

/** Labels of more characters are in a smaller title. */
const LONG_LABELS = 24

/** Search engines leave it out: there is one page for each two versions. */
export function upgradePage(site: Site, page: UpgradePage): string {
  const { info, written, verdict, kind, between } = page
  const { from, to } = between
  const { language } = site
  const { words } = language
  const isNewest = from === to
  const range = isNewest
    ? fillText(words.upgrade.nothingNewer, { version: to })
    : from === undefined
      ? fillText(words.upgrade.upTo, { to })
      : `${language.onward(from)} ${to}`
  const count = verdict.breaking > 0 && kind === null ? verdict.breaking : null
  const breaks = count && `: ${language.number(count)} ${language.counted(words.verdict.breaking, count)}`
  const isLong = `${from}${to}`.length > LONG_LABELS
  const isEmpty = verdict.changes.length === 0 && verdict.unmarked.length === 0
  const about = isNewest ? range : summary(language, page)
  const all = changelogLink(info)
  return layout(site, {
    title: `${range}${breaks ?? ''} · ${info.product.name}`,
    description: about,
    path: null,
    alternates: alternates(language, info, page.own),
    body: html`<header>
${changelogCrumbs(site, info)}
${
  isNewest || from === undefined
    ? html`<h1 dir="auto">${range}</h1>`
    : html`<h1 class="verdict${isLong ? ' long' : ''}"><bdi>${from}</bdi> <span aria-hidden="true">${language.onward('').trim()}</span><span class="hidden">${words.upgrade.to}</span> <bdi>${to}</bdi></h1>`
}
${isNewest ? null : html`<p class="summary">${about}${kind && html`&#8195;<a href="${upgradeHref(all, between)}">${words.upgrade.allKinds}</a>`}</p>\n${kind ? null : facts(language, page)}`}${rangeForm(language, info, between, page.labels)}
</header>
<main>
${page.yanked.map((version) => withdrawn(language, version))}${isEmpty ? html`<p class="empty">${isNewest ? null : words.release.noChanges} <a href="${all}">${words.changelog.showAll}</a></p>` : null}${checklists(language, page)}${written.kinds.map(
  (group) =>
    kind !== null || URGENT_KINDS.some((each) => each === group.kind)
      ? section(language, page, group)
      : folded(language, page, group),
)}${notListed(language, page)}</main>
${page.olderHref && html`<nav class="turn" aria-label="${words.pages.name}"><a class="button" rel="next" href="${page.olderHref}">${language.onward(words.pages.older)}</a></nav>`}`,
  })
}

function summary(
  { words, counted, day }: PageLanguage,
  { verdict, next, kind, isFurther }: UpgradePage,
): string {
  const { changelog: texts, upgrade } = words
  const changes = counted(texts.changes, verdict.changes.length)
  let found = fillText(texts.inReleases, {
    changes: kind === null ? changes : fillText(texts.under, { found: changes, kind: words.kinds[kind] }),
    releases: counted(texts.releases, verdict.releases.length),
  })
  if (isFurther || next) found = fillText(isFurther ? texts.furtherOn : texts.atLeast, { found })
  const { since, until } = verdict
  if (until === null) return found
  const form = since === null || since >= until ? upgrade.until : upgrade.during
  return fillText(form, { found, date: day(until), ...(since !== null && { since: day(since) }) })
}

/** The verdict in numbers. Nothing marked over a major is no 0, which would promise too much. */
function facts(language: PageLanguage, { verdict, next, isFurther }: UpgradePage): Markup {
  const { majors, breaking, security, span, lookFirst, unmarked } = verdict
  const { verdict: texts } = language.words
  const fact = (count: string, word: string, href?: Kind, color: Kind | 'none' | undefined = href) => {
    const both = html`<b>${count}</b> ${word}`
    return html`<li${color && html` class="${color}"`}>${href ? html`<a href="#${href}">${both}</a>` : html`<span>${both}</span>`}</li>\n`
  }
  const some = (kind: 'breaking' | 'security', count: number) => {
    const number = language.number(count) + (next || isFurther ? '+' : '')
    const own = count > 0 ? kind : undefined
    return fact(number, language.counted(texts[kind], count), own, own ?? 'none')
  }
  return html`<ul class="facts">
${fact(language.number(majors), language.counted(texts.majors, majors), undefined, majors > 0 ? undefined : 'none')}${breaking === 0 && lookFirst.length + unmarked.length > 0 ? fact(texts.none, texts.marked, 'breaking', 'changed') : some('breaking', breaking)}${some('security', security.length)}${span && fact(language.number(span.count), language.unit(span))}</ul>
`
}

/** A label spelled as in a list, with or without a `v`. */
export const asListed = (label: string, labels: readonly string[]): string =>
  labels.includes(label) ? label : (labels.find((each) => withoutV(each) === withoutV(label)) ?? label)

/** Chooses the ends of an upgrade: versions are under their major, and pre-releases last. */
export function rangeForm(
  language: PageLanguage,
  info: ChangelogInfo,
  between: UpgradeRange,
  labels: readonly string[],
): Markup {
  const { upgrade: texts } = language.words
  return html`<form class="range" action="${changelogLink(info)}">
<label for="from">${texts.from}</label> <select id="from" name="from">${options(language, labels, between.from)}</select>
<label for="to">${texts.to}</label> <select id="to" name="to">${options(language, labels, between.to)}</select>
${Object.entries(versionFilter(between)).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">\n`)}<button class="button main" type="submit">${texts.button}</button>
</form>`
}

/** Chooses the version that an upgrade begins with, from those that are older than its end, if there are any. */
export function upgradeMenu(
  language: PageLanguage,
  info: ChangelogInfo,
  to: string,
  older: readonly string[],
): Markup | null {
  const { upgrade: texts } = language.words
  if (older.length === 0) return null
  return html`<details class="menu upgrade">
<summary>${texts.toThis}</summary>
<form class="range" action="${changelogLink(info)}">
<label for="from">${texts.from}</label> <select id="from" name="from">${options(language, older, older[0])}</select>
<input type="hidden" name="to" value="${to}"><button class="button main" type="submit">${texts.button}</button>
</form>
</details>`
}

function options({ words }: PageLanguage, labels: readonly string[], chosen: string | undefined) {
  const groupOf = (label: string) => (isPrerelease({ label }) ? -1 : (majorOf(label) ?? MOST_MAJOR))
  const nameOf = (group: number) => (group < 0 ? words.standing.prerelease : `${group}.x`)
  const all = chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen]
  const groups = [...Map.groupBy(all, groupOf)].sort(([one], [other]) => other - one)
  return groups.map(([group, own]) => {
    const each = own.map(
      (label) => html`<option${label === chosen ? html` selected` : null}>${label}</option>`,
    )
    return group === MOST_MAJOR || groups.length === 1
      ? each
      : html`<optgroup label="${nameOf(group)}">${each}</optgroup>`
  })
}

/** Breaking changes with boxes, and below them what to look at first. Ticks are not kept: Markdown has the same list. */
function checklists(language: PageLanguage, page: UpgradePage): Markup {
  const { words, number } = language
  const { checklist, lookFirst } = page.written
  const { breaking, unmarked } = page.verdict
  const shown = checklist.reduce((sum, { changes }) => sum + changes.length, 0)
  const listed = lookFirst.reduce((sum, { changes }) => sum + changes.length, 0)
  const noMark = fillText(words.verdict.noMark, {
    version: language.list(unmarked.map(({ label }) => label)),
  })
  const panel = (color: Kind, name: string, count: number, isFirst: boolean, body: Markup) =>
    html`<section class="release by-kind ${color}"${isFirst ? html` id="breaking"` : null}>
<div class="when"><h2 class="kind ${color}">${name} <small>${count > 0 ? number(count) : '?'}</small></h2>${isFirst ? html`<p class="copy"><a href="${markdownAddress(page.own)}">${words.release.asMarkdown}</a></p>` : null}</div>
<div class="part open ${color}">
${body}</div>
</section>
`
  const steps = (all: readonly WrittenStep[], isMarked: boolean) =>
    all.map((each) => step(language, page.info, each, isMarked))
  const marked = html`${steps(checklist, true)}${shown < breaking ? more(language, page, 'breaking', breaking) : null}`
  const rest = html`<p>${breaking === 0 && unmarked.length > 0 ? html`<strong>${noMark}</strong> ` : null}${listed > 0 ? words.verdict.lookHere : null}</p>
${steps(lookFirst, false)}`
  return html`${checklist.length > 0 ? panel('breaking', words.kinds.breaking, breaking, true, marked) : null}${
    lookFirst.length > 0
      ? panel('changed', words.verdict.mayBreak, listed, checklist.length === 0, rest)
      : null
  }`
}

/** A release without marks also links to all its changes. */
function step(
  language: PageLanguage,
  info: ChangelogInfo,
  { version, changes }: WrittenStep,
  isMarked: boolean,
): Markup {
  const href = versionLink(info, version)
  const { title } = shownName(version)
  const count = version.changes.length
  const isWhole = changes.filter((change) => change.version === version).length === count
  const { showAll, readAll } = language.words.release
  const all = count > 1 ? fillText(showAll, { count: language.number(count) }) : readAll
  return html`<section class="group">
<h3><a href="${href}"><span class="label">${version.label}</span></a>${title && html` <a dir="auto" href="${href}">${plainText(title)}</a>`} ${day(language, version.date)}</h3>
${
  changes.length === 0
    ? null
    : html`<ul class="todo">
${changes.map((each) => item(language, info, each, version, isMarked))}</ul>
`
}${isMarked || (count > 0 && isWhole) ? null : html`<p class="more"><a class="button" href="${href}">${language.onward(all)}</a></p>\n`}</section>
`
}

/** A change with a box. What is marked belongs to a major, perhaps by a later release; what is not has its kind. */
function item(
  language: PageLanguage,
  info: ChangelogInfo,
  change: WrittenPassed,
  head: PassedRelease,
  isMarked: boolean,
): Markup {
  const { version } = change
  const id = `do-${change.source.id}`
  const badges = isMarked
    ? signBadges(language, change, 'breaking')
    : html`${badge(language, kindOfChange(change.source))} `
  const { since, from } = language.words.verdict
  const where = fill(version.folded === 'prerelease' ? from : since, {
    version: html`<a class="at" href="${versionLink(info, version)}">${version.label}</a>`,
  })
  return html`<li>${pointTo(language, change.source.id, versionLink(info, version))}<input type="checkbox" id="${id}"><div dir="auto">${badges}<label for="${id}">${trusted(change.title)}</label>${change.tail && html` <span class="by">${trusted(change.tail)}</span>`}${
    version === head ? null : html` <span class="by">${where}</span>`
  }${textOf(change)}</div></li>
`
}

const section = (
  language: PageLanguage,
  page: UpgradePage,
  { kind, all, changes }: WrittenKind,
): Markup => html`<section class="release by-kind ${kind}" id="${kind}">
<div class="when"><h2 class="kind ${kind}">${language.words.kinds[kind]} <small>${language.number(all.length)}</small></h2></div>
<div class="part ${kind}"><ul class="since">
${changes.map(
  (change) =>
    html`<li${isListedAside(change.source) ? html` class="aside"` : null}><a href="${versionLink(page.info, change.version)}#${change.source.id}">${change.version.label}</a><div dir="auto">${changeOf(language, change, kind)}</div></li>\n`,
)}</ul>${changes.length < all.length ? more(language, page, kind, countOf(page, kind), changes.at(-1)?.version) : null}</div>
</section>
`

const changeOf = (language: PageLanguage, change: WrittenChange, kind: Kind): Markup =>
  html`${signBadges(language, change, kind)}${repeatsSummary(change) ? null : titleOf(change)}${textOf(change)}`

/** A closed part, for changes that can wait. */
function folded(language: PageLanguage, page: UpgradePage, { kind, all, changes }: WrittenKind): Markup {
  const { words, number, counted } = language
  const releases = [...Map.groupBy(all, ({ version }) => version)]
  const [most, own] = releases.reduce((one, other) => (other[1].length > one[1].length ? other : one))
  const version = html`<bdi>${most.label}</bdi>`
  const count = counted(words.changelog.releases, releases.length)
  const isEven = own.length * releases.length === all.length
  const where =
    releases.length === 1 ? version : isEven ? count : fill(words.verdict.where, { releases: count, version })
  return html`<details class="fold" id="${kind}">
<summary><h2 class="kind ${kind}">${words.kinds[kind]} <small>${number(all.length)}</small></h2><span>${where}</span></summary>
<div><ul class="since">
${[...Map.groupBy(changes, ({ version }) => version)].map(
  ([
    version,
    own,
  ]) => html`<li><a href="${versionLink(page.info, version)}">${version.label}</a><ul class="changes">
${own.map((change) => html`<li dir="auto">${pointTo(language, change.source.id, versionLink(page.info, version))}${changeOf(language, change, kind)}</li>\n`)}</ul></li>
`,
)}</ul>${changes.length < all.length ? more(language, page, kind, countOf(page, kind)) : null}</div>
</details>
`
}

/** Pre-releases, and releases that only update dependencies: they count nowhere above. */
function notListed({ words, counted, list }: PageLanguage, { verdict, info }: UpgradePage): Markup | null {
  const { folded } = verdict
  if (folded.length === 0) return null
  const count = (why: PassedRelease['folded'], forms: Plural) => {
    const own = folded.filter((release) => release.folded === why).length
    return own > 0 ? [counted(forms, own)] : []
  }
  const releases = list([
    ...count('prerelease', words.verdict.prereleases),
    ...count('dependencies', words.verdict.updates),
  ])
  return html`<details class="not-listed">
<summary>${fillText(words.verdict.notListed, { releases })}</summary>
<p>${folded.map((version, at) => html`${at > 0 ? ', ' : null}<a href="${versionLink(info, version)}"><bdi>${version.label}</bdi></a>`)}</p>
</details>
`
}

/** How many changes the page of a kind has: those that are above as breaking too. */
const countOf = ({ verdict }: UpgradePage, kind: Kind): number =>
  verdict.changes.filter(({ change }) => isOfKind(change, [kind])).length

/** A link to all of a kind, or, from there, to the release that is longer than a page. */
function more(
  { words: { release: texts }, number, onward }: PageLanguage,
  { info, between, kind: own }: UpgradePage,
  kind: Kind,
  count: number,
  last?: PassedRelease,
): Markup {
  const [href, text] =
    own !== null && last
      ? [versionLink(info, last), texts.readAll]
      : [upgradeHref(changelogLink(info), between, kind), fillText(texts.showAll, { count: number(count) })]
  return html`<p class="more"><a class="button" href="${href}">${onward(text)}</a></p>`
}

/** The order is that of the parameters of a changelog page. */
export const upgradeHref = (
  path: string,
  { from, to, ...filter }: UpgradeRange,
  kind: Kind | null = null,
  after: Cursor | null = null,
): string =>
  withQuery(path, { kind, ...versionFilter(filter), cursor: after && writeCursor(after), from, to })
