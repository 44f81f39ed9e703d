/** The names of alerts, as they are shown. */
const NAMES: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
}

const ALERT = new RegExp(
  `<blockquote>\\s*<p>\\[!(${Object.keys(NAMES).join('|')})\\][ \\t]*(?:(?:<br ?/?>)?\\n|(</p>))`,
  'gi',
)

/** HTML in which quotes that begin with `[!NOTE]` and the like have a class and begin with that name. */
export function markAlerts(html: string): string {
  if (!html.includes('[!')) return html
  return html.replace(ALERT, (_, name: string, end: string | undefined) => {
    const kind = name.toLowerCase()
    return `<blockquote class="alert ${kind}">\n<p><strong>${NAMES[kind]}</strong></p>\n${end ? '' : '<p>'}`
  })
}
