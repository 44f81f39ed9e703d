import { cut } from '../../domain/text/cut.ts'
import { type Dialect, encoded, plainLine, writeLine } from './markdown.ts'
import type { Outline } from './outline.ts'

/** The longest headline, in characters. A message may have 28 KB, which 20 lines of bounded length do not reach. */
const HEADLINE = 200

const escaped = (plain: string): string => plain.replace(/[\\*_[\]]/g, '\\$&')

/** The markdown of adaptive cards: bold, italic and links alone. */
const CARD: Dialect = {
  text: escaped,
  strong: (inner) => `**${inner}**`,
  em: (inner) => `_${inner}_`,
  del: (inner) => inner,
  code: escaped,
  a: (inner, url) => `[${inner}](${encoded(url, /[()<>\s]/g)})`,
}

/** A webhook of Teams (Workflows), with an adaptive card. Mentions need a list of people, and there is none. */
export function teamsBody({ headline, url, title, text, lists, rest }: Outline): string {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      plainBlock(cut(headline, HEADLINE), { size: 'Large', weight: 'Bolder' }),
      ...(title === null ? [] : [block(title, { weight: 'Bolder' })]),
      ...(text === null ? [] : [block(text)]),
      ...lists.flatMap(({ heading, lines }) => [
        plainBlock(heading, { weight: 'Bolder' }),
        ...lines.map((line) => block(line, {}, '• ')),
      ]),
      ...(rest === null ? [] : [plainBlock(rest, { isSubtle: true })]),
    ],
    ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Read more', url }] }),
  }
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  })
}

/** Runs of text know no markdown, so nothing is escaped in them: some clients show the backslash of an escape. */
const plainBlock = (text: string, style: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...style }],
})

/** A text block; Teams reads Markdown only if there is any. */
function block(source: string, style: object = {}, bullet = ''): object {
  const [plain, marked] = [plainLine(source), writeLine(source, CARD)]
  return marked === escaped(plain)
    ? plainBlock(bullet + plain, style)
    : { type: 'TextBlock', text: bullet + marked, wrap: true, ...style }
}
