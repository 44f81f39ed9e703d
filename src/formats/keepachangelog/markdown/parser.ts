import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

/** Created once: that would take a good part of the time of a short text. */
const options = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }

/** The blocks of a text that is within the bounds of `excessIn`. */
export function parse(text: string): RootContent[] {
  return fromMarkdown(text, options).children
}
