import { ACTS } from '../../acts/acts.ts'
import { publicBase, withoutScheme } from '../../domain/addresses/paths.ts'
import type { Instant, Product, Team } from '../../domain/records.ts'
import { hiddenChangelog } from '../../domain/versions/hidden.ts'
import { hasNumber, labelInWords, shownName } from '../../domain/versions/names.ts'
import { fill, html, type Markup } from '../../notes/html/markup.ts'
import { plainText } from '../../notes/html/render.ts'
import type { Records } from '../../store/records/records.ts'
import type { ProductSummary } from '../../store/records/types.ts'
import { deskPage, whoIs } from '../layout.ts'
import { moment } from '../moments.ts'
import { type SourceState, sourceLines, sourceStates } from '../sources.ts'
import { type Desk, homeHref, may, mayWrite, productHref, type Visit, versionHref } from '../visit.ts'
import { startPage } from './start.ts'

/** More products than anybody looks through: the rest has addresses of its own. */
const MOST_PRODUCTS = 300

interface Listed {
  product: ProductSummary
  newest: { label: string; title: string | null; date: Instant } | null
  source: SourceState | null
}

/** The products of the teams, or how to begin. */
export async function homePage(visit: Visit): Promise<Response> {
  const { desk } = visit
  const states = await sourceStates(desk)
  const { listed, teams } = await desk.read(async (records) => {
    const own = (await records.teams.list()).filter(({ slug }) => mayWrite(visit, slug))
    const products = (await records.products.list()).filter(({ team }) => mayWrite(visit, team.slug))
    const shown = products.slice(0, MOST_PRODUCTS)
    const listed: Listed[] = []
    for (const product of shown) listed.push(await listedOf(records, product, states))
    return { listed, teams: own }
  })
  const mayCreate = may(visit, ACTS.createProduct.needs)
  if (listed.length === 0 && mayCreate) return startPage(visit)
  const { words, site, config } = desk
  const byTeam = Map.groupBy(listed, ({ product }) => product.team.id)
  return deskPage(desk, {
    title: site.title,
    body: html`<header>
<div class="bar"><span>${config.siteName || withoutScheme(publicBase(config))}</span>${whoIs(visit)}</div>
<div class="head"><div><h1>${words.desk.name}</h1></div>
<div class="tools">${mayCreate ? html`<a class="button" href="${homeHref(desk)}start">${words.home.newProduct}</a>` : null}</div></div>
</header>
<main>
${teams.map((team) => teamPart(desk, team, byTeam.get(team.id) ?? []))}</main>`,
  })
}

async function listedOf(records: Records, product: ProductSummary, states: ReadonlyMap<string, SourceState>) {
  const found = product.latest === null ? null : await records.versions.find(product, product.latest)
  const newest = found && { label: found.label, title: shownName(found).title, date: found.publishedAt }
  return { product, newest, source: states.get(product.id) ?? null }
}

const teamPart = (desk: Desk, team: Team, listed: readonly Listed[]): Markup | null =>
  listed.length === 0
    ? null
    : html`<h2 class="team"><bdi>${team.name}</bdi>${
        team.visibility === 'private'
          ? html` <span class="badge warning">${desk.words.states.hidden}</span> <small>${desk.words.home.privateTeam}</small>`
          : null
      }</h2>
<ul class="rows desk-products">
${listed.map((each) => productRow(desk, each))}</ul>
`

function productRow(desk: Desk, { product, newest, source }: Listed): Markup {
  const { words, language } = desk
  const name = { team: product.team.slug, product: product.slug }
  const href = productHref(desk, name)
  const title = newest?.title == null ? null : html`<span dir="auto">${plainText(newest.title)}</span> `
  return html`<li>
<div><p class="card"><a href="${href}"><bdi>${product.name}</bdi>${newest && hasNumber(newest.label) ? html` <code>${newest.label}</code>` : null}</a></p>
<p class="quiet">${newest ? html`${title}<time>${language.day(newest.date)}</time>` : words.home.noRelease}</p></div>
<div class="states">${stateLines(desk, product, href)}${source && sourceLines(desk, source)}</div>
<a class="button" href="${versionHref(desk, name, 'new')}" aria-label="${words.home.newReleaseOf.replace('{product}', product.name)}">${words.home.newRelease}</a>
</li>
`
}

/** Why it is hidden, its drafts, and what is scheduled. */
function stateLines(desk: Desk, product: ProductSummary, href: string): Markup[] {
  const { words, language } = desk
  const { nextScheduled } = product
  const draftCount = product.draftCount - product.scheduledCount
  const scheduled = nextScheduled.label !== null && nextScheduled.publishedAt !== null ? nextScheduled : null
  return [
    ...hiddenWhy(desk, product).map(
      (why) => html`<p><span class="badge warning">${words.states.hidden}</span> ${why}</p>\n`,
    ),
    ...(draftCount === 0
      ? []
      : [
          html`<p><a class="badge draft" href="${href}?state=draft">${language.counted(words.home.drafts, draftCount)}</a></p>\n`,
        ]),
    ...(scheduled
      ? [
          html`<p><a class="badge scheduled" href="${href}?state=scheduled">${words.states.scheduled}</a> <span>${fill(words.home.at, { label: html`<code>${labelInWords(scheduled.label ?? '')}</code>`, time: moment(desk, scheduled.publishedAt ?? 0) })}</span></p>\n`,
        ]
      : []),
  ]
}

/** The reasons of the product itself: those of its team stand beside the team. */
export function hiddenWhy({ words }: Desk, product: Product): string[] {
  const codes = new Set(hiddenChangelog(product).map(({ code }) => code))
  if (codes.has('locked_product') || codes.has('locked_changelog')) return [words.home.locked]
  return codes.has('draft_product') || codes.has('draft_changelog') ? [words.home.draftProduct] : []
}
