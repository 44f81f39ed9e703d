import { onlyDay } from './days.ts'

/**
 * Words of the file that the export has fewer of. Left out: names of link definitions and references to them
 * (links are inline in the export), definitions that are there twice, anchors, line breaks and tags of headings, bullets and their numbers or letters. Headings become
 * dates and types, so their words need to be somewhere in the export only once, and times, months, ordinals and emoji
 * names not at all; nor does a line that is nothing but a date, which is counted as such. A day of eight digits in brackets is the same as
 * with hyphens, and `v.1.2` the same as `v1.2`.
 */
export function wordsMissing(lines: string[], headingLines: Set<number>, markdown: string): string[] {
  const exported = new Map<string, number>()
  for (const word of words(markdown)) exported.set(word, (exported.get(word) ?? 0) + 1)
  const needed = new Map<string, number>()
  const definitions = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (!headingLines.has(index) && onlyDay(line.replace(/[*_`]/g, ' '), 'day-first') !== null) continue
    if (headingLines.has(index)) {
      const text = line
        .replace(/<[^>]*>/g, ' ')
        .replace(/:[a-z0-9_+-]+:/g, ' ')
        .replace(/\bv\.(?=\d)/gi, 'v')
        .replace(/\((\d{4})(\d\d)(\d\d)\)/g, '$1-$2-$3')
        .replace(/\d{1,2}:\d{2}(?::\d{2})?(?:\s*[+-]\d{2}:?\d{2})?/g, ' ')
      for (const word of words(text))
        if (!isDateWord(word)) needed.set(word, Math.max(1, needed.get(word) ?? 0))
      continue
    }
    if (/^\[[^\]]+\]:/.test(line)) {
      if (definitions.has(line.toLowerCase())) continue
      definitions.add(line.toLowerCase())
    }
    const text = line
      .replace(/^\s*\[[^\]]+\]:/, ' ')
      .replace(/\]\[[^\]]*\]/g, '] ')
      .replace(/^\s*(?:\d+|[a-z])[.)]\s/, ' ')
      .replace(/<a (?:name|id)[="][^>]*>|<\/a>|<br ?\/?>/g, ' ')
    for (const word of words(text)) needed.set(word, (needed.get(word) ?? 0) + 1)
  }
  const lost: string[] = []
  for (const [word, count] of needed) {
    const has = exported.get(word) ?? 0
    if (has < count) lost.push(has === 0 ? word : `${word}(${has}/${count})`)
  }
  return lost
}

function words(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^0+(?=\d)/, ''))
}

function isDateWord(word: string): boolean {
  return /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$|^(mon|tue|wed|thu|fri|sat|sun)[a-z]*$|^\d+(st|nd|rd|th)$|^(released?|on|of|utc|gmt)$/.test(
    word,
  )
}
