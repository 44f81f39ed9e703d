import type { Change, Instant } from '../../domain/records.ts'
import { dateOf, type VersionContent } from '../../store/port.ts'
import type { Queue } from '../responses/queue.ts'
import { renderBlocks, renderInline } from './markdown/render.ts'
import { headingOf, type Kind, kindOf } from './templates/kinds.ts'
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
  /** How many of its changes are not in the sections. */
  omitted: number
}

/** The changes under one heading. */
export interface Section {
  heading: string
  kind: Kind | null
  changes: { title: Markup; description: Markup | null }[]
}

/** The level of the headings of sections; what authors write has headings below it. */
export type Level = 2 | 3

export type Typeset = (version: VersionContent, level: Level) => Promise<Release>

/** How many characters of markdown are rendered in one turn of the event loop, and what rendering a text takes at least. */
const CHARACTERS_PER_TURN = 60_000
const LEAST = 100

/** Renders versions. What is long takes several turns of the event loop. */
export function createTypesetter(queue: Queue): Typeset {
  let inTurn = 0

  const render = async (text: string, rendered: (text: string) => string): Promise<Markup> => {
    if (inTurn >= CHARACTERS_PER_TURN) await queue(() => {})
    if (inTurn === 0)
      setImmediate(() => {
        inTurn = 0
      })
    inTurn += text.length + LEAST
    return trusted(rendered(text))
  }

  const blocks = async (text: string | null, level: number): Promise<Markup | null> =>
    text === null ? null : render(text, (source) => renderBlocks(source, level))

  return async (version, level) => {
    const { id, label } = version
    const title = version.title === label ? null : await render(version.title, renderInline)
    const description = await blocks(version.description, level)
    const sections: Section[] = []
    for (const [heading, changes] of Map.groupBy(version.changes, headingOf)) {
      const section: Section = { heading, kind: kindOf((changes[0] as Change).type), changes: [] }
      for (const change of changes)
        section.changes.push({
          title: await render(change.title, renderInline),
          description: await blocks(change.description, level + 1),
        })
      sections.push(section)
    }
    const omitted = version.changeCount - version.changes.length
    return { id, label, date: dateOf(version), title, description, sections, omitted }
  }
}
