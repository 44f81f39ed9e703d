import { NOTE_LABEL } from '../../../domain/text/footnotes.ts'
import type { AuthoredWords } from '../../../words/languages.ts'
import { fillText } from '../../../words/languages.ts'
import { outsideCode } from '../../code.ts'
import { replaceInText, textPattern } from '../in-text.ts'

/** How many notes of a text are taken for such: each is rendered by itself. */
const MAX_NOTES = 100

const REFERENCE = new RegExp(`\\[\\^(?<label>${NOTE_LABEL})\\]`)
const USED = new RegExp(`${REFERENCE.source}(?!:)`, 'g')
const IN_TEXT = textPattern(REFERENCE)
const DEFINITION = new RegExp(`^ {0,3}${REFERENCE.source}:[ \\t]*(?<note>.*)$`)
const INDENT = /^(?: {4}|\t)/
/** A block that ends a note without an empty line before it. */
const BLOCK = /^ {0,3}(?:#{1,6} |[-+*] |\d{1,9}[.)] |`{3,}[^`]*$|~{3}|>|<|\||(?:\*[ \t]*){3,}$)/

/** Markdown whose footnotes follow it, which `Bun.markdown` does not know. */
export function renderFootnotes(
  source: string,
  words: AuthoredWords,
  render: (text: string) => string,
): string {
  if (!source.includes('[^')) return render(source)
  const { text, notes } = takeNotes(source)
  if (notes.size === 0) return render(text)
  const key = Bun.hash(source).toString(36)
  const numbers = new Map<string, number>()
  const html = replaceInText(render(text), IN_TEXT, ({ label }) => {
    if (label === undefined || !notes.has(label)) return null
    const known = numbers.get(label)
    const number = known ?? numbers.size + 1
    numbers.set(label, number)
    const id = known === undefined ? ` id="from-${key}-${number}"` : ''
    const name = fillText(words.footnote, { number: `${number}` })
    return `<sup><a${id} href="#note-${key}-${number}" aria-label="${name}">${number}</a></sup>`
  })
  // A label that stands only in code, say, is no reference, but nothing that was written is lost.
  const all = new Set([...numbers.keys(), ...notes.keys()])
  const items = [...all].map((label, at) => {
    const isUsed = at < numbers.size
    const back = isUsed ? ` <a href="#from-${key}-${at + 1}" aria-label="${words.backToText}">↩</a>` : ''
    const note = render(notes.get(label) ?? '').trimEnd()
    const content = note.endsWith('</p>') ? `${note.slice(0, -'</p>'.length)}${back}</p>` : note + back
    return `<li id="note-${key}-${at + 1}">${content}</li>\n`
  })
  return `${html}<div class="footnotes" role="group" aria-label="${words.footnotes}"><ol>\n${items.join('')}</ol></div>\n`
}

/** The text without the notes that it refers to, and these by their labels. A definition that nothing refers to is text. */
function takeNotes(source: string): { text: string; notes: Map<string, string> } {
  const used = new Set([...source.matchAll(USED)].map(({ groups }) => groups?.label))
  const notes = new Map<string, string>()
  const kept: string[] = []
  const lines = source.split('\n')
  const shown = outsideCode(source).split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const definition = DEFINITION.test(shown[at] as string) ? DEFINITION.exec(line)?.groups : undefined
    if (definition?.label === undefined) kept.push(line)
    else if (!used.has(definition.label) || notes.has(definition.label) || notes.size === MAX_NOTES)
      kept.push(line.replace('[', '\\['))
    else {
      const end = noteEnd(lines, at + 1)
      const more = lines.slice(at + 1, end).map((each) => each.replace(INDENT, ''))
      notes.set(definition.label, [definition.note, ...more].join('\n').trim())
      at = end - 1
    }
  }
  return { text: kept.join('\n'), notes }
}

/** The line after a note: its paragraph goes on until an empty line, and indented paragraphs belong to it too. */
function noteEnd(lines: readonly string[], start: number): number {
  let isParagraph = true
  let end = start
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.trim() === '') isParagraph = false
    else if (INDENT.test(line) || (isParagraph && !DEFINITION.test(line) && !BLOCK.test(line))) end = at + 1
    else break
  }
  return end
}
