import { cut } from '../../domain/text/cut.ts'
import { type Dialect, ESCAPE, upTo, writeLine } from './markdown.ts'
import type { Outline } from './outline.ts'

/** A message may have 28 KB; what a card shows of a text is bounded here, in characters. */
const HEADLINE = 200
const LIST = 4_000

/** The markdown of adaptive cards: bold, italic and links alone. */
const CARD: Dialect = {
  text: (plain) => plain.replace(/[\\*_[\]()<>#`~-]/g, `${ESCAPE}$&`),
  strong: (inner) => `**${inner}**`,
  emphasis: (inner) => `_${inner}_`,
  struck: (inner) => inner,
  // Without a mark for code, what is in it stays escaped.
  code: (inner) => inner,
  link: (inner, url) =>
    `[${inner}](${url.replace(/[()<>\s]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)})`,
}

/** A webhook of Teams (Workflows), with an adaptive card. Mentions need a list of people, and there is none. */
export function teamsBody({ headline, url, title, lists, rest }: Outline): string {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(literal(cut(headline, HEADLINE)), { size: 'Large', weight: 'Bolder' }),
      ...(title === null ? [] : [block(writeLine(title, CARD), { weight: 'Bolder' })]),
      ...lists.flatMap(({ heading, lines }) => [
        block(literal(heading), { weight: 'Bolder', spacing: 'Medium' }),
        block(
          upTo(
            LIST,
            lines.map((line) => `- ${writeLine(line, CARD)}`),
          ),
          { spacing: 'Small' },
        ),
      ]),
      ...(rest === null ? [] : [block(literal(rest), { isSubtle: true })]),
    ],
    ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Read more', url }] }),
  }
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  })
}

const literal = (text: string): string => CARD.text(text).replaceAll(ESCAPE, '\\')
