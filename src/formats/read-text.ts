import { readMarkdown } from './keepachangelog/read.ts'
import type { TagDate } from './parsed.ts'
import { markdownOfPlain } from './plain/text.ts'
import { isRestructuredText, markdownOf } from './restructuredtext.ts'

/** Reads a changelog of people or generators: markdown, reStructuredText or plain lines. */
export function readText(text: string, name: string, tags: readonly TagDate[] = []) {
  const isMarkdown = /\.(?:md|markdown|mdown)$/i.test(name)
  const markdown = isRestructuredText(name) ? markdownOf(text) : (markdownOfPlain(text, isMarkdown) ?? text)
  return readMarkdown(markdown, tags)
}
