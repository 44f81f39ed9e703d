import { dropLooseNotes } from '../../notes/footnotes.ts'
import { type ReleaseContent, showRelease } from '../../notes/release.ts'
import { type Form, type Limits, type WrittenRelease, writeRelease } from '../../notes/writing.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { createPace } from '../answers/queue.ts'
import { parseRepository } from '../markdown/github/repository.ts'
import { headingOf } from '../markdown/headings.ts'
import { renderBlocks, renderInline } from '../markdown/render.ts'
import type { Site } from '../site/site.ts'
import type { Mark } from './mark.ts'

/** The level of the headings of sections; what authors write has headings below it. */
export type Level = 2 | 3

type Product = Pick<ChangelogInfo, 'settings'>

/** Looking for the footnotes of a change takes as long as rendering so many characters. */
const NOTES_COST = 50

/** Renders versions as HTML, for one response. What is long takes several turns of the event loop. */
export function createRenderer(site: Site) {
  const pace = createPace()

  /** The form of a product's texts: in its language, with links to its repository. `mark` marks what was searched for. */
  const formOf = (product: Product, mark: Mark = (html) => html): Form => {
    const { authored } = site.in(product).language.words
    const repository = parseRepository(product.settings.repository ?? '')
    return {
      // It is a link itself, and can have none in it.
      title: (source) => mark(renderInline(source, null, authored)),
      line: async (source) => {
        await pace(source.length)
        return mark(renderInline(source, repository, authored))
      },
      blocks: async (source, level, length) => {
        await pace(Math.min(source.length, length))
        const { html, isCut } = renderBlocks(source, level, length, repository, authored)
        // Comments leave nothing to show.
        return { text: html.trim() === '' ? '' : mark(html), isCut }
      },
      below: (text) => text,
    }
  }

  const release = async (
    product: Product,
    version: ReleaseContent,
    level: Level,
    limits: Limits,
    mark?: Mark,
  ): Promise<WrittenRelease> => {
    const { words } = site.in(product).language
    await pace(NOTES_COST * version.changes.length)
    const own = dropLooseNotes(version)
    const shown = showRelease(own, (change) => headingOf(words, change), limits.changes)
    return writeRelease(formOf(product, mark), shown, level, limits)
  }

  return { formOf, release, pace }
}
