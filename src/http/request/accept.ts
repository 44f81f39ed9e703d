const MARKDOWN = 'text/markdown'

/**
 * True if a client prefers Markdown to HTML: `Accept` must name it with at least the weight of HTML, which may be meant
 * by a wildcard. Browsers and feed readers do not name it.
 */
export function prefersMarkdown(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes(MARKDOWN)) return false
  const weights = weightsIn(accept)
  const markdown = weights.get(MARKDOWN) ?? 0
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  return markdown > 0 && markdown >= html
}

/** The most entries of a header that are read. */
const MAX_ENTRIES = 16

/** Names in a header such as `Accept`, with weights from 0 to 1: 0 for one that cannot be read. */
export const weightsIn = (header: string): ReadonlyMap<string, number> =>
  new Map(header.toLowerCase().split(',', MAX_ENTRIES).map(weightOf))

function weightOf(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  if (weight === undefined) return [name, 1]
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
}
