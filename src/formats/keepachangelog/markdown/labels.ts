/** The labels of link definitions. Parts of a text are parsed apart, and a link may refer to a definition elsewhere. */

/** Every label that may be defined in the text, as `identifier` writes it. What looks like a definition can be code. */
export function possibleLabels(text: string): Set<string> {
  const labels = new Set<string>()
  if (!text.includes(']:')) return labels
  for (const [, label = ''] of text.matchAll(/^[ \t>*+\d.)-]*\[((?:[^[\]\\]|\\[\s\S])+)\]:/gm)) {
    if (!label.startsWith('^')) labels.add(identifier(label))
  }
  return labels
}

/** The labels in brackets of a part of the text that are among those, as they are written there. */
export function labelsIn(part: string, labels: ReadonlySet<string>): string[] {
  if (labels.size === 0 || !part.includes('[')) return []
  const found = new Set<string>()
  for (const [, label = ''] of part.matchAll(/\[((?:[^[\]\\]|\\[\s\S])+)\]/g)) {
    if (labels.has(identifier(label))) found.add(oneLine(label))
  }
  return [...found]
}

/** Definitions of these labels, to be put in front of a part that refers to them. Where they lead does not matter. */
export function definitionsOf(labels: string[]): string {
  return labels.length === 0 ? '' : `${labels.map((label) => `[${label}]: x`).join('\n')}\n\n`
}

/** How the parser compares labels. */
export function identifier(label: string): string {
  return oneLine(label).trim().toLowerCase().toUpperCase().toLowerCase()
}

/** Without the marks of the quote that a label over several lines may be in. */
function oneLine(label: string): string {
  return label.replace(/\n[ \t>]*/g, ' ').replace(/\s+/g, ' ')
}
