import type { Words } from '../../words/languages.ts'
import { picturesOf } from '../pictures.ts'
import type { Form, Pace } from '../writing.ts'
import type { Repository } from './github/repository.ts'
import { type ShownPictures, showPictures } from './pictures.ts'
import { renderBlocks, renderInline } from './render.ts'

/** Whose texts they are, and how its pictures are shown. */
interface Owner extends ShownPictures {
  team: string
  product: string
}

/** HTML as a form of releases, in a language, with links to the repository. `mark` marks what was searched for. */
export function htmlForm(
  { authored }: Words,
  repository: Repository | null,
  { team, product, ...shown }: Owner,
  pace: Pace = () => undefined,
  mark: (html: string) => string = (html) => html,
): Form {
  const toPaths = picturesOf(team, product)
  const done = (html: string, isLink = false) => mark(showPictures(html, shown, isLink))
  return {
    // A title is a link itself, so it can have none in it.
    title: (source) => done(renderInline(toPaths(source), null, authored), true),
    line: async (source) => {
      await pace(source)
      return done(renderInline(toPaths(source), repository, authored))
    },
    blocks: async (source, level, length) => {
      await pace(source, length)
      const { html, isCut } = renderBlocks(toPaths(source), level, length, repository, authored)
      // Comments leave nothing to show.
      return { text: html.trim() === '' ? '' : done(html), isCut }
    },
    below: (text) => text,
  }
}
