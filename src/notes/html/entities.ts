const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: '\u00A0',
}

const ENTITY = /&(amp|lt|gt|quot|nbsp|#39|#x27);/g

/** A text of HTML as it is shown, if it has no entities but those which escaping writes; otherwise null. */
export function unescapeHtml(html: string): string | null {
  if (/&(#|\w+;)/.test(html.replace(ENTITY, ''))) return null
  return html.replace(ENTITY, (_, name: string) => CHARACTERS[name] as string)
}
