/** Cuts a text at the end of a word, if one is near, and adds an ellipsis; the caller keeps the whole elsewhere. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const room = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')
  const atWord = room.replace(/\s+\S*$/, '')
  return `${(atWord.length > max / 2 ? atWord : room).trimEnd()}…`
}

/** At most so many characters, in whole lines if possible. */
export function cutAtLine(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, text.lastIndexOf('\n', length) + 1 || length).toWellFormed()
}
