import { normalise } from '../formats/markdown/lines.ts'
import { MarkdownDocument, MarkdownSource } from '../formats/markdown/source.ts'

/** The paragraphs of a text, in which links have their addresses with them. */
export function* paragraphsIn(text: string): Generator<string> {
  const source = new MarkdownSource(new MarkdownDocument(normalise(text)))
  for (const { type, start, end } of source.nodes) if (type === 'paragraph') yield source.slice(start, end)
}
