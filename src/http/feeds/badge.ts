import { printable } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { html } from '../../notes/html/markup.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { checkedNames, type Names } from '../reading/addresses.ts'
import type { Asked } from '../reading/parameters.ts'
import { readFirst, readLatest } from '../reading/slices.ts'
import type { Site } from '../site/site.ts'
import { fileHeaders } from './body.ts'

const HEIGHT = 20
const PADDING = 6
/** In characters. */
const MAX_LABEL = 40

/** The version that `latest` means as a picture, for other sites. */
export function badge(asked: Asked<keyof Names>): Promise<Response> {
  const { responder, site, context, params: names } = asked
  return responder.short(context, checkedNames(names), async (reads) => {
    const latest = await readLatest(reads, names)
    const read = latest ?? (await readFirst(reads, names, null))
    if (!read) return null
    const text = writeBadge(site().in(read), read, latest?.version.label)
    return { kind: 'body', text, headers: fileHeaders(asked), type: 'image/svg+xml' }
  })
}

/** An SVG picture of the newest version, or of none yet. It has neither styles nor scripts. */
function writeBadge(site: Site, { changelog }: ChangelogInfo, newest?: string): string {
  const { badge } = site.language.words
  const [name, version] = [badge.name, cut(printable(newest ?? badge.none), MAX_LABEL)]
  const title = `${printable(changelog.name)}: ${version}`
  const [left, right] = [widthOf(name) + 2 * PADDING, widthOf(version) + 2 * PADDING]
  // The text is as wide as its box, in whatever font a reader has.
  const text = (words: string, start: number, width: number) =>
    html`<text x="${start + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${words}</text>`
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="c"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#c)"><rect width="${left}" height="${HEIGHT}" fill="#3d434d"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${site.brandColor}"/></g>
<g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11">${text(name, 0, left)}${text(version, left, right)}</g>
</svg>
`.toString()
}

/** How wide characters are in Verdana of this size, about. */
const WIDTHS: readonly [RegExp, number][] = [
  [/^[fijlrtI.,:;|!'()[\] -]/, 4.5],
  [/^[mwMW@%]/, 10.5],
  [/^[A-Z]/, 7.8],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}]/u, 11],
  [/^/, 7],
]

function widthOf(text: string): number {
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text))
    width += WIDTHS.find(([characters]) => characters.test(segment))?.[1] ?? 0
  return Math.ceil(width)
}
