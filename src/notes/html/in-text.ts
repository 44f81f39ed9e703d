/** The rest of a tag after its `<`. */
export const TAG_END = /[^<>"]*(?:"[^"]*"[^<>"]*)*>/.source

/** Tags, and elements whose content stays as it is. */
export const keptPattern = (names: readonly string[]): string =>
  [...names.map((name) => `<${name}\\b${TAG_END}[^]*?</${name}>`), `<${TAG_END}`].join('|')

/** Finds `part` in the texts of HTML, outside of tags and of these elements. Its groups have names. */
export const textPattern = (part: RegExp, kept = ['pre', 'code', 'kbd', 'a']): RegExp =>
  new RegExp(`${keptPattern(kept)}|${part.source}`, `g${part.flags}`)

type Groups = Partial<Record<string, string>>

/** Replaces what a `textPattern` finds in texts; what `replace` gives null for stays. */
export const replaceInText = (
  html: string,
  pattern: RegExp,
  replace: (groups: Groups, found: string) => string | null,
): string => html.replace(pattern, (found: string, ...more) => replace(more.at(-1) as Groups, found) ?? found)
