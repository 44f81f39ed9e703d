import { dedentLine } from '../markdown/lines.ts'
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
  /** Of the first of its lines; null if none was there. */
  margin: number | null
  /** The line that becomes the beginning of the code; that below `::`, if it is null. */
  opening: Line | null
  language: string
  /** The line that ends with `::`. */
  lead: Line | null
}

/** Reads such blocks, line by line. Code becomes fenced code of markdown, in the place of the lines around it. */
export class Directives {
  #block: Block | null = null
  #fence = '```'
  #column = 0
  /** The first empty line behind the code. */
  #end: Line | null = null

  /** Changes the line if it is in a block, or begins one. `column` is where the text of the item begins that it is in. */
  read(line: Line, above: Line | undefined, column: number): boolean {
    const block = this.#block
    if (block !== null && line.text === '') {
      if (block.margin !== null) this.#end ??= line
      return false
    }
    if (block !== null && line.indent > block.indent && this.#isInside(block, above)) {
      if (block.kind === 'text') return this.#dedent(line, block)
      const isOption = block.margin === null && block.opening !== null && OPTION.test(line.text)
      if (isOption || block.kind === 'hidden') return hide(line)
      if (block.margin === null) this.#open(block, line, above, column)
      this.#end = null
      this.#lengthen(block, line)
      line.raw = ' '.repeat(this.#column) + dedentLine(line.raw, block.margin ?? 0)
      line.kind = 'code'
      return true
    }
    this.close(above)
    return this.#begins(line)
  }

  /** The end of a block, or of the text. */
  close(above: Line | undefined): void {
    const fence = ' '.repeat(this.#column) + this.#fence
    if (this.#block?.kind === 'code' && this.#block.margin !== null) {
      if (this.#end) Object.assign(this.#end, { raw: fence, mark: '```' })
      else if (above) above.raw += `\n${fence}`
    }
    this.#block = null
    this.#end = null
  }

  /** Notes a line behind which code may follow. */
  note(line: Line): void {
    if (!/(?:^|[^:]|[ \t]):{2}[ \t]*$/.test(line.raw) || (line.kind !== 'text' && line.kind !== 'item'))
      return
    const { indent } = line
    this.#block = { kind: 'code', indent, margin: null, opening: null, language: '', lead: line }
  }

  /** Below `::`, an empty line is between. */
  #isInside({ margin, opening, kind }: Block, above: Line | undefined): boolean {
    return margin !== null || opening !== null || kind !== 'code' || above?.kind === 'blank'
  }

  #begins(line: Line): boolean {
    const { indent, text } = line
    const target = TARGET.exec(text)?.groups
    if (target) {
      if (target.url === undefined) return hide(line)
      return Object.assign(line, { kind: 'directive', raw: `[${target.name}]: ${target.url}` }) && true
    }
    const { name = '', text: words = '' } = DIRECTIVE.exec(text)?.groups ?? {}
    if (name === '') return false
    const kind = CODE.test(name) ? 'code' : NOTE.test(name) ? 'text' : 'hidden'
    const language = kind === 'code' && /^[\w+-]+$/.test(words) ? words : ''
    this.#block = { kind, indent, margin: null, opening: line, language, lead: null }
    if (kind === 'text') {
      const shown = NOTES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
      const raw = name in NOTES ? `**${shown} ${words}**` : `**${shown}:** ${words}`
      Object.assign(line, { kind: 'directive', raw: ' '.repeat(indent) + raw.trimEnd() })
      return true
    }
    if (name !== 'image' && name !== 'figure') return hide(line)
    return Object.assign(line, { kind: 'directive', raw: `${' '.repeat(indent)}![](${words})` }) && true
  }

  #open(block: Block, { indent }: Line, above: Line | undefined, column: number): void {
    const opening = above?.kind === 'blank' ? above : (block.opening ?? above)
    this.#fence = '```'
    this.#column = column
    block.margin = indent
    block.opening = opening ?? null
    if (opening) Object.assign(opening, { kind: 'code', raw: `${' '.repeat(column)}\`\`\`${block.language}` })
    if (block.lead)
      for (const field of ['raw', 'text'] as const)
        block.lead[field] = block.lead[field].replace(/(?:[ \t]+:|:)?:[ \t]*$/, (end) =>
          /^[ \t]/.test(end) || end === block.lead?.text ? '' : ':',
        )
  }

  /** Longer than any in the code. */
  #lengthen({ opening }: Block, { text }: Line): void {
    const inner = /^`{3,}/.exec(text)?.[0] ?? ''
    if (inner.length < this.#fence.length || !opening) return
    opening.raw = opening.raw.replace(this.#fence, `${inner}\``)
    this.#fence = `${inner}\``
  }

  #dedent(line: Line, block: Block): boolean {
    block.margin ??= line.indent
    const columns = block.margin - block.indent
    line.raw = dedentLine(line.raw, columns)
    line.indent = Math.max(block.indent, line.indent - columns)
    return false
  }
}

const OPTION = /^:[\w-]+:/

const hide = (line: Line): true => Object.assign(line, { kind: 'blank', raw: '' }) && true

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
