import type { Words } from '../../words/languages.ts'
import type { Form, Pace } from '../writing.ts'
import type { Repository } from './github/repository.ts'
import { ownPictures, type PictureBases } from './pictures.ts'
import { renderBlocks, renderInline } from './render.ts'

/** HTML as a form of releases, in a language, with links to the repository. `mark` marks what was searched for. */
export function htmlForm(
  { authored }: Words,
  repository: Repository | null,
  pictures: PictureBases,
  pace: Pace = () => undefined,
  mark: (html: string) => string = (html) => html,
): Form {
  const { toPaths, fromPaths } = ownPictures(pictures)
  return {
    // A title is a link itself, so it can have none in it.
    title: (source) => mark(fromPaths(renderInline(toPaths(source), null, authored))),
    line: async (source) => {
      await pace(source)
      return mark(fromPaths(renderInline(toPaths(source), repository, authored)))
    },
    blocks: async (source, level, length) => {
      await pace(source, length)
      const { html, isCut } = renderBlocks(toPaths(source), level, length, repository, authored)
      // Comments leave nothing to show.
      return { text: html.trim() === '' ? '' : mark(fromPaths(html)), isCut }
    },
    below: (text) => text,
  }
}
