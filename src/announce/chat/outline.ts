import { address, type Change } from '../../domain/records.ts'
import { plain } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { kindOf } from '../../domain/versions/kinds.ts'
import { marksOf } from '../../domain/versions/marks.ts'
import { dayOf, labelInWords, type Named, nameWith, shownName } from '../../domain/versions/names.ts'
import { plainText } from '../../notes/html/render.ts'
import { paragraphsIn } from '../../notes/paragraphs.ts'
import { ownHeading, showRelease, withTail } from '../../notes/release.ts'
import type { Links, Message } from '../message.ts'
import { type Dialect, isVisible, writeLine } from './markdown.ts'

/** A message as chats show it: a headline that links, and lists of lines in markdown under headings. */
export interface Outline {
  /** Plain text. */
  headline: string
  url: string | null
  /** Markdown; null if it says no more than the headline. */
  title: string | null
  /** Markdown: the first paragraph of a release without changes. */
  text: string | null
  lists: readonly { heading: string; lines: readonly string[] }[]
  /** Plain text, below the lists; null if they are complete. */
  rest: string | null
  /** True if it breaks something or is about security. */
  isUrgent: boolean
}

/** What is below the headline, in lines. */
export const linesOf = (
  { title, text, lists, rest }: Outline,
  dialect: Dialect,
  bullet: string,
): string[] => [
  ...[title, text].flatMap((each) => (each === null ? [] : [writeLine(each, dialect)])),
  ...lists.flatMap(({ heading, lines }) => [
    dialect.strong(dialect.text(heading)),
    ...lines.map((line) => bullet + writeLine(line, dialect)),
  ]),
  ...(rest === null ? [] : [dialect.text(rest)]),
]

/** Below the headline, which links. */
export function postOf(outline: Outline, dialect: Dialect, bullet: string): string[] {
  const headline = dialect.text(cut(outline.headline, HEADLINE))
  const linked = outline.url === null ? headline : dialect.a(headline, outline.url)
  return [dialect.strong(linked), ...linesOf(outline, dialect, bullet)]
}

const HEADLINE = 200
const MOST_CHANGES = 12
const MOST_VERSIONS = 20

export function outlineOf(message: Message, links: Links): Outline {
  switch (message.type) {
    case 'version.published':
    case 'version.updated': {
      const { product, version, changes } = message.found
      const { name: text, title } = nameWith(product.name, version, dayOf(version), plainText)
      const name = plain(text + yankedMark(version))
      const visible = changes.filter(({ title }) => isVisible(title)).map(underMark)
      const { groups } = showRelease({ ...version, kinds: null, changes: visible }, ownHeading, MOST_CHANGES)
      let room = MOST_CHANGES
      const lists = groups.map(({ heading, changes }) => {
        const shown = changes.slice(0, room)
        room -= shown.length
        return { heading, lines: shown.map(withTail) }
      })
      return {
        headline: message.type === 'version.published' ? name : `${name}: notes updated`,
        url: links.version(message.found).url,
        title: title !== null && isVisible(title) ? title : null,
        text: changes.length > 0 ? null : firstParagraph(version.description ?? ''),
        lists: lists.filter(({ lines }) => lines.length > 0),
        rest: more(version.changeCount - MOST_CHANGES + room, 'change'),
        isUrgent: changes.some((change) => marksOf(change).length > 0),
      }
    }
    case 'version.withdrawn': {
      const name = plain([message.product, labelInWords(message.label)].filter(Boolean).join(' '))
      return { ...EMPTY, headline: `${name} is no longer public` }
    }
    case 'versions.published': {
      const { product, versions } = message
      const shown = versions.slice(0, MOST_VERSIONS)
      return {
        ...EMPTY,
        headline: `${plain(product.name)}: ${versions.length} new versions`,
        url: links.changelog(product).url,
        lists: [{ heading: address(product), lines: shown.map(({ version }) => nameOf(version)) }],
        rest: more(versions.length - shown.length, 'version'),
      }
    }
    case 'hook.test':
      return {
        ...EMPTY,
        headline: 'changelogd is connected',
        title: 'Releases will be announced here.',
        rest: message.name,
      }
  }
}

const EMPTY = { url: null, title: null, text: null, lists: [], rest: null, isUrgent: false }

const yankedMark = ({ yanked }: { yanked: string | null }): string => (yanked === null ? '' : ' [YANKED]')

/** Labels are no markdown. */
export const nameOf = (version: Named & { yanked: string | null }): string => {
  const { label, title } = shownName(version)
  const own = title && cut(title, 200)
  const name = (label ?? (title === null ? dayOf(version) : null) ?? '').replace(
    /[\\`*_{}[\]()#+\-.!|~<>&]/g,
    '\\$&',
  )
  const mark = yankedMark(version)
  return name === '' ? own + mark : [name + mark, own].filter(Boolean).join(': ')
}

/** Messages have no badges beside changes: whatever breaks something or is about security is under that heading. */
export function underMark(change: Change): Change {
  const [mark] = marksOf(change)
  const isBelow = !mark || kindOf(change.type, change.typeLabel) === mark
  return isBelow ? change : { ...change, type: mark, typeLabel: null }
}

/** The first paragraph of a description, in markdown with its links; null if none is near its beginning. */
const firstParagraph = (source: string): string | null =>
  paragraphsIn(source.slice(0, 10_000)).find(isVisible) ?? null

const more = (count: number, what: string): string | null =>
  count <= 0 ? null : `and ${count} more ${what}${count === 1 ? '' : 's'}`
