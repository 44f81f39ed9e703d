/**
 * Reads the inline markdown of titles for what shows no HTML: the widget, chats and the terminal. It is a part of the widget,
 * so it is small.
 */

export type Inline = string | Marked

export interface Marked {
  mark: 'strong' | 'emphasis' | 'deleted' | 'code' | 'link'
  /** Of a link: http or https. */
  href: string
  content: Inline[]
}

/** An escape, a character, code, a picture, a link, an address, a comment or tag, strong, deleted and emphasized text. */
const INLINE = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/u,
    /&(?<character>amp|lt|gt|quot|nbsp|#39);/u,
    /(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\k<ticks>(?!`)/u,
    /!?\[(?<label>(?:\\.|[^\\[\]]|\[[^[\]]*\])*)\]\((?<href>[^\s()]*)(?: "[^"]*")?\)/u,
    /<?(?<address>https?:\/\/[^\s<>]*[^\s<>.,:;!?'")\]*_~])>?/u,
    /(?<tag><!--.*?(?:-->|$)|<\/?(?:a|b|blockquote|br|code|del|details|div|em|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|s|script|small|source|span|strong|style|su[bp]|summary|svg|t[dhr]|table|tbody|thead|u|ul)(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?\/?>)/u,
    /(?<double>\*\*|__|~~)(?=\S)(?<strong>.+?)(?<=\S)\k<double>(?!\*)/u,
    /(?<single>\*|(?<![\p{L}\p{N}])_)(?=[^\s*_])(?<emphasis>.+?)(?<=[^\s*_])\k<single>(?![\p{L}\p{N}_*])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gisu',
)
const MARKS = { '**': 'strong', __: 'strong', '~~': 'deleted', '*': 'emphasis', _: 'emphasis' } as const
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0', '#39': "'" }

/** Within a link, links are their text. */
export function readInline(text: string, isLinked = false): Inline[] {
  const parts: Inline[] = []
  const add = (mark: Marked['mark'], content: Inline[], href = '') => parts.push({ mark, href, content })
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [all] = match
    const { escaped, character, code, label, href = '', address, tag, ...marked } = match.groups ?? {}
    parts.push(text.slice(end, match.index))
    if (escaped) parts.push(escaped)
    else if (character) parts.push(CHARACTERS[character as 'amp'])
    else if (code) add('code', [code])
    else if (address && isLinked) parts.push(address)
    else if (address) add('link', [address], address)
    else if (label !== undefined) {
      // A picture becomes its description, and a relative link its text.
      const isText = isLinked || all[0] === '!' || !/^https?:/.test(href)
      if (isText) parts.push(...readInline(label, isLinked))
      else add('link', readInline(label, true), href)
    } else if (!tag) {
      const { double, single, strong, emphasis } = marked
      add(MARKS[(double ?? single) as '*'], readInline((strong ?? emphasis) as string, isLinked))
    }
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}

/** Without its marks. */
export const plainInline = (parts: readonly Inline[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : plainInline(part.content))).join('')
