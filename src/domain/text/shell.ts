/** A word quoted for a shell, for the commands in messages. One that begins with a dash must be the last word. */
export const shellWord = (text: string): string => {
  const word = quoted(text)
  return text.startsWith('-') ? `-- ${word}` : word
}

export const commandWords = (words: readonly string[]): string => words.map(quoted).join(' ')

const quoted = (text: string): string =>
  /^[\w.@/+:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
