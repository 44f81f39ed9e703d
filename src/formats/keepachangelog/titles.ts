import { opensUnclosedHtml, trimBlanks } from './markdown/lines.ts'

/** The item that holds a description which would read as sections and items if it stood in the open. */
export const DESCRIPTION_ITEM = '<!-- description -->'

/**
 * A title is inline markdown: `# foo` in it is just text. In a file it stands at the beginning of a block,
 * where the same words would open a heading, a list, a fence. These two put an escape there and take it away
 * again, so that what is stored does not depend on where it was written.
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
    /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line) ||
    line === DESCRIPTION_ITEM ||
    opensUnclosedHtml(line)
  )
}
