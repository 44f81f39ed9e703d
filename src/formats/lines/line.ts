import { identifier } from '../markdown/labels.ts'

/**
 * The lines of a text, each with its class. A line is looked at once, and fences follow the rules of CommonMark: what is
 * code here is code to every reader, and is never changed.
 */
export type LineClass =
  | 'blank'
  | 'code'
  | 'heading'
  | 'rule'
  | 'item'
  | 'row'
  | 'html'
  | 'definition'
  | 'directive'
  | 'text'

export interface Line {
  kind: LineClass
  raw: string
  /** The indent in columns. */
  indent: number
  /** The text behind the mark, or the line without its indentation. */
  text: string
  /** The mark in front of the text: `##`, `-`, `1.`; empty if markdown does not need to be told. */
  mark: string
  /** From 1 for a heading, else 0. */
  level: number
  /** A heading by the rule below it, or that rule. */
  isUnderlined: boolean
  /** Columns in front of a list that is indented as code is, and is none. */
  margin: number
}

/** The labels that lines define, as they are compared. */
export const definedIn = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ kind, text }) =>
      kind === 'definition' ? identifier(text.slice(1, text.indexOf(']:'))) : [],
    ),
  )
