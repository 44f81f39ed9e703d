import { replaceInText, textPattern } from '../in-text.ts'

const SHORTCODE = /(?<![\w/]):(?<name>[a-z0-9_+-]+):(?!\w)/
const IN_TEXT = textPattern(SHORTCODE, ['pre', 'code'])

/** HTML in which `:tada:` and the other names that GitHub has for emoji are the emoji. */
export function showEmoji(html: string): string {
  if (!SHORTCODE.test(html)) return html
  const { nameToEmoji } = require('./emoji-names.ts') as typeof import('./emoji-names.ts')
  return replaceInText(html, IN_TEXT, ({ name }) =>
    name !== undefined && Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? null) : null,
  )
}
