/** A word quoted for a shell, for the commands in messages. One that begins with a dash must be the last word. */
export const shellWord = (text: string): string => {
  const word = /^[\w.@/+:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
  return text.startsWith('-') ? `-- ${word}` : word
}
