import type { ChangeDraft } from '../../../domain/records.ts'
import { precedenceOf } from '../../../domain/versions/precedence.ts'

/** Kinds that are told by what a file says elsewhere, which is known only while it is read. */

/** Symbols of a legend and what they stand for. */
export type Symbols = ReadonlyMap<string, 'breaking' | 'security'>

const SYMBOL =
  '(\\[(?![ xX]\\])[^\\]\\s\\[]{1,12}\\]|`[^`\\s]{1,4}`|:[a-z_]{2,24}:|(?:\\p{Extended_Pictographic}|\\uFE0F|!){1,4})'
const MEANS = '(breaking|security)\\b'
/** `- [B]: Breaking`, `⚠️ marks breaking changes`, `Breaking changes are prefixed with ⚠️`. */
const LEGENDS = [
  new RegExp(`^[ \\t>*+-]*["']?${SYMBOL}["']?[ \\t:=–—-]*(?:[a-z]+ ){0,3}${MEANS}[^\\n]{0,30}$`, 'gimu'),
  new RegExp(
    `${MEANS}[^.\\n]{0,60}\\b(?:prefixed|marked|denoted|indicated|flagged|labell?ed|highlighted) (?:with|by) (?:an? |the )?["']?${SYMBOL}`,
    'giu',
  ),
]

/** What a text declares: the preamble of a file, or the introduction of a version. */
export function symbolsIn(text: string | null): Symbols {
  const symbols = new Map<string, 'breaking' | 'security'>()
  if (text === null || !/breaking|security/i.test(text)) return symbols
  for (const [, one = '', other = ''] of LEGENDS.flatMap((legend) => [...text.matchAll(legend)])) {
    const isFirst = /^(?:breaking|security)$/i.test(one)
    const [symbol, name] = isFirst ? [other, one] : [one, other]
    symbols.set(symbol.replaceAll('`', ''), name.toLowerCase() as 'breaking' | 'security')
  }
  return symbols
}

/** Gives changes that begin with a symbol, or have a line that does, the kind that it stands for. */
export function resolveSymbols(changes: ChangeDraft[], symbols: Symbols): void {
  for (const [symbol, type] of symbols) {
    const begins = new RegExp(`^[\\s>*+_-]*${RegExp.escape(symbol)}`, 'm')
    for (const change of changes) {
      if (!begins.test(`${change.title}\n${change.description ?? ''}`)) continue
      change.type = type
      delete change.typeLabel
    }
  }
}

/** "Major Changes" are those that break something only if the version is a major one. */
export function resolveMajor(label: string, changes: ChangeDraft[]): void {
  if (precedenceOf(label) === null || /(?<![\d.])(?:\d+\.0(?:\.0)*|0\.\d+\.0)(?![\d.])/.test(label)) return
  for (const change of changes)
    if (change.type === 'major-changes') {
      change.type = 'changed'
      change.typeLabel ??= 'Major changes'
    }
}
