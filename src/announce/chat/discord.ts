import { cut } from '../../domain/text/cut.ts'
import { MARKDOWN, upTo } from './markdown.ts'
import { linesOf, type Outline } from './outline.ts'

/** Discord's limits of an embed, in characters. */
const TITLE = 256
const DESCRIPTION = 4_096

/** A webhook of Discord, with an embed. No text mentions anybody. */
export function discordBody(outline: Outline): string {
  const { headline, url } = outline
  const lines = linesOf(outline, MARKDOWN, '- ')
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
