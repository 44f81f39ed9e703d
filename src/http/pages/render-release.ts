import { type Kind, kindOf } from '../../domain/kinds.ts'
import type { Change, Instant } from '../../domain/records.ts'
import { dateOf, type VersionContent } from '../../store/store.ts'
import type { Queue } from '../cache/queue.ts'
import type { Rendered } from './markdown/bounds.ts'
import { mayHaveHtml } from './markdown/elements.ts'
import { renderBlocks, renderInline } from './markdown/render.ts'
import type { Repository } from './markdown/repository.ts'
import { headingOf } from './templates/kinds.ts'
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
  closing: Markup | null
  /** How many of its changes are not in the sections. */
  omitted: number
  /** Whether one of its texts was too long to show all of it. */
  isCut: boolean
}

export interface Section {
  heading: string
  kind: Kind
  changes: { title: Markup; description: Markup | null }[]
}

/** The level of the headings of sections; what authors write has headings below it. */
export type Level = 2 | 3

/** How much of a release is rendered: characters of each text, and of everything in HTML. */
export interface RenderLimits {
  text: number
  release: number
}

/** The most characters of a page, about. */
export const PAGE_LENGTH = 1_000_000

/** In a list of releases or a feed, and on its own page. */
export const LISTED: RenderLimits = { text: 20_000, release: 150_000 }
export const ALONE: RenderLimits = { text: 30_000, release: PAGE_LENGTH }

/** With the repository of its product, names and numbers in a release are links to it. */
export type RenderRelease = (
  version: VersionContent,
  level: Level,
  limits: RenderLimits,
  repository?: Repository | null,
) => Promise<Release>

/** How many characters are rendered in one turn of the event loop, of markdown and HTML together, and what a text takes at least. */
const CHARACTERS_PER_TURN = 30_000
const MIN_CHARACTERS = 100
/** HTML of authors takes as long as so many times as much markdown. */
const HTML_WEIGHT = 5

/** Renders versions. What is long takes several turns of the event loop. */
export function createReleaseRenderer(queue: Queue): RenderRelease {
  let inTurn = 0

  const spend = (characters: number) => {
    if (inTurn === 0)
      setImmediate(() => {
        inTurn = 0
      })
    inTurn += characters
  }

  const render = async (text: string, length: number, rendered: () => Rendered): Promise<Rendered> => {
    const read = Math.min(text.length, length) * (mayHaveHtml(text) ? HTML_WEIGHT : 1) + MIN_CHARACTERS
    if (inTurn > 0 && inTurn + read > CHARACTERS_PER_TURN) await queue(() => {})
    const result = rendered()
    spend(read + result.html.length)
    return result
  }

  const NOTHING: Rendered = { html: '', isCut: false }

  return async (version, level, limits, repository = null) => {
    const { id, label } = version
    const inline = async (text: string) =>
      (await render(text, text.length, () => ({ html: renderInline(text, repository), isCut: false }))).html
    const blocks = async (text: string | null, level: number): Promise<Rendered> =>
      text === null
        ? NOTHING
        : render(text, limits.text, () => renderBlocks(text, level, limits.text, repository))

    const title = version.title === label ? null : trusted(await inline(version.title))
    const about = await blocks(version.description, level)
    const sections: Section[] = []
    let { isCut } = about
    let omitted = version.changeCount
    let left = limits.release - about.html.length
    for (const [heading, changes] of Map.groupBy(version.changes, headingOf)) {
      left -= heading.length + MIN_CHARACTERS
      const { type, typeLabel } = changes[0] as Change
      const kind = kindOf(type, typeLabel)
      const section: Section = { heading, kind, changes: [] }
      for (const change of changes) {
        const title = await inline(change.title)
        const description = await blocks(change.description, level + 1)
        left -= title.length + description.html.length + MIN_CHARACTERS
        if (left < 0) break
        isCut ||= description.isCut
        omitted--
        section.changes.push({
          title: trusted(title),
          description: markupOf(change.description, description),
        })
      }
      if (section.changes.length > 0) sections.push(section)
      if (left < 0) break
    }
    const after = await blocks(version.closing, level)
    isCut ||= after.isCut
    const description = markupOf(version.description, about)
    const closing = markupOf(version.closing, after)
    return { id, label, date: dateOf(version), title, description, sections, closing, omitted, isCut }
  }
}

const markupOf = (source: string | null, { html }: Rendered): Markup | null =>
  source === null ? null : trusted(html)
