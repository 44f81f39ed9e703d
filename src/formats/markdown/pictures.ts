import { decodeString } from 'micromark-util-decode-string'
import { pictureAddress } from '../../domain/pictures.ts'
import { escapeInline } from './inline.ts'
import { targetOf } from './labels.ts'
import { isComment, type Node } from './nodes.ts'
import { MarkdownDocument } from './source.ts'

/** The Markdown that shows a picture. */
export const pictureMarkdown = (id: string, alt: string): string =>
  `![${escapeInline(alt)}](${pictureAddress(id)})`

/** Other texts show none, and need not be parsed. */
const MAY_SHOW = /!\[|<img\b/i
/** What an image ends with: `](address "title")`. */
const TARGET = /^(.*\]\([ \t\n]*)(<[^<>\n]*>|[^\s<]\S*?)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t\n]*\)$/s
const TAG = /(<img\b(?:[^<>]*?\s)?src\s*=\s*)("[^"<>]*"|'[^'<>]*')/gi

/** The text of a version with other addresses of the pictures that it shows, where `to` has one. Code shows none. */
export function withAddresses(text: string, to: (address: string) => string | undefined): string {
  if (!MAY_SHOW.test(text)) return text
  let result = ''
  let done = 0
  const put = (start: number, written: string, address: string) => {
    const other = to(address)
    if (other === undefined) return
    const quote = /^["']/.exec(written)?.[0] ?? ''
    result += text.slice(done, start) + quote + other + quote
    done = start + written.length
  }
  const look = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const { type, value, start } = node
      if (type === 'image') {
        const [, before = '', target] = TARGET.exec(value) ?? []
        if (target !== undefined) put(start + before.length, target, targetOf(target, null).url)
      } else if (type === 'html' && !isComment(node)) {
        for (const { index, 1: before = '', 2: quoted = '' } of value.matchAll(TAG))
          put(start + index + before.length, quoted, decodeString(quoted.slice(1, -1)))
      } else if (type !== 'code' && MAY_SHOW.test(value)) look(node.children)
    }
  }
  look(new MarkdownDocument(text).blocks())
  return result + text.slice(done)
}
