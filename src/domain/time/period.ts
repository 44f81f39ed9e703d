import type { Instant } from '../records.ts'
import { dayIn } from './date-forms.ts'
import { DAY_MS, parseInstant } from './time.ts'

/** The year, the month, the day or the moment that a text names, and where it ends; null for other texts. */
export function spanOf(text: string): { start: Instant; end: Instant } | null {
  const [isOpen, year = '', month] = /^(\d{4})(?:-(\d\d))?$/.exec(text) ?? []
  const start = parseInstant(isOpen ? `${year}-${month ?? '01'}-01` : (dayIn(text) ?? text))
  if (start === null) return null
  const end = isOpen ? Date.UTC(Number(year), Number(month ?? 12)) : start + (text.includes(':') ? 1 : DAY_MS)
  return { start, end }
}
