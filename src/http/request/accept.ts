import { weightsIn } from '../weights.ts'

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
