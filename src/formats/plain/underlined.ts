import { isBlank, normalise, UNDERLINE } from '../keepachangelog/markdown/lines.ts'
import { linesOf } from '../text-lines.ts'
import { pointsIn, TextStyle } from './points.ts'

/**
 * A text whose only markup are underlined headings, with items where it has none: below a heading with a number, lines or
 * paragraphs without bullets are changes.
 */
export function withPoints(text: string): string {
  if (!HAS_VERSION.test(text) || /^#{1,6}[ \t].*\d\.\d/m.test(text)) return text
  const lines = linesOf(normalise(text))
  const headings = lines.flatMap((line, at) =>
    !isBlank(line) && UNDERLINE.test(lines[at + 1] ?? '') ? at : [],
  )
  const parts = headings.flatMap((at, index) => {
    const part = { from: at + 2, to: headings[index + 1] ?? lines.length }
    const hasMarkup = lines.slice(part.from, part.to).some((line) => MARKUP.test(line))
    return hasMarkup || !/\d\.\d/.test(lines[at] ?? '') ? [] : part
  })
  const style = new TextStyle()
  for (const { from, to } of parts) style.add(lines.slice(from, to))
  for (const { from, to } of parts) {
    const pointAt = pointsIn(lines.slice(from, to), () => false, style)
    for (let at = from; at < to; at++) {
      const { bullet, text, label } = isBlank(lines[at] ?? '') ? {} : (pointAt(at - from) ?? {})
      if (label !== undefined) lines[at] = `### ${label}`
      else if (text !== undefined) lines[at] = `${bullet === undefined ? '  ' : '- '}${text}`
    }
  }
  return lines.join('\n')
}

/** An underlined line with a number. */
const HAS_VERSION = /^[^\n]{0,60}\d\.\d[^\n]*\n(?:={3,}|-{3,})[ \t]*$/m
/** Lists, code, quotes, tables, definitions and HTML. */
const MARKUP = /^[ \t]*(?:[-*+•][ \t]|o[ \t]|\d{1,3}[.)][ \t]|\(\d|-\p{L}|```|~~~|>|\||<|\[[^\]]+\]:|\.\. )/u
