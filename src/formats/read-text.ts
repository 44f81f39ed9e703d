import { readMarkdown } from './keepachangelog/read.ts'
import type { ReadOptions } from './parsed.ts'
import { markdownOfPlain } from './plain/text.ts'
import { isRestructuredText, markdownOf } from './restructuredtext.ts'

/** Reads a changelog of people or generators: markdown, reStructuredText, plain lines or headings of HTML. */
export function readText(text: string, name: string, options: ReadOptions = {}) {
  const isMarkdown = /\.(?:md|markdown|mdown)$/i.test(name)
  const markdown = isRestructuredText(name, text)
    ? markdownOf(text)
    : (markdownOfPlain(text, isMarkdown) ?? text)
  const parsed = readMarkdown(markdown, options)
  if (parsed.versions.length > 0) return parsed
  const headed = text.replace(
    HTML_HEADING,
    (_, depth: string, inside: string) => `${'#'.repeat(Number(depth))} ${inside.replace(/<[^<>]*>/g, '')}`,
  )
  return headed === text ? parsed : readMarkdown(headed, options)
}

/** On a line of its own. */
const HTML_HEADING = /^[ \t]*<h([1-6])\b[^<>\n]*>(.*)<\/h\1>[ \t]*$/gim
