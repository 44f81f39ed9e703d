/** The texts of a version and of its changes, or of one of those. */
export interface Texts {
  title?: string
  description?: string | null
  closing?: string | null
  source?: string | null | undefined
  changes?: readonly Texts[]
}

const NAMES = ['title', 'description', 'closing', 'source'] as const

/** The same with other texts. What no text of differs is the same object. */
export function mapTexts<T extends Texts>(texts: T, to: (text: string) => string): T {
  let result = texts
  for (const name of NAMES) {
    const text = texts[name]
    const other = text ? to(text) : text
    if (other !== text) result = { ...result, [name]: other }
  }
  const changes = texts.changes?.map((change) => mapTexts(change, to))
  return changes?.some((change, at) => change !== texts.changes?.[at]) ? { ...result, changes } : result
}
