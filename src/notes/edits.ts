/** A part of a text, and what stands in its place. */
export interface Edit {
  start: number
  end: number
  text: string
}

export function edited(text: string, edits: readonly Edit[]): string {
  let [result, at] = ['', 0]
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
