import { parseJson } from '../json.ts'
import { FormatError } from '../parsed.ts'

export interface FoundObject {
  value: Record<string, unknown>
  /** From 1. */
  line: number
}

/** A string, a bracket, a line end, or anything else but blanks and commas. A lone quote is a string without an end. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}\n]|[^\s,[\]{}"]+|"/gs

/** The outermost objects of a JSON text. Throws a FormatError for anything outside of them, and for truncated text. */
export function* objectsIn(text: string): Generator<FoundObject> {
  let line = 1
  let start = { line, index: 0 }
  let depth = 0
  let lists = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '"') throw new FormatError(`line ${line}: the JSON ends too early`)
    if (token === '\n') line++
    else if (token === '{') {
      if (depth === 0) start = { line, index }
      depth++
    } else if (token === '}' && depth > 0) {
      depth--
      if (depth === 0) {
        const value = parseJson(text.slice(start.index, index + 1), `line ${start.line}: `)
        yield { value: value as FoundObject['value'], line: start.line }
      }
    } else if (depth === 0) {
      if (token === '[') lists++
      else if (token === ']') lists--
      else throw new FormatError(`line ${line}: expected a release, found ${token.slice(0, 40)}`)
    }
  }
  if (depth > 0) throw new FormatError(`line ${start.line}: the JSON ends too early`)
  if (lists !== 0) throw new FormatError('the JSON ends too early: a list is not closed')
}
