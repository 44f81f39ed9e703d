import { isBlank, UNDERLINE } from '../markdown/lines.ts'

const UNSPACED_HEADING =
  /^(?:#{1,6}(?=v?\d+\.\d+\.\d[\w.-]*[ \t]*(?:-+>[^\n]{0,60})?$)|#{2,6}(?=v?\d+\.\d+\.\d|(?:19|20)\d\d-\d\d-\d\d[ \t]|\p{Lu}[^\n]{0,60}$))/u
const HAS_UNSPACED_HEADING = new RegExp(UNSPACED_HEADING, 'mu')
const UNDERLINED = /^v?\d+\.\d+[\w.-]*[ \t]*(?:[-/(][^\n]{0,60})?$/
/** Right below other text, an underlined number is a part of it. */
const HAS_UNSPACED_UNDERLINED = /^[ \t]*[^ \t\n][^\n]*\nv?\d[^\n]{0,100}\n(?:={3,}|-{3,})[ \t]*$/m

/** `- ## 1.2.0` */
const ITEM_HEADING = /^[-*+] (?=#{1,6} v?\d+\.\d)/
/** Of Textile: `h2. 1.2.0` */
const TEXTILE_HEADING = /^h([1-6])\. (?=\S)/
const HAS_TEXTILE_HEADING = /^h[1-6]\. v?\d+\.\d/m
const HEADING = /^(?:#{1,6}[ \t]|\*\*[^*]+\*\*|={3,}[ \t]*$|-{3,}[ \t]*$)/
const INDENTED_ITEM = /^( {4,8}|\t{1,2})[-*+][ \t]/
const HAS_INDENTED_LIST =
  /^(?:#{1,6}[ \t][^\n]*|\*\*[^*\n]+\*\*[^\n]*|={3,}[ \t]*|-{3,}[ \t]*)\n(?:[ \t]*\n)?(?: {4,8}|\t{1,2})[-*+][ \t]/m
/** `[bug] Mend the door`, `Fixed: the door`, `FIX: the door` or a number as code and a dash, line below line. */
const KIND = '(?:[Nn]ew|[Aa]dd|[Bb]ug|[Cc]hang|[Ff]eat|[Ff]ix|[Ii]mprov|[Rr]emov|[Uu]pdat)[a-z]{0,8}'
const TAG = `(?:\\[\\p{L}[^\\]\\[\\n]{0,30}\\]|(?:${KIND}|(?:perf|refactor|docs|style|test|build|ci|chore)|\\p{Lu}{2,9})(?:\\([\\w-]{1,30}\\))?!?:|\`#\\w{1,12}\`(?:,[ \\t]*\`#\\w{1,12}\`){0,3}[ \\t]+-)[ \\t]+[^\\s\\[]`
const TAGGED_ITEM = new RegExp(`^${TAG}`, 'u')
const HAS_TAGGED_ITEMS = new RegExp(`^${TAG}[^\\n]*\\n${TAG}`, 'mu')
/** `**1.2.0**` right above its text. */
const BOLD_VERSION = /^\*\*(v?\d+\.\d[\w.-]*)\*\*[ \t]*$/
const HAS_BOLD_VERSION = /^\*\*v?\d+\.\d[\w.-]*\*\*[ \t]*\n[^\s*+#-]/m
const HAS_NUMBERED_HEADING = /^#{1,6}[ \t][^\n]*\d\.\d|^v?\d[^\n]*\n(?:={3,}|-{3,})/m
const TO_MEND = [
  HAS_UNSPACED_HEADING,
  HAS_UNSPACED_UNDERLINED,
  new RegExp(ITEM_HEADING, 'm'),
  HAS_TEXTILE_HEADING,
  HAS_INDENTED_LIST,
]

/**
 * `##1.2.0` or `###Fixes` outside of code is a heading to its author, and to older parsers: a blank makes it one. So is an underlined number
 * without an empty line above, one that is also an item, and one of Textile. What is indented right below a heading is a list, not
 * code. Lines that begin with a tag are items, if some are right below each other.
 */
export function mendHeadings(text: string): string {
  const isTagged = HAS_TAGGED_ITEMS.test(text)
  const isBold = HAS_BOLD_VERSION.test(text) && !HAS_NUMBERED_HEADING.test(text)
  if (!isTagged && !isBold && !TO_MEND.some((one) => one.test(text))) return text
  let fence = ''
  let margin = ''
  let isBelowHeading = false
  let isBelowVersion = false
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    const [mark = ''] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    if (isBelowHeading) margin = INDENTED_ITEM.exec(line)?.[1] ?? ''
    if (isBlank(line)) continue
    isBelowVersion ||= /^[^a-z]*v?\d+\.\d/i.test(line)
    isBelowHeading = isBelowVersion && fence === '' && HEADING.test(line)
    if (fence !== '') continue
    if (!line.startsWith(margin)) margin = ''
    const below = lines[at + 1] ?? ''
    if (UNDERLINE.test(below) && UNDERLINED.test(line) && !isBlank(lines[at - 1] ?? '')) {
      lines[at] = `${below.startsWith('=') ? '#' : '##'} ${line}`
      lines[at + 1] = ''
    } else if (isBold && BOLD_VERSION.test(line)) lines[at] = line.replace(BOLD_VERSION, '## $1')
    else if (isTagged && TAGGED_ITEM.test(line)) lines[at] = `- ${line}`
    else
      lines[at] = line
        .slice(margin.length)
        .replace(ITEM_HEADING, '')
        .replace(UNSPACED_HEADING, '$& ')
        .replace(TEXTILE_HEADING, (_, depth: string) => `${'#'.repeat(Number(depth))} `)
  }
  return lines.join('\n')
}
