/** Cuts a text at the end of a word, if one is near, and adds an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const room = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')
  const atWord = room.replace(/\s+\S*$/, '')
  return `${(atWord.length > length / 2 ? atWord : room).trimEnd()}…`
}
