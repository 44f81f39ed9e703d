import { joinDetails } from '../details.ts'
import { type Block, isComment } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import { splitAfterword } from './afterword.ts'
import { BodyReader, type BodyText } from './body-reader.ts'
import { dateAtTop, lineAtTop } from './date-lines.ts'
import { type FoundDate, isFarAhead, onlyFalseDate } from './dates.ts'

export interface VersionBody extends BodyText {
  /** A date on its own line at the top if it was asked for. */
  date: FoundDate | null
  /** Text in place of such a date that is no date. It is part of the description. */
  falseDate: string | null
}

/**
 * Reads the text below a version's heading, or the body of a release.
 *
 * - Prose before the first list or section is the description. What follows the last list is the closing text, and so are
 *   sections at the end that list no changes: see afterword.ts.
 * - Every list item is a change; nested content is its description. Below a heading, a numbered list (unless all lists of the
 *   file are numbered, or it is the only one below words for a kind of change), a table or `<details>` stays as it is: it is the
 *   description of a change that has the name of the section.
 * - A heading gives the changes below it their type. Of nested headings only one can: the innermost with a known name,
 *   else the outermost. The others precede the titles (`**core:** …`). A heading too long for a type, or with links, is
 *   also a change.
 * - In a file without lists (`isProse`), each paragraph before the first section is a change, and so is each below words for
 *   a kind of change, unless they say that it breaks something.
 * - A section without a list is one change. Between lists, code and tables belong to the change above; other blocks are
 *   changes.
 */
export function readVersionBody(
  nodes: Block[],
  source: MarkdownSource,
  { lookForDate = false, isRelease = false, isProse = false } = {},
): VersionBody {
  const { kept, afterword } = splitAfterword(joinDetails(nodes, source), source, isRelease)
  const first = kept.find((node) => !isComment(node))
  const top = lookForDate ? dateAtTop(first, source) : null
  const found = top !== null && isFarAhead(top.date.at) ? null : top
  const date = found?.date ?? null
  const reader = new BodyReader(source, found?.rest ?? '', isProse)
  reader.read(found === null ? kept : kept.filter((node) => node !== first))
  reader.close(afterword)
  const line = lookForDate && date === null ? (lineAtTop(first, source)?.visible ?? '') : ''
  const falseDate = top !== null && found === null ? line.trim() : (onlyFalseDate(line)?.text ?? null)
  return { ...reader.result(), date, falseDate: falseDate || null }
}
