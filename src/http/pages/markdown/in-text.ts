const TAG = /(?:[^<>"]|"[^"]*")*>/.source

/**
 * Finds `part` in the texts of HTML, outside of tags and of elements whose content stays as it is. Its groups have names.
 */
export const textPattern = (part: RegExp, kept = 'pre|code|kbd|a'): RegExp =>
  new RegExp(`<(?<kept>${kept})\\b${TAG}[\\s\\S]*?</\\k<kept>>|<${TAG}|${part.source}`, `g${part.flags}`)

type Groups = Partial<Record<string, string>>

/** Replaces what a `textPattern` finds in texts; what `replace` gives null for stays. */
export const replaceInText = (
  html: string,
  pattern: RegExp,
  replace: (groups: Groups, found: string) => string | null,
): string => html.replace(pattern, (found: string, ...more) => replace(more.at(-1) as Groups, found) ?? found)
