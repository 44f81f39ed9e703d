import type { Words } from '../../words/languages.ts'
import type { Form, Pace } from '../writing.ts'
import type { Repository } from './github/repository.ts'
import { renderBlocks, renderInline } from './render.ts'

/** HTML as a form of releases, in a language, with links to the repository. `mark` marks what was searched for. */
export const htmlForm = (
  { authored }: Words,
  repository: Repository | null,
  pace: Pace = () => undefined,
  mark: (html: string) => string = (html) => html,
): Form => ({
  // A title is a link itself, so it can have none in it.
  title: (source) => mark(renderInline(source, null, authored)),
  line: async (source) => {
    await pace(source)
    return mark(renderInline(source, repository, authored))
  },
  blocks: async (source, level, length) => {
    await pace(source, length)
    const { html, isCut } = renderBlocks(source, level, length, repository, authored)
    // Comments leave nothing to show.
    return { text: html.trim() === '' ? '' : mark(html), isCut }
  },
  below: (text) => text,
})
