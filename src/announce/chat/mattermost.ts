import { type Dialect, encoded, MARKDOWN, unnamed, upTo } from './markdown.ts'
import { type Outline, postOf } from './outline.ts'

/** A longer text becomes several posts. In characters. */
const POST = 16_383

/** Mattermost reads `<a|b>`, `<!channel>` and `<id>` as Slack does, also within code, so text has no `<`. */
const text = (plain: string): string =>
  unnamed(plain.replace(/[\\`*_[\]~|]|^[#>+-]|(?<=^\d+)[.)]/g, '\\$&'))
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')

/** Its Markdown knows fewer escapes than Discord's. */
const POSTED: Dialect = {
  ...MARKDOWN,
  text,
  code: (plain) => (/<[^<>|]+\||<[!@]/.test(plain) ? text(plain) : MARKDOWN.code(plain)),
  a: (inner, url) => `[${inner}](${encoded(url, /[()<>|\s]/g)})`,
}

/** An incoming webhook of Mattermost. */
export const mattermostBody = (outline: Outline): string =>
  JSON.stringify({ text: upTo(POST, postOf(outline, POSTED, '- ')) })
