import type { AuthoredWords } from '../../../words/languages.ts'

const KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const

const ALERT = new RegExp(
  `<blockquote>\\s*<p>\\[!(${KINDS.join('|')})\\][ \\t]*(?:(?:<br ?/?>)?\\n|(</p>))`,
  'gi',
)

/** HTML in which quotes that begin with `[!NOTE]` and the like have a class and begin with that name. */
export function markAlerts(html: string, words: AuthoredWords): string {
  if (!html.includes('[!')) return html
  return html.replace(ALERT, (_, name: string, end: string | undefined) => {
    const kind = name.toLowerCase() as (typeof KINDS)[number]
    return `<blockquote class="alert ${kind}">\n<p><strong>${words[kind]}</strong></p>\n${end ? '' : '<p>'}`
  })
}
