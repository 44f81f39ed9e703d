import type { Change, Instant } from '../../domain/records.ts'
import { isBreaking, type Kind } from '../../domain/versions/kinds.ts'
import { type ChangelogInfo, dateOf, type VersionContent } from '../../store/store.ts'
import { createPace } from '../cache/queue.ts'
import { placeComparison } from './comparison.ts'
import type { Rendered } from './markdown/bounds.ts'
import { unescapeHtml } from './markdown/entities.ts'
import { parseRepository, type Repository } from './markdown/github/repository.ts'
import { plainText, renderBlocks, renderInline, renderLines } from './markdown/render.ts'
import type { Mark } from './marks.ts'
import { badgesOf, clampGroups, countsOf, type Group, groupChanges } from './sections.ts'
import type { Site } from './site.ts'
import { type Markup, trusted } from './templates/markup.ts'

/** A version whose markdown has become markup. */
export interface Release {
  id: string
  label: string
  /** Null if it is not known. */
  date: Instant | null
  /** Null if its author gave it none but the label. */
  title: Markup | null
  description: Markup | null
  sections: Section[]
  /** What follows the changes. */
  closing: Markup | null
  /** Kinds of its changes that it is marked with. */
  badges: Kind[]
  changeCount: number
  /** How many of its changes are not in the sections. */
  omitted: number
  /** Whether one of its texts was too long to show all of it. */
  isCut: boolean
}

export interface Section extends Omit<Group, 'changes'> {
  changes: RenderedChange[]
}

export interface RenderedChange {
  id: string
  title: Markup
  description: Markup | null
  isBreaking: boolean
  /** What its title only repeats: the heading above it, or the summary that its description begins with. */
  repeats: 'heading' | 'summary' | null
}

/** The level of the headings of sections; what authors write has headings below it. */
export type Level = 2 | 3

/** How much of a release is rendered: characters of each text, of everything in HTML, and changes, see `clampGroups`. */
export interface RenderLimits {
  text: number
  release: number
  changes: number
}

/** The most characters of a page, about. */
export const PAGE_LENGTH = 1_000_000

/** In a feed or in search results, in a list of releases, and on its own page. */
export const WHOLE: RenderLimits = { text: 20_000, release: 150_000, changes: Number.POSITIVE_INFINITY }
export const LISTED: RenderLimits = { ...WHOLE, changes: 12 }
export const ALONE: RenderLimits = { ...WHOLE, text: 30_000, release: PAGE_LENGTH }

/** In the language of its product, to whose repository names and numbers are links. `mark` marks what was searched for. */
export type RenderRelease = (
  product: Pick<ChangelogInfo, 'settings'>,
  version: VersionContent,
  level: Level,
  limits: RenderLimits,
  mark?: Mark,
) => Promise<Release>

/** How many titles are rendered in one step. */
const LINES_AT_ONCE = 25

/** What a change takes at least, in characters. */
const MIN_CHARACTERS = 100

/** Renders versions. What is long takes several turns of the event loop. */
export function createReleaseRenderer(site: Site): RenderRelease {
  /** All releases of a page have the same, nearly always. */
  let last: [address: string, repository: Repository | null] = ['', null]
  const repositoryAt = (address: string): Repository | null => {
    if (address !== last[0]) last = [address, parseRepository(address)]
    return last[1]
  }

  const NOTHING: Rendered = { html: '', isCut: false }

  return async (product, version, level, limits, mark = (html) => html) => {
    const pace = createPace()
    const { id, label, changeCount } = version
    const { words } = site.in(product).language
    const repository = repositoryAt(product.settings.repository ?? '')
    const lines = async (texts: readonly string[]): Promise<string[]> => {
      const all: string[] = []
      for (let at = 0; at < texts.length; at += LINES_AT_ONCE) {
        const some = texts.slice(at, at + LINES_AT_ONCE)
        all.push(...renderLines(some, repository, words.authored))
        await pace(some.join().length)
      }
      return all.map(mark)
    }
    const blocks = async (text: string | null, level: number): Promise<Rendered> => {
      if (text === null) return NOTHING
      const { html, isCut } = renderBlocks(text, level, limits.text, repository, words.authored)
      await pace(html.length)
      return { html: mark(html), isCut }
    }

    // It is a link itself, and can have none in it.
    const title =
      version.title === label ? null : trusted(mark(renderInline(version.title, null, words.authored)))
    const texts = placeComparison(version)
    const about = await blocks(texts.description, level)
    const sections: Section[] = []
    let { isCut } = about
    let omitted = changeCount
    let left = limits.release - about.html.length
    const isClamped = version.changes.length > limits.changes
    const all = groupChanges(words, version.changes)
    const groups = isClamped ? clampGroups(all, limits.changes) : all
    const shown = groups.flatMap(({ changes }) => changes)
    const breaking = new Set(shown.filter(isBreaking))
    const rendered = await lines(
      shown.map((change) => (breaking.has(change) ? withoutMark(change.title) : change.title)),
    )
    const titles = new Map(shown.map((change, at) => [change, rendered[at] ?? '']))
    for (const group of groups) {
      left -= group.heading.length + MIN_CHARACTERS
      const section: Section = { ...group, changes: [] }
      for (const change of group.changes) {
        const title = titles.get(change) ?? ''
        // Most have none, and need not wait.
        const description =
          change.description === null ? NOTHING : await blocks(change.description, level + 1)
        left -= title.length + description.html.length + MIN_CHARACTERS
        if (left < 0) break
        isCut ||= description.isCut
        omitted--
        section.changes.push({
          id: change.id,
          title: trusted(title),
          description: markupOf(change.description, description),
          isBreaking: breaking.has(change),
          repeats: repeatedBy(change, group.heading, description.html),
        })
      }
      if (section.changes.length > 0) sections.push(section)
      if (left < 0) break
    }
    // What follows the changes has no place after the first few of them.
    const ending = isClamped ? null : texts.closing
    const after = await blocks(ending, level)
    isCut ||= after.isCut
    return {
      ...{ id, label, date: dateOf(version), title, sections, changeCount, omitted, isCut },
      description: markupOf(texts.description, about),
      closing: markupOf(ending, after),
      badges: badgesOf(countsOf(version)),
    }
  }
}

/** A title that is shown with a badge, without the words in front of it that say the same. */
export const withoutMark = (title: string): string => title.replace(MARK, '$<scope>')

/** After a scope, perhaps: `*(core)* [**breaking**] …`, `**core:** [Breaking] …`. */
const MARK =
  /^(?<scope>(?:\*\([^()*]*\)\*|\*\*[^*]*:\*\*) )?(?:\[\**breaking(?: changes?)?\**\]:?|(?<stars>\**)breaking(?: changes?)?(?::\k<stars>|\k<stars>:))\s*(?=\S)/i

function repeatedBy(
  { title, typeLabel }: Change,
  heading: string,
  description: string,
): RenderedChange['repeats'] {
  if (description === '') return null
  const summary = SUMMARY.exec(description)?.[1]?.replace(/<[^>]*>/g, '')
  if (summary !== undefined && plainText(title) === unescapeHtml(summary)) return 'summary'
  return title === heading || title === typeLabel ? 'heading' : null
}

const SUMMARY = /^\s*<details[^>]*>\s*<summary>(.*?)<\/summary>/s

/** Comments leave nothing to show. */
const markupOf = (source: string | null, { html }: Rendered): Markup | null =>
  source === null || html.trim() === '' ? null : trusted(html)
