import type { ChangeDraft } from '../../../domain/records.ts'
import { readNumber } from '../../../domain/versions/number.ts'

/** Kinds that are told by what a file says elsewhere, which is known only while it is read. */

const SYMBOL =
  '(?:\\[(?![ xX]\\])[^\\]\\s\\[]{1,12}\\]|`[^`\\s]{1,4}`|:[a-z_]{2,24}:|(?:\\p{Extended_Pictographic}|\\uFE0F|!){1,4})'
/** `- [B]: Breaking`, `"⚠️" symbol highlights breaking changes`; `Breaking changes are prefixed with ⚠️`. */
const LEGEND = new RegExp(
  `^[ \\t>*+"'-]*(?<above>${SYMBOL})["']?[ \\t:=–—-]*(?:[a-z]+ ){0,3}breaking\\b|\\bbreaking\\b[^.\\n]{0,60}\\b(?:prefixed|marked|denoted|indicated|flagged|labell?ed) (?:with|by) (?:an? |the )?["']?(?<behind>${SYMBOL})`,
  'gimu',
)

/** The symbols that a preamble or an introduction declares for what breaks. */
export const symbolsIn = (text: string | null): string[] =>
  !text || !/breaking/i.test(text)
    ? []
    : [...text.matchAll(LEGEND)].map(({ groups }) =>
        (groups?.above ?? groups?.behind ?? '').replaceAll('`', ''),
      )

/** Changes that begin with such a symbol, or have a line or a heading that does, are breaking. Such a heading stays. */
export function resolveSymbols(changes: readonly ChangeDraft[], symbols: readonly string[]): void {
  if (symbols.length === 0) return
  const begins = new RegExp(`^[\\s>*+_-]*(?:${symbols.map(RegExp.escape).join('|')})`, 'm')
  for (const change of changes) {
    const { title, description } = change
    const heading = change.typeLabel ?? ''
    if (begins.test(`${heading}\n${title}\n${description ?? ''}`))
      Object.assign(change, { type: 'breaking', typeLabel: begins.test(heading) ? heading : undefined })
  }
}

/** "Major Changes" are those that break something only if the version is a major one. */
export function resolveMajor(label: string, changes: readonly ChangeDraft[]): void {
  const [first, ...others] = readNumber(label)?.parts ?? []
  const isMajor = others.every((part) => part === 0) || (first === 0 && others[1] === 0)
  if (first === undefined || isMajor) return
  for (const change of changes)
    if (change.type === 'major-changes')
      Object.assign(change, { type: 'changed', typeLabel: change.typeLabel ?? 'Major changes' })
}
