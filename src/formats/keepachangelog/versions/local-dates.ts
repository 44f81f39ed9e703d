import { localForms } from './local-forms.ts' with { type: 'macro' }

/** Dates as other languages write them. Months and orders are those of `Intl`, see local-forms.ts. */

let forms: ReturnType<typeof localForms> | undefined
let allWords: ReadonlySet<string> | undefined
/** By their source, made when a text first may have such a date. */
const patterns = new Map<string, RegExp>()

/** Dates in a text, first those with a day. */
export function* localDates(text: string): Generator<{ match: RegExpExecArray; month: number }> {
  if (!/(?<!\d)(?:19|20)\d\d(?!\d)/.test(text)) return
  forms ??= localForms()
  allWords ??= new Set(forms.flatMap((form) => form.words))
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => allWords?.has(word))
  if (words.length === 0) return
  for (const form of forms) {
    if (!words.some((word) => form.words.includes(word))) continue
    const pattern = patterns.get(form.source) ?? new RegExp(form.source, 'giu')
    patterns.set(form.source, pattern)
    for (const match of text.matchAll(pattern)) {
      const name = match.groups?.month ?? ''
      const month = form.months.lastIndexOf(name.toLowerCase().replace(/\.$/, '')) + 1
      if (month > 0) yield { match, month }
    }
  }
}
