/**
 * Reads the inline markdown of titles for what shows no HTML: the widget, chats and the terminal. It is a part of the widget,
 * so it is small.
 */

/** Named as in HTML. */
export type Mark = 'strong' | 'em' | 'del' | 'code' | 'a'

/** Makes something of a marked text. A link has an address of http or https. */
export type Make<Made> = (mark: Mark, content: (string | Made)[], href?: string) => Made

export type Inline = string | Marked

export interface Marked {
  mark: Mark
  href: string
  content: Inline[]
}

/** An escape, code, a picture, a link, an address, a comment or tag, strong, deleted and emphasized text. */
const INLINE = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/u,
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
const MARKS = { '**': 'strong', __: 'strong', '~~': 'del', '*': 'em', _: 'em' } as const

/** Within a link, links are their text. `picture` gets the description of a picture, which takes its place. */
export function inlineOf<Made>(
  text: string,
  make: Make<Made>,
  isLinked = false,
  picture: (description: (string | Made)[]) => (string | Made)[] = (description) => description,
): (string | Made)[] {
  const parts: (string | Made)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [all] = match
    const found = match.groups as Record<string, string>
    const { escaped, code, label, href = '', address } = found
    parts.push(text.slice(end, match.index))
    if (escaped) parts.push(escaped)
    else if (code) parts.push(make('code', [code]))
    else if (address) parts.push(isLinked ? address : make('a', [address], address))
    else if (label !== undefined) {
      const isPicture = all[0] === '!'
      // A relative link becomes its text.
      const isText = isLinked || isPicture || !/^https?:/.test(href)
      const content = inlineOf(label, make, isLinked || !isText, picture)
      if (isPicture) parts.push(...picture(content))
      else parts.push(...(isText ? content : [make('a', content, href)]))
    } else if (!found.tag) {
      const content = inlineOf(found.strong ?? found.emphasis ?? '', make, isLinked, picture)
      parts.push(make(MARKS[(found.double ?? found.single) as '*'], content))
    }
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}

/** With character references, which are rare, as characters. */
export const readInline = (text: string, picture?: (description: Inline[]) => Inline[]): Inline[] =>
  inlineOf<Marked>(
    text,
    (mark, content, href = '') => ({
      mark,
      href,
      content: mark === 'code' ? content : content.map(decoded),
    }),
    false,
    picture,
  ).map(decoded)

const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0', '#39': "'" }

const decoded = (part: Inline): Inline =>
  typeof part === 'string'
    ? part.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name) => CHARACTERS[name as 'amp'])
    : part

/** Without its marks. */
export const plainInline = (parts: readonly Inline[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : plainInline(part.content))).join('')
