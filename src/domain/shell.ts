/** A word as it must be typed in a shell, for the commands that messages suggest; last, if it begins with a dash. */
export const shellWord = (text: string): string => {
  const word = /^[\w.@/+:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
  return text.startsWith('-') ? `-- ${word}` : word
}
