import { MAILTO } from '../../domain/addresses/mail-address.ts'
import type { Hook, Product } from '../../domain/records.ts'
import { plain } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { nameWith } from '../../domain/versions/names.ts'
import { dropLooseNotes } from '../../notes/footnotes.ts'
import { htmlForm } from '../../notes/html/form.ts'
import { parseRepository } from '../../notes/html/github/repository.ts'
import { headingOf } from '../../notes/html/headings.ts'
import { nameText } from '../../notes/markdown.ts'
import { picturesOf } from '../../notes/pictures.ts'
import { firstWords, type ShownRelease, showRelease } from '../../notes/release.ts'
import { type Form, LISTED, writeRelease } from '../../notes/writing.ts'
import { encodingOf } from '../../outgoing/mail.ts'
import { fillText, type PageLanguage, pageLanguage } from '../../words/languages.ts'
import { nameOf, underMark } from '../chat/outline.ts'
import type { Links, Message } from '../message.ts'
import { letterHtml } from './html.ts'
import type { Letter, Part } from './letter.ts'
import { letterText, textForm } from './text.ts'

/** A message but for its recipient and its Message-ID. */
export interface MailBody {
  at: number
  /** The host of the site: the right side of the Message-ID. */
  host: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** HTML and text together, encoded. With the headers, they are at most 100 KB: Gmail hides what is beyond 102. */
const MOST_ENCODED_BYTES = 96_000
const SUBJECT_LENGTH = 200
/** Half of each, and so on, until the message is short enough. */
const LENGTHS = { text: 8_000, release: 40_000, versions: 20 }

export async function mailBody(message: Message, links: Links, hook: Hook): Promise<string> {
  const product =
    message.type === 'versions.published'
      ? message.product
      : 'found' in message
        ? message.found.product
        : null
  const language = pageLanguage(links.language(product))
  const { words } = language
  const shown = await shownOf(message, language)
  const unsubscribe =
    hook.unsubscribeUrl === null ? null : { words: words.mail.unsubscribe, href: hook.unsubscribeUrl }
  const letter = {
    ...{ label: null, date: null, counts: new Map(), button: null, unsubscribe, language },
    ...letterOf(message, shown, language, links),
    origin: plain(product ? `${product.team.name} / ${product.name}` : hook.team.name),
    reason: fillText(words.mail.reason, { list: hook.url?.slice(MAILTO.length) ?? '' }),
  }
  const owner = { team: product?.team.slug ?? '', product: product?.slug ?? '' }
  const forms = [
    htmlForm(words, parseRepository(product?.repository ?? ''), {
      ...owner,
      base: links.base,
      isMail: true,
    }),
    textForm(
      words,
      picturesOf(owner.team, owner.product, () => links.base),
    ),
  ]
  const preview = shown ? firstWords(shown) : words.mail.announced
  for (let share = 1; ; share /= 2) {
    const [asHtml, asText] = await Promise.all(
      forms.map((form) => partOf(message, shown, language, form, share)),
    )
    const [html, text] = [
      letterHtml(letter, asHtml as Part, preview, links),
      letterText(letter, asText as Part),
    ]
    if (share > 1 / 64 && encodingOf(html + text).bytes > MOST_ENCODED_BYTES) continue
    const host = new URL(links.base).hostname.replace(/[^\w.-]/g, '')
    const headers = headersOf(product, hook, host)
    return JSON.stringify({
      at: message.at,
      host,
      subject: letter.subject,
      text,
      html,
      headers,
    } satisfies MailBody)
  }
}

/** No mailbox answers to it by itself, and clients can sort it and offer a way out. */
const headersOf = (product: Product | null, { team, unsubscribeUrl }: Hook, host: string) => ({
  'Auto-Submitted': 'auto-generated',
  'List-Id': `<${product ? `${product.slug}.` : ''}${team.slug}.${host}>`,
  ...(unsubscribeUrl !== null && { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
})

type Own = Pick<Letter, 'subject' | 'headline'> & Partial<Letter>

function letterOf(message: Message, shown: ShownRelease | null, language: PageLanguage, links: Links): Own {
  const { mail } = language.words
  if (message.type === 'versions.published') {
    const values = { product: plain(message.product.name), count: language.number(message.versions.length) }
    const subject = fillText(mail.several, values)
    return {
      subject,
      headline: subject,
      button: { words: mail.readAll, href: links.changelog(message.product).url },
    }
  }
  if (!('found' in message) || !shown) return { subject: mail.connected, headline: mail.connected }
  const { product, version } = message.found
  const standing = version.yanked === null ? '' : ` [${language.words.standing.yanked}]`
  const date = shown.date === null ? null : language.day(shown.date)
  const { title: textOf } = textForm(language.words)
  const named = nameWith(product.name, version, date, textOf)
  const name = plain(named.name + standing)
  const title = named.title === null ? '' : textOf(named.title)
  const subject = cut(title === '' ? name : `${name}: ${plain(title)}`, SUBJECT_LENGTH)
  const isEmpty = !shown.title && !shown.description && !shown.closing && shown.changeCount === 0
  return {
    subject: message.type === 'version.updated' ? fillText(mail.updated, { release: subject }) : subject,
    ...{ headline: date === null ? name : `${name} · ${date}`, label: shown.beside, date },
    counts: shown.counts,
    button: { words: isEmpty ? mail.open : mail.read, href: links.version(message.found).url },
  }
}

async function shownOf(message: Message, { words }: PageLanguage): Promise<ShownRelease | null> {
  if (!('found' in message)) return null
  const { version, changes } = message.found
  const { label, yanked } = version
  const notice =
    yanked && `**${nameText(fillText(words.yanked.notice, { version: label }))}** ${nameText(yanked)}`
  const description = [notice, version.description].filter(Boolean).join('\n\n')
  const marked = await dropLooseNotes(
    { ...version, description, kinds: null, changes: changes.map(underMark) },
    () => undefined,
  )
  return showRelease(marked, (change) => headingOf(words, change), LISTED.changes)
}

/** The content, or about so much of it. */
async function partOf(
  message: Message,
  shown: ShownRelease | null,
  language: PageLanguage,
  form: Form,
  share: number,
): Promise<Part> {
  const { mail, release: texts } = language.words
  const restOf = (count: number) =>
    count > 0 ? fillText(mail.more, { count: language.number(count) }) : null
  if (message.type === 'versions.published') {
    const some = message.versions.slice(0, Math.ceil(LENGTHS.versions * share))
    const names = await Promise.all(some.map(({ version }) => form.line(nameOf(version))))
    const changes = names.map((title) => ({ title, tail: '', description: '' }))
    const rest = restOf(message.versions.length - some.length)
    const sections = [{ heading: texts.releases, kind: 'other', changes }] as const
    return { title: null, intro: '', sections, closing: '', rest }
  }
  if (!shown)
    return { title: null, intro: await form.line(mail.announced), sections: [], closing: '', rest: null }
  const limits = { text: LENGTHS.text * share, release: LENGTHS.release * share, changes: LISTED.changes }
  const written = await writeRelease(form, shown, 2, limits)
  const rest = restOf(written.omitted) ?? (written.isCut ? mail.rest : null)
  const { title, description: intro, groups: sections } = written
  const closing = written.omitted > 0 ? '' : written.closing
  return { title: title || null, intro, sections, closing, rest }
}
