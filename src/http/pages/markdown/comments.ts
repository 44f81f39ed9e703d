/** A comment that ends at the same place for markdown and for browsers. */
const COMMENT = /<!--(?!-?>)(?:(?!--!?>|<!--)[\s\S])*-->/g

/**
 * Markdown that was rendered with its HTML, without its comments; null if it has other HTML. `shown` is the same markdown
 * rendered with HTML as text: if both differ in comments only, nothing else in it is HTML of the author.
 */
export function withoutComments(rendered: string, shown: string): string | null {
  if (rendered === shown) return rendered
  const asText = rendered.replace(COMMENT, (comment, at: number) =>
    isAlone(rendered, at, at + comment.length) ? `<p>${escaped(comment)}</p>` : escaped(comment),
  )
  return asText === shown ? rendered.replace(COMMENT, '') : null
}

/** Whether nothing else is on these lines. As text it is a paragraph. */
const isAlone = (text: string, start: number, end: number): boolean =>
  (start === 0 || text[start - 1] === '\n') && text[end] === '\n'

/** As the renderer escapes texts. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
