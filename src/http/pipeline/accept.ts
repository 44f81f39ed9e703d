const MARKDOWN = 'text/markdown'

/**
 * Whether a client prefers Markdown to HTML: `Accept` must name it with at least the weight of HTML, which may be meant
 * by a wildcard. Browsers and feed readers do not name it.
 */
export function prefersMarkdown(accept: string | null): boolean {
  if (accept === null) return false
  if (accept !== known.accept) known = { accept, isMarkdown: weigh(accept.toLowerCase()) }
  return known.isMarkdown
}

/** The last one: a client sends the same with every request. */
let known = { accept: '', isMarkdown: false }

function weigh(accept: string): boolean {
  if (!accept.includes(MARKDOWN)) return false
  const weights = new Map(accept.split(',').map(weightOf))
  const markdown = weights.get(MARKDOWN) ?? 0
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  return markdown > 0 && markdown >= html
}

/** A media type and its weight from 0 to 1; one that cannot be read is 0. */
function weightOf(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  if (weight === undefined) return [type, 1]
  return [type, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
}
