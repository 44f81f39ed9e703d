import { address, type Change } from '../../domain/records.ts'
import { headingFromType } from '../../domain/slug.ts'
import { plain } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { isBreaking, KINDS, kindOf } from '../../domain/versions/kinds.ts'
import type { Links, Message } from '../message.ts'
import { firstParagraph, isVisible } from './markdown.ts'

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
}

const MOST_CHANGES = 12
const MOST_VERSIONS = 20

export function outlineOf(message: Message, links: Links): Outline {
  switch (message.type) {
    case 'version.published':
    case 'version.updated': {
      const { product, version, changes } = message.found
      const name = plain(`${product.name} ${version.label}`)
      const shown = inOrder(changes.filter(({ title }) => isVisible(title))).slice(0, MOST_CHANGES)
      return {
        headline: message.type === 'version.published' ? name : `${name}: notes updated`,
        url: links.version(message.found).url,
        title: version.title === version.label || !isVisible(version.title) ? null : version.title,
        text: changes.length > 0 ? null : firstParagraph(version.description ?? ''),
        lists: [...Map.groupBy(shown, headingOf)].map(([heading, group]) => ({
          heading,
          lines: group.map(({ title }) => (heading === BREAKING ? title.replace(BREAKING_MARK, '') : title)),
        })),
        rest: more(version.changeCount - shown.length, 'change'),
      }
    }
    case 'version.withdrawn': {
      const name = plain(message.product === null ? message.label : `${message.product} ${message.label}`)
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
        headline: 'changelogd can write here',
        title: 'Releases will be announced here.',
        rest: message.name,
      }
  }
}

const EMPTY = { url: null, title: null, text: null, lists: [], rest: null }

/** Labels are no markdown. */
const nameOf = ({ label, title }: { label: string; title: string }): string => {
  const plain = label.replace(/[\\`*_{}[\]()#+\-.!|~<>&]/g, '\\$&')
  return title === label ? plain : `${plain}: ${cut(title, 200)}`
}

const BREAKING = 'Breaking'
/** `Breaking: …`, `**BREAKING CHANGE:** …`: under the heading that says so. */
const BREAKING_MARK = /^(\*\*|__|\*|_)?breaking(?: changes?)?(?::\1|\1:)\s+(?=\S)/i

/** Breaking ones first, then by kind; each kind in the order of its author. */
const inOrder = (changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => rankOf(one) - rankOf(other))

const rankOf = (change: Change): number =>
  isBreaking(change) ? -1 : KINDS.indexOf(kindOf(change.type, change.typeLabel))

const headingOf = (change: Change): string =>
  isBreaking(change) ? BREAKING : (change.typeLabel ?? headingFromType(change.type))

const more = (count: number, what: string): string | null =>
  count <= 0 ? null : `and ${count} more ${what}${count === 1 ? '' : 's'}`
