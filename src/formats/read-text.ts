import { withoutHtmlLists } from './html-lists.ts'
import { trimBlanks } from './keepachangelog/markdown/lines.ts'
import { type MarkdownChangelog, readMarkdown } from './keepachangelog/read.ts'
import { withDatesBehind } from './keepachangelog/versions/grouped-by-date.ts'
import { EXPORTED_HEADING } from './keepachangelog/vocabulary.ts'
import type { ReadOptions } from './parsed.ts'
import { numberedSince } from './plain/since.ts'
import { markdownOfPlain } from './plain/translate.ts'
import { withPoints } from './plain/underlined.ts'
import { isRestructuredText, markdownOf } from './restructuredtext.ts'
import { withTitlesAsChanges } from './titled.ts'

/** Reads a changelog of people or generators: markdown, reStructuredText, plain lines, headings of HTML or rows of a table. */
export function readText(source: string, name: string, options: ReadOptions = {}): MarkdownChangelog {
  const parsed = readVersions(source, name, options)
  const since = numberedSince(source)
  const others = parsed.versions.filter(({ line }) => !since?.lines.has(line))
  const read =
    since !== null && others.length * 2 < since.lines.size ? readVersions(since.text, name, options) : parsed
  // A version of an export may have a title and nothing else.
  return source.length > LONGEST || EXPORTED_HEADING.test(source) ? read : withTitlesAsChanges(read)
}

/** Versions of a longer text are packed, and people do not write as many lines. */
const LONGEST = 1_000_000

function readVersions(source: string, name: string, options: ReadOptions): MarkdownChangelog {
  const text = withoutHtmlLists(source.replace(NAMED_DASH, '$1–'))
  const isMarkdown = /\.(?:md|markdown|mdown)$/i.test(name)
  const markdown = isRestructuredText(name, text)
    ? markdownOf(text)
    : isMarkdown && isExported(text)
      ? text
      : (markdownOfPlain(text, isMarkdown, () => readMarkdown(text, options).versions.length) ??
        (isMarkdown ? text : withPoints(text)))
  const parsed = readMarkdown(withDatesBehind(markdown), options)
  if (parsed.versions.length > 0) return parsed
  const headed = withoutTables(text)
    .replace(
      HTML_HEADING,
      (_, depth: string, inside: string) => `${'#'.repeat(Number(depth))} ${untagged(inside)}`,
    )
    .replace(TABLE_ROW, (_, cells: string) => `## ${cells.split('|').map(trimBlanks).join(' ')}`)
  return headed === text ? parsed : readMarkdown(headed, options)
}

/** `1.2.0 &ndash; text` */
const NAMED_DASH = /^((?:#{1,6}[ \t]{0,4})?v?\d[\w.-]{0,40}[ \t]{1,4})&(?:[nm]dash|#821[12]);/gim

/** Whether all headings of versions are written as in our own exports, where other lines are none. */
function isExported(text: string): boolean {
  const first = text.search(EXPORTED_HEADING)
  return first !== -1 && !/^##? (?!\[)/m.test(text.slice(first))
}

const untagged = (html: string): string => html.replace(/<[^<>]*>/g, '')

/** A table of HTML whose cells are numbers and what changed then becomes headings and items. */
function withoutTables(text: string): string {
  const headed = text.replace(NUMBER_CELL, '\n## $1\n')
  return headed === text ? text : headed.replace(ITEM_BEGINS, '- ').replace(TABLE_TAG, '')
}

const NUMBER_CELL = /<t[dh]\b[^<>]*>\s{0,9}(v?\d{1,8}(?:\.\d{1,8}){1,4}[\w.-]{0,40})\s{0,9}<\/t[dh]>/gi
/** Of a list, or a cell with nothing but text. */
const ITEM_BEGINS = /^[ \t]*<(?:li|td)\b[^<>]*>[ \t]*(?=[^\s<])/gim
const TABLE_TAG = /<\/?(?:table|thead|tbody|tr|t[dh]|[uo]l|li)\b[^<>]*>/gi

/** On a line of its own. */
const HTML_HEADING = /^[ \t]*<h([1-6])\b[^<>\n]*>(.*)<\/h\1>[ \t]*$/gim
/** Whose first cell is a number. */
const TABLE_ROW = /^\|[ \t]*(?=(?:[\w-]{1,60}@)?v?\d{1,8}(?:\.\d{1,8}){1,4}[\w.-]{0,40}[ \t]*\|)(.*)$/gim
