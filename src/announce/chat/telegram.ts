import { type Dialect, encoded, escaped, unnamed, upTo } from './markdown.ts'
import { type Outline, postOf } from './outline.ts'

/** In characters; tags do not count there. */
const TEXT = 4_096

const text = (plain: string): string => escaped(unnamed(plain))

/** Code may be within no other element, so they end before it and go on behind it. */
const around = (tag: string) => (inner: string) =>
  `<${tag}>${inner.replace(/<code>.*?<\/code>/g, `</${tag}>$&<${tag}>`)}</${tag}>`

const HTML: Dialect = {
  text,
  strong: around('b'),
  em: around('i'),
  del: around('s'),
  code: (plain) => `<code>${escaped(plain)}</code>`,
  a: (inner, url) => `<a href="${encoded(escaped(url), /"/g)}">${inner.replace(/<\/?code>/g, '')}</a>`,
}

/** The method `sendMessage` of Telegram, in its HTML. */
export const telegramBody = (outline: Outline): string =>
  JSON.stringify({
    text: upTo(TEXT, postOf(outline, HTML, '• ')),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  })

/** Telegram takes all parameters in one way, so those of the address join the message. */
export const telegramRequest = ({ origin, pathname, searchParams }: URL, body: string) => ({
  url: origin + pathname,
  body: JSON.stringify({ ...Object.fromEntries(searchParams), ...JSON.parse(body) }),
  headers: {},
})
