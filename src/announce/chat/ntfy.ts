import { cut } from '../../domain/text/cut.ts'
import { type Dialect, upTo } from './markdown.ts'
import { linesOf, type Outline } from './outline.ts'

/** In bytes; a longer message becomes a file. */
const MESSAGE = 4_096
/** In characters, of at most three bytes: ntfy refuses more than 1 KB. */
const TITLE = 200
const HIGH = '4'

const same = (text: string): string => text

/** Some of its apps show Markdown as it is written. */
const PLAIN: Dialect = { text: same, strong: same, em: same, del: same, code: same, a: same }

/** A message of ntfy and its parameters. One without text would say "triggered". */
export function ntfyBody(outline: Outline): string {
  const { headline, url, isUrgent } = outline
  const title = cut(headline, TITLE)
  const lines = linesOf(outline, PLAIN, '• ')
  return JSON.stringify({
    message: lines.length === 0 ? title : upTo(MESSAGE, lines, Buffer.byteLength),
    ...(lines.length > 0 && { title }),
    ...(url !== null && { click: url }),
    tags: isUrgent ? 'warning' : 'package',
    ...(isUrgent && { priority: HIGH }),
  })
}

/** Parameters of the address take precedence. Its `token` becomes a header. */
export function ntfyRequest({ origin, pathname, searchParams }: URL, body: string) {
  const { message, ...parameters } = JSON.parse(body) as Record<string, string>
  const { token, ...all } = { ...parameters, ...Object.fromEntries(searchParams) }
  return {
    url: `${origin}${pathname}?${new URLSearchParams(all)}`,
    body: message ?? '',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  }
}
