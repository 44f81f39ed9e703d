import { indent } from '../../formats/markdown/lines.ts'
import { authoredBlocks } from '../../notes/authored.ts'
import { besideCode } from '../../notes/in-place.ts'
import { type Inline, plainInline, readInline } from '../../notes/inline.ts'
import { type AddressPictures, asStored } from '../../notes/pictures.ts'
import { withTail } from '../../notes/release.ts'
import type { Form } from '../../notes/writing.ts'
import type { Words } from '../../words/languages.ts'
import type { Letter, Part } from './letter.ts'

/** Plain text as a form of releases. Addresses are only in texts, not in titles. */
export function textForm({ authored }: Words, pictures: AddressPictures = asStored): Form {
  const [before = '', after = ''] = authored.picture.split('{words}')
  const picture = (words: Inline[]) => (plainInline(words) === '' ? [] : [before, ...words, after])
  const lineText = (source: string, hasLinks: boolean) => inlineText(readInline(source, picture), hasLinks)
  const titleText = (source: string) => lineText(source, false)
  /** Headings lose their marks, and lists and quotes keep theirs. */
  const proseText = (text: string): string =>
    text.replace(
      /^([ \t]*)(?:#+ )?(.+)$/gm,
      (_, indent: string, line: string) => indent + lineText(line, true),
    )
  return {
    title: titleText,
    line: titleText,
    blocks: (source, level, length) => {
      const { text, isCut } = authoredBlocks(pictures(source), level, length)
      return { text: besideCode(text, (prose) => wrapped(proseText(prose))), isCut }
    },
    below: (text) => text,
  }
}

const inlineText = (parts: readonly Inline[], hasLinks: boolean): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.mark === 'code') return `\`${plainInline(part.content)}\``
      const inner = inlineText(part.content, hasLinks)
      return part.href === '' || !hasLinks || inner === part.href ? inner : `${inner} (${part.href})`
    })
    .join('')

/** The plain twin of a message. */
export function letterText(letter: Letter, { title, intro, sections, closing, rest }: Part): string {
  const { language, headline, button, reason, unsubscribe } = letter
  const parts = [
    [headline, ...(title === null ? [] : [title])].join('\n'),
    intro,
    ...sections.map(({ heading, kind, changes }) =>
      [
        kind === 'breaking' || kind === 'security'
          ? heading.toLocaleUpperCase(language.words.locale)
          : heading,
        ...changes.map((change) => {
          const texts = [wrapped(`- ${withTail(change)}`), change.description]
          return indent(texts.filter(Boolean).join('\n\n')).trimStart()
        }),
      ].join('\n'),
    ),
    closing,
    button === null ? '' : `${rest ?? button.words}:\n${button.href}`,
    [
      '-- ',
      wrapped(reason),
      ...(unsubscribe === null ? [] : [`${unsubscribe.words}: ${unsubscribe.href}`]),
    ].join('\n'),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** In lines of at most 68 characters, where words allow it. */
const wrapped = (text: string): string => text.replace(/(?![^\n]{0,68}$)([^\n]{1,68}) +/gm, '$1\n')
