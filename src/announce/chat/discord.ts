import { cut } from '../../domain/text/cut.ts'
import { MARKDOWN, upTo, writeLine } from './markdown.ts'
import type { Outline } from './outline.ts'

/** Discord's limits of an embed, in characters. */
const TITLE = 256
const DESCRIPTION = 4_096

/** A webhook of Discord, with an embed. No text mentions anybody. */
export function discordBody({ headline, url, title, text, lists, rest }: Outline): string {
  const lines = [
    ...[title, text].flatMap((each) => (each === null ? [] : [writeLine(each, MARKDOWN)])),
    ...lists.flatMap(({ heading, lines }) => [
      `**${MARKDOWN.text(heading)}**`,
      ...lines.map((line) => `- ${writeLine(line, MARKDOWN)}`),
    ]),
    ...(rest === null ? [] : [MARKDOWN.text(rest)]),
  ]
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(headline, TITLE),
        ...(url !== null && { url }),
        ...(lines.length > 0 && { description: upTo(DESCRIPTION, lines) }),
      },
    ],
  })
}
