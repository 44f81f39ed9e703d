import { EXPORTED_HEADING } from './keepachangelog/vocabulary.ts'

/** A text whose lists are written in HTML, with those of markdown. One with tables, or an export of ours, stays as it is. */
export function withoutHtmlLists(text: string): string {
  if (!HAS_LIST.test(text) || STAYS.test(text) || EXPORTED_HEADING.test(text)) return text
  let depth = 0
  let isFence = false
  const lines = text.split('\n').map((line) => {
    if (/^[ \t]*(?:```|~~~)/.test(line)) isFence = !isFence
    // A list that its author forgot to close ends here.
    if (!isFence && /^#{1,6}[ \t]/.test(line)) depth = 0
    if (isFence || (depth === 0 && !/^[ \t]*<[uo]l\b/i.test(line))) return line
    let begins = false
    const written: string[] = []
    for (const part of line.split(LIST_TAG)) {
      const tag = LIST_TAG.exec(part)?.[0].toLowerCase() ?? ''
      if (tag.startsWith('<li')) begins = true
      else if (/^<[uo]/.test(tag)) depth++
      else if (/^<\/[uo]/.test(tag)) depth = Math.max(0, depth - 1)
      else if (tag === '' && part.trim() !== '') {
        written.push(
          `${'  '.repeat(begins ? Math.max(0, depth - 1) : depth)}${begins ? '- ' : ''}${part.trim()}`,
        )
        begins = false
      }
    }
    return written.join('\n')
  })
  return lines.join('\n')
}

/** At the margin, or indented, with an item below or beside it. */
const HAS_LIST = /^[ \t]{0,40}<[uo]l\b[^<>\n]{0,200}>\s{0,40}<li\b/im
const STAYS = /<table\b|<details\b/i
const LIST_TAG = /(<\/?(?:ul|ol|li)\b[^<>]{0,200}>)/i
