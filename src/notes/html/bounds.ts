import { cutAtLine } from '../../domain/text/cut.ts'

/** Bounds length, elements and depth of rendered HTML: it can be a thousand times as long as its markdown. */

/** The most HTML per visible character: more would delay other requests. */
const MAX_GROWTH = 5
export const MAX_ELEMENTS = 1_500

/** The depth of nested quotes and lists. */
const MAX_DEPTH = 16
/** `isCut` if it is only the beginning. */
export interface Rendered {
  html: string
  isCut: boolean
}

/** Renders a text. Intermediate HTML goes through `bounded`, which throws if it is already too much. */
export type Render = (text: string, bounded: (html: string) => string) => string

/** Renders at most `length` characters of a text, or as many from its beginning as the bounds allow. */
export function renderWithin(source: string, length: number, render: Render): Rendered {
  const bounded = (html: string): string => {
    const share = shareWithin(html, length * MAX_GROWTH)
    if (share < 1) throw new Excess(share)
    return html
  }
  let text = cutAtLine(source, Math.min(length, tableEnd(source.slice(0, length))))
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const isCut = text.length < source.length
    try {
      return { html: bounded(flat(render(isCut ? `${text}\n\n…` : text, bounded))), isCut }
    } catch (error) {
      if (!(error instanceof Excess)) throw error
      text = cutAtLine(text, Math.floor(text.length * error.share * MARGIN))
    }
  }
  // The beginning is harmless, but not the rest: it is shown as text.
  return {
    html: `<p>${Bun.escapeHTML(text.slice(0, (length * MAX_GROWTH) / LONGEST_ENTITY))}…</p>`,
    isCut: true,
  }
}

/** Only a share of a text is within the bounds. */
class Excess extends Error {
  constructor(readonly share: number) {
    super('too long')
  }
}

/** Attempts with a shorter text, and the margin for parts that grow more than the average. */
const MAX_ATTEMPTS = 3
const MARGIN = 0.8
const LONGEST_ENTITY = '&quot;'.length

/** The share of the HTML within the bounds, from 0 to 1. */
function shareWithin(html: string, length: number): number {
  if (html.length > length) return length / html.length
  const elements = html.match(/<(?!\/)/g)?.length ?? 0
  return elements > MAX_ELEMENTS ? MAX_ELEMENTS / elements : 1
}

const NESTING = /<(\/?)(ul|ol|blockquote|li)\b[^>]*>/g

/** Flattens quotes and lists that are too deep: their items become lines of the deepest one. */
function flat(html: string): string {
  let depth = 0
  return html.replace(NESTING, (tag, slash: string, name: string) => {
    if (name === 'li') return depth <= MAX_DEPTH ? tag : slash ? '' : '<br>'
    if (!slash) depth++
    const isShown = depth <= MAX_DEPTH
    if (slash) depth--
    return isShown ? tag : ''
  })
}

const DELIMITERS = /^[ \t>]*[|:-][ \t|:-]*$/

/** Where tables have too many cells: every row has as many as the line below the first, even if it is empty. */
function tableEnd(text: string): number {
  if (!text.includes('|')) return text.length
  let [cells, columns, at] = [0, 0, 0]
  for (const line of text.split('\n')) {
    if (/^[ \t>]*$/.test(line)) columns = 0
    else if (line.includes('|') && DELIMITERS.test(line)) columns = Math.max(columns, line.split('|').length)
    cells += columns
    if (cells > MAX_ELEMENTS) return at
    at += line.length + 1
  }
  return text.length
}
