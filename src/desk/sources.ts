import { withoutScheme } from '../domain/addresses/paths.ts'
import type { Instant } from '../domain/records.ts'
import { fill, html, type Markup } from '../notes/html/markup.ts'
import { moment } from './moments.ts'
import type { Desk } from './visit.ts'

/** Where a followed product comes from, and how its last check went. */
export interface SourceState {
  url: string
  checkedAt: Instant | null
  failure: { reason: string; since: Instant } | null
}

/** By the id of the product. */
export async function sourceStates(desk: Desk): Promise<ReadonlyMap<string, SourceState>> {
  const followed = await desk.read((records) => records.sources.list())
  const checks = followed.length === 0 ? new Map<string, never>() : await desk.bookkeeping.sourceChecks.all()
  return new Map(
    followed.map(({ source, product }) => {
      const check = checks.get(source.id)
      return [
        product.id,
        { url: source.url, checkedAt: check?.checkedAt ?? null, failure: check?.failure ?? null },
      ]
    }),
  )
}

export function sourceLines(desk: Desk, { url, checkedAt, failure }: SourceState): Markup {
  const { words } = desk
  const address = /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noreferrer">${withoutScheme(url)}</a>`
    : html`<code>${url}</code>`
  return html`<p><span>${fill(words.source.from, { source: address })}</span></p>
<p>${
    failure
      ? html`<span class="badge caution">${words.source.failing}</span> <span dir="auto">${failure.reason}</span> ${fill(words.source.since, { time: moment(desk, failure.since) })}`
      : checkedAt === null
        ? words.source.notChecked
        : fill(words.source.checked, { time: moment(desk, checkedAt) })
  }</p>
`
}
