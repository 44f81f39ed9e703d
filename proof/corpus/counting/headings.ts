/**
 * The texts of so many versions, in the order of an exported file. What an author writes below a version is indented or escaped if it
 * would begin another one; the preamble, which is above them all, may hold such a line.
 */
export function exportedVersions(markdown: string, count: number): string[] {
  const texts = markdown.split(/^(?=## \[)/m).filter((part) => part.startsWith('## ['))
  if (texts.length < count) throw new Error(`the export has ${texts.length} of ${count} versions`)
  return texts.slice(-count)
}

/**
 * Those of the headings that the exported text of their version does not give back as they were written: as headings, or, since of
 * headings inside of each other only one can be the type of the changes, in front of their titles (`**core / api:** …`), or,
 * where a section holds no list, as the title. One that is no name of a section (a link, a sentence) may be a line of its own.
 */
export function headingsMissing(headings: readonly string[], exported: string): string[] {
  const back = new Set<string>()
  const inFront = new Set<string>()
  for (const line of exported.split('\n')) {
    const text = line.replace(/^\s*(?:#{1,6}|-)\s| <!-- .* -->$/g, '')
    back.add(plain(text))
    back.add(plain(text.replace(/^\[(.*?)\]/, '$1')))
    const version = /^## \[(?<label>.*?)\](?: - \d{4}-\d\d-\d\d)?(?: - )?(?<title>.*)$/.exec(line)?.groups
    if (version !== undefined)
      for (const part of [version.label, `\`${version.label}\``, version.title]) back.add(plain(part ?? ''))
    const named = /^\s*- (?:\*\*(?<bold>.+?):\*\* |(?<plain>.+?): )/.exec(line)?.groups
    if (/^\s*- /.test(line)) inFront.add(` / ${plain(text)} / `)
    if (named !== undefined) inFront.add(` / ${plain(named.bold ?? named.plain ?? '')} / `)
  }
  const isInFront = (heading: string) => [...inFront].some((names) => names.includes(` / ${heading} / `))
  return headings.filter((heading) => !back.has(plain(heading)) && !isInFront(plain(heading)))
}

/** Without the targets of links, which are inline in an export, bold marks around the whole, and a colon at its end. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]/g, ']')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(\*\*|__)(.*)\1:?$/, '$2')
    .replace(/\s*:$/, '')
