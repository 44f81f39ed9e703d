import { dedentLine, width } from '../markdown/lines.ts'
import type { Line } from './line.ts'

/** What reStructuredText has beside titles and lists: code by its indentation, directives, targets and roles. */

const DIRECTIVE = /^\.\. (?<name>[a-z]+(?:-[a-z]+)*)::(?:[ \t]+(?<text>\S.*))?$/
const CODE = /^(?:code|code-block|sourcecode|parsed-literal|math|doctest|prompt|raw)$/
const NOTE =
  /^(?:note|warning|tip|hint|important|attention|caution|danger|error|seealso|admonition|versionadded|versionchanged|deprecated)$/
const NOTES: Record<string, string> = {
  seealso: 'See also',
  versionadded: 'Added in',
  versionchanged: 'Changed in',
  deprecated: 'Deprecated since',
}
/** `.. _name: https://…`, `.. _name:` */
const TARGET = /^\.\. _`?(?<name>[^`:]+)`?:(?:[ \t]+(?<url>https?:\S+))?[ \t]*$/

/** Lines that are indented below one that says so. */
interface Block {
  kind: 'code' | 'text' | 'hidden'
  /** Its lines are indented deeper. */
  indent: number
  /** The line that ends with `::`, in front of an empty one; null below a directive. */
  lead: Line | null
  /** The indentation of the first of its lines, and the column of the item that has the code; null if none was there. */
  first: { margin: number; column: number } | null
}

/** Reads such blocks, line by line. Code becomes indented code of markdown. */
export class Directives {
  #block: Block | null = null

  /** Changes the line if it is in a block, or begins one. `column` is where the text of the item begins that it is in. */
  read(line: Line, above: Line | undefined, column: number): boolean {
    if (line.text === '') return false
    const block = this.#block
    if (block === null || line.indent <= block.indent || !begins(block, line, above)) {
      this.#block = null
      return this.#readMark(line)
    }
    const isOption = block.first === null && block.lead === null && OPTION.test(line.text)
    if (block.kind === 'hidden' || (block.kind === 'code' && isOption)) return hide(line)
    block.first ??= { margin: line.indent, column }
    const { margin } = block.first
    if (block.kind === 'code') {
      if (block.lead) withoutColons(block.lead)
      line.raw = ' '.repeat(block.first.column + 4) + dedentLine(line.raw, margin)
      line.kind = 'code'
      return true
    }
    line.raw = dedentLine(line.raw, margin - block.indent)
    line.indent = Math.max(block.indent, line.indent - margin + block.indent)
    return false
  }

  /** Notes a line behind which code may follow. */
  note(line: Line): void {
    if (!/(?:^|[^:]|[ \t]):{2}[ \t]*$/.test(line.raw) || (line.kind !== 'text' && line.kind !== 'item'))
      return
    const indent = width(line.raw.slice(0, line.raw.length - line.text.length))
    this.#block = { kind: 'code', indent, lead: line, first: null }
  }

  #readMark(line: Line): boolean {
    const { indent, text } = line
    const target = TARGET.exec(text)?.groups
    if (target?.url !== undefined) return replace(line, `[${target.name}]: ${target.url}`)
    if (target) return hide(line)
    const { name = '', text: words = '' } = DIRECTIVE.exec(text)?.groups ?? {}
    if (name === '') return false
    const kind = CODE.test(name) ? 'code' : NOTE.test(name) ? 'text' : 'hidden'
    this.#block = { kind, indent, lead: null, first: null }
    const margin = ' '.repeat(indent)
    if (name === 'image' || name === 'figure') return replace(line, `${margin}![](${words})`)
    if (kind !== 'text') return hide(line)
    const shown = NOTES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
    const note = name in NOTES ? `**${shown} ${words}**` : `**${shown}:** ${words}`
    return replace(line, margin + note.trimEnd())
  }
}

/** True if a line is in the block. Below `::`, an empty line is between; a list there is one of AsciiDoc. */
function begins({ first, lead }: Block, { text }: Line, above: Line | undefined): boolean {
  if (first !== null || lead === null) return true
  const isList = /^[-*+]+[ \t]/.test(text)
  if (isList) withoutColons(lead)
  return above?.kind === 'blank' && !isList
}

/** A line that ends with `::` ends with `:`, and one of nothing else is empty. */
function withoutColons(lead: Line): void {
  for (const field of ['raw', 'text'] as const)
    lead[field] = lead[field].replace(
      /^([ \t]*|.*[ \t]+)::[ \t]*$|::[ \t]*$/,
      (_, own) => own?.trimEnd() ?? ':',
    )
}

const OPTION = /^:[\w-]+:/

const replace = (line: Line, raw: string): boolean => Object.assign(line, { kind: 'directive', raw }) && true
const hide = (line: Line): boolean => Object.assign(line, { kind: 'blank', raw: '' }) && true

/** `` `text <target>`_ `` */
const LINK = /`([^`<>\n]{1,500}) <([^`<>\s]{1,2000})>`__?/g
/** `` `name`_ ``, `name_` */
const NAMED = /`(?<quoted>[^`<>\n]{1,200})`__?(?![\w`])|(?<![\w`])(?<plain>\w[\w.-]{0,100}?)_(?![\w`])/g
/** `` :issue:`12` ``, `` :class:`~house.Window` ``, `` :ref:`text <target>` `` */
const ROLE = /(?<![\w`:]):(?:[a-z][\w-]*:)?(?<role>[a-z][\w-]*):`(?<text>[^`\n]{1,300})`(?!`)/g
const NUMBERED = /^(?:issue|pr|pull|gh|mr|bug|ticket)/
const CODED =
  /^(?:class|func|meth|mod|attr|data|exc|const|obj|code|file|command|option|program|envvar|keyword|cli|samp|python)$/

/** The names of targets with an address. */
export const targetsIn = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ kind, raw }) => (kind === 'directive' && /^\[(.+?)\]: /.exec(raw)?.[1]) || []))

/** A line of text with its links and roles as markdown. */
export function inlineOf(line: string, targets: ReadonlySet<string>): string {
  const linked =
    targets.size === 0
      ? line
      : line.replace(NAMED, (written, quoted, plain) => {
          const name = quoted ?? plain
          return targets.has(name) ? `[${name}]` : written
        })
  return line.includes('`') ? linked.replace(LINK, '[$1]($2)').replace(ROLE, shownRole) : linked
}

function shownRole(_: string, role: string, text: string): string {
  const [, shown = text] = /^(.+?)\s*\\?<[^<>]*>$/.exec(text) ?? []
  const name = shown.replace(/^!|^~(?:[\w.]*\.)?/, '')
  if (NUMBERED.test(role) && /^\d+$/.test(name)) return `#${name}`
  return CODED.test(role) && shown === text ? `\`${name}\`` : name
}
