import { Refusal } from '../../../domain/refusal.ts'
import { plain } from '../../terminal/text.ts'

/** A place in a file, counted from 1. */
export interface SourcePosition {
  line: number
  column: number
}

/** How many problems a refusal lists: after a syntax error there may be one for each character. */
const MOST_LISTED = 100

/** Collects the problems of a file and reports all of them at once, each as `file.yml:3:5: …`. */
export class Problems {
  private readonly found = new Map<string, SourcePosition>()
  private readonly file: string

  /** `path` as the user gave it: `-` for standard input. */
  constructor(path: string) {
    this.file = path === '-' ? '<stdin>' : path
  }

  note({ line, column }: SourcePosition, text: string): void {
    this.found.set(plain(`${this.file}:${line}:${column}: ${text}`), { line, column })
  }

  /** Notes a problem that ends the reading. */
  refuse(position: SourcePosition, text: string): void {
    this.note(position, text)
    this.refuseIfAny()
  }

  /** Throws a `Refusal` that lists the problems in the order of the file, if there are any. */
  refuseIfAny(heading = 'Nothing was applied.'): void {
    if (this.found.size === 0) return
    const ordered = [...this.found].sort(([, a], [, b]) => a.line - b.line || a.column - b.column)
    const listed = ordered.slice(0, MOST_LISTED).map(([text]) => text)
    const more = ordered.length - listed.length
    if (more > 0) listed.push(`… and ${more.toLocaleString('en')} more`)
    throw new Refusal([heading, ...listed].join('\n  '))
  }
}
