import { cut } from '../../domain/text/cut.ts'
import { type Dialect, escaped, upTo, writeLine } from './markdown.ts'
import type { Outline } from './outline.ts'

/** Slack's limits, in characters. */
const HEADER = 150
const SECTION = 3_000

/** Slack asks only for `escaped`: without a `<` there is no mention and no command. It has no escape for its marks: a space without width before one takes its meaning. */
const unmarked = (text: string): string => escaped(text).replace(/[*_~`]/g, '\u200B$&')

const MRKDWN: Dialect = {
  text: unmarked,
  strong: (inner) => `*${inner}*`,
  em: (inner) => `_${inner}_`,
  del: (inner) => `~${inner}~`,
  code: (plain) => `\`${escaped(plain).replaceAll('`', '')}\``,
  a: (inner, url) => `<${url.replace(/[<>|\s]/g, encodeURIComponent)}|${inner}>`,
}

/** An incoming webhook of Slack, with blocks. `verbatim` keeps it from linking names by itself. */
export function slackBody({ headline, url, title, text, lists, rest }: Outline): string {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
  const texts = [
    ...[title, text].flatMap((each) => (each === null ? [] : [writeLine(each, MRKDWN)])),
    ...lists.map(({ heading, lines }) =>
      upTo(SECTION, [`*${unmarked(heading)}*`, ...lines.map((line) => `• ${writeLine(line, MRKDWN)}`)]),
    ),
  ]
  const context = [
    ...(rest === null ? [] : [escaped(rest)]),
    ...(url === null ? [] : [`<${escaped(url)}|Read more>`]),
  ].join(' · ')
  return JSON.stringify({
    // Notifications show this text, not the blocks.
    text: escaped(cut(headline, HEADER)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(headline, HEADER), emoji: false } },
      ...texts.map(section),
      ...(context === ''
        ? []
        : [{ type: 'context', elements: [{ type: 'mrkdwn', text: context, verbatim: true }] }]),
    ],
  })
}
