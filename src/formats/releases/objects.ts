import { parseJson } from '../json.ts'
import { FormatError } from '../parsed.ts'

export interface FoundObject {
  value: Record<string, unknown>
  /** From 1. */
  line: number
}

/** A string, a bracket, or anything else but blanks and commas. A lone quote is a string that does not end. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s,[\]{}"]+|"/gs

/** The outermost objects of a JSON text. Throws a FormatError for anything outside of them, and for truncated text. */
export function* objectsIn(text: string): Generator<FoundObject> {
  let line = 1
  let counted = 0
  const lineAt = (index: number): number => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < index; at = text.indexOf('\n', at + 1))
      line++
    counted = index
    return line
  }
  let start = 0
  let depth = 0
  let lists = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '"') throw new FormatError(`line ${lineAt(index)}: the JSON ends too early`)
    if (token === '{') {
      if (depth === 0) start = index
      depth++
    } else if (token === '}' && depth > 0) {
      depth--
      if (depth === 0) {
        const line = lineAt(start)
        const json = text.slice(start, index + 1)
        yield { value: parseJson(json, `line ${line}: `) as Record<string, unknown>, line }
      }
    } else if (depth === 0) {
      if (token === '[') lists++
      else if (token === ']') lists--
      else throw new FormatError(`line ${lineAt(index)}: expected a release, found ${token.slice(0, 40)}`)
    }
  }
  if (depth > 0) throw new FormatError(`line ${lineAt(start)}: the JSON ends too early`)
  if (lists !== 0) throw new FormatError('the JSON ends too early: a list is not closed')
}
