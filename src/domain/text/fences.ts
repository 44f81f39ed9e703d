/** How code begins and ends in Markdown, as CommonMark says. Lines come without their indentation. */

/** The marks in front of code; empty if a line does not begin any. The words behind backticks have none. */
export const openingFence = (line: string): string => /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0] ?? ''

/** True if a line ends the code behind a mark: it has at least as many of the same, and no words. */
export const endsFence = (line: string, mark: string): boolean =>
  line.startsWith(mark) && /^(?:`+|~+)[ \t]*$/.test(line)

/** The text without its code. */
export function withoutFenced(text: string): string {
  let mark = ''
  const lines = text.split('\n').filter((line) => {
    const [words, open] = [line.trimStart(), mark]
    mark = open === '' ? openingFence(words) : endsFence(words, open) ? '' : open
    return open === '' && mark === ''
  })
  return lines.join('\n')
}
