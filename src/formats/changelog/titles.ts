import { opensUnclosedHtml, trimBlanks } from '../markdown/lines.ts'
import { DESCRIPTION_COMMENT } from './comments.ts'

/**
 * A title is inline markdown, in which `# foo` is text. At the beginning of a block it would open a heading, a list or
 * a fence: these two functions add an escape there and remove it.
 */
export function asParagraph(title: string): string {
  const ordered = /^(\d{1,9})([.)](?:[ \t].*)?)$/s.exec(title)
  if (ordered !== null) return `${ordered[1]}\\${ordered[2]}`
  return opensBlock(title) ? `\\${title}` : title
}

export function fromParagraph(text: string): string {
  const title = trimBlanks(text)
  if (/^\d{1,9}\\[.)](?:[ \t]|$)/.test(title)) return title.replace('\\', '')
  return title.startsWith('\\') && opensBlock(title.slice(1)) ? title.slice(1) : title
}

function opensBlock(line: string): boolean {
  return (
    /^(?:#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|~{3}|`{3,}[^`]*$|\[[^\]]*\]:)/.test(line) ||
    /^(?:(?:-[ \t]*){2,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line) ||
    line === DESCRIPTION_COMMENT ||
    opensUnclosedHtml(line)
  )
}
