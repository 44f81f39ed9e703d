import { cut } from '../../domain/text/cut.ts'
import { type Dialect, ESCAPE, upTo, writeLine } from './markdown.ts'
import type { Outline } from './outline.ts'

/** Discord's limits of an embed, in characters. */
const TITLE = 256
const DESCRIPTION = 4_096

const MARKDOWN: Dialect = {
  text: (plain) => plain.replace(/[\\`*_{}[\]()<>#+\-.!|~:@]/g, `${ESCAPE}$&`),
  strong: (inner) => `**${inner}**`,
  emphasis: (inner) => `*${inner}*`,
  struck: (inner) => `~~${inner}~~`,
  code: (inner) => `\`${inner.replaceAll(ESCAPE, '').replaceAll('`', "'")}\``,
  link: (inner, url) => `[${inner}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`,
}

/** A webhook of Discord, with an embed. Whatever the text says, nobody is mentioned. */
export function discordBody({ headline, url, title, lists, rest }: Outline): string {
  const lines = [
    ...(title === null ? [] : [writeLine(title, MARKDOWN)]),
    ...lists.flatMap(({ heading, lines }) => [
      `**${literal(heading)}**`,
      ...lines.map((line) => `- ${writeLine(line, MARKDOWN)}`),
    ]),
    ...(rest === null ? [] : [literal(rest)]),
  ]
  return JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(headline, TITLE),
        ...(url !== null && { url }),
        description: upTo(DESCRIPTION, lines),
      },
    ],
  })
}

const literal = (text: string): string => MARKDOWN.text(text).replaceAll(ESCAPE, '\\')
