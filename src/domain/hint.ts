/** A word as it must be typed in a shell, for the commands that messages suggest. */
export const shellWord = (text: string): string =>
  /^[\w.@/+:][\w.@/+:-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
