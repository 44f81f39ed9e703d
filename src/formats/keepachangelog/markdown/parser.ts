import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { ParserBudget } from './bounds.ts'

/** What the parts of a text are parsed with: the labels of its link definitions, and the work that may be done. */
export interface ParserContext {
  readonly labels: ReadonlySet<string>
  readonly budget: ParserBudget
}

/** Created once: that would take a good part of the time of a short text. */
const options = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }

/** The blocks of a text, for which the work has been spent. */
export function parse(text: string): RootContent[] {
  return fromMarkdown(text, options).children
}
