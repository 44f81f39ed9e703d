import { dropLooseNotes } from '../../notes/footnotes.ts'
import { htmlForm } from '../../notes/html/form.ts'
import { parseRepository } from '../../notes/html/github/repository.ts'
import { headingOf } from '../../notes/html/headings.ts'
import { type ReleaseContent, showRelease } from '../../notes/release.ts'
import { type Form, type Limits, type WrittenRelease, writeRelease } from '../../notes/writing.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { createPace } from '../answers/queue.ts'
import type { Site } from '../site/site.ts'
import type { Mark } from './mark.ts'

/** The level of the headings of sections; what authors write has headings below it. */
export type Level = 2 | 3

type Product = Pick<ChangelogInfo, 'team' | 'product' | 'settings'>

/**
 * Renders versions as HTML, for one response. What is long takes several turns of the event loop. Addresses of our own pictures
 * begin with `base`: on pages, those of a site without a public address are paths.
 */
export function createRenderer(site: Site, base = site.publicUrl) {
  const pace = createPace()

  /** The form of a product's texts: in its language, with links to its repository. `grounds` as a version has them; `mark` marks what was searched for. */
  const formOf = (product: Product, grounds?: string | null, mark: Mark = (html) => html): Form => {
    const repository = parseRepository(product.settings.repository ?? '')
    const owner = { team: product.team.slug, product: product.product.slug, base, grounds }
    return htmlForm(site.in(product).language.words, repository, owner, pace, mark)
  }

  const release = async (
    product: Product,
    version: ReleaseContent,
    level: Level,
    limits: Limits,
    mark?: Mark,
  ): Promise<WrittenRelease> => {
    const { words } = site.in(product).language
    const own = await dropLooseNotes(version, pace)
    const shown = showRelease(own, (change) => headingOf(words, change), limits.changes)
    return writeRelease(formOf(product, version.grounds, mark), shown, level, limits)
  }

  return { formOf, release, pace }
}
