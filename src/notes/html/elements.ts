/** HTML that authors may write, as on GitHub, and the attributes that stay. All other HTML is shown as text. */
export const AUTHORED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...named('br hr em strong b i s del ins mark small sub sup kbd code span', []),
    ...named('pre blockquote ul li dl dt dd summary picture table caption thead tbody tfoot tr', []),
    ...named('p div h1 h2 h3 h4 h5 h6', ['align']),
    ...named('th td', ['align', 'colspan', 'rowspan']),
    a: ['href', 'title'],
    details: ['open'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    input: ['type', 'checked', 'disabled'],
    ol: ['start'],
    source: ['media', 'srcset'],
  }),
)

/** Elements that may be part of a line. */
export const PHRASES: ReadonlySet<string> = new Set(
  'br em strong b i s del ins mark small sub sup kbd code span a img'.split(' '),
)

function named(names: string, attributes: string[]): Record<string, string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, attributes]))
}

const TAG = new RegExp(`<(?:!--|/?(?:${[...AUTHORED.keys()].join('|')})(?=[\\s/>]))`, 'i')

/** False if markdown has no HTML or comments, so that it needs no sanitizer. */
export const mayHaveHtml = (markdown: string): boolean => TAG.test(markdown)
