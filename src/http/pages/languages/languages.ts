import type { Language } from '../../../domain/records.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Words } from './words.ts'

export const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, es, ja, ar }

/** What the widget needs of every language: the names of texts, and each text at the place of its name, which is shorter. */
export function widgetLanguages() {
  const all = Object.entries(WORDS).map(([code, { locale, direction, kinds, widget }]) => {
    const texts = { locale, direction, ...kinds, ...widget }
    return [code, texts] as const
  })
  const names = Object.keys(all[0]?.[1] ?? {}) as (keyof (typeof all)[0][1])[]
  const languages = all.map(([code, texts]) => [code, names.map((name) => texts[name])])
  return { names, languages: Object.fromEntries(languages) }
}
