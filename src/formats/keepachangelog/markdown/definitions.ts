import type { Definition } from 'mdast'
import { chunksOf } from './blocks.ts'
import { ParserBudget } from './bounds.ts'
import { inlineLink } from './inline.ts'
import { possibleLabels } from './labels.ts'
import { definitionsIn, endOf, startOf } from './nodes.ts'
import type { ParserContext } from './parser.ts'
import { parseTree } from './tree.ts'

/** A link definition, with its text. */
export interface LinkDefinition extends Pick<Definition, 'identifier' | 'label' | 'url' | 'title'> {
  source: string
}

/** The definition as a link by itself: where nothing refers to it, that is how it is kept. */
export const linkOf = ({ label, identifier, url, title }: LinkDefinition): string =>
  inlineLink(label ?? identifier, url, title)

/** The link definitions of a text, and which of them links refer to. */
export class Definitions {
  readonly #all: LinkDefinition[] = []
  /** Of several with one name the first, to which links refer. */
  readonly #effective = new Map<string, LinkDefinition>()
  readonly #used = new Set<string>()
  readonly labels: ReadonlySet<string>

  constructor(text: string, budget = new ParserBudget(text.length)) {
    const labels = possibleLabels(text)
    if (labels.size > 0) this.#collect(text, { labels, budget })
    this.labels = new Set(this.#effective.keys())
  }

  get(identifier: string): LinkDefinition | undefined {
    return this.#effective.get(identifier)
  }

  /** The definition of that name, to which a link refers. */
  use(identifier: string): LinkDefinition | undefined {
    const definition = this.#effective.get(identifier)
    if (definition !== undefined) this.#used.add(identifier)
    return definition
  }

  /** Those that no link refers to. Of several with one name only the first can be referred to. */
  unused(): LinkDefinition[] {
    return this.#all.filter((definition) => {
      const effective = this.#effective.get(definition.identifier)
      if (effective === definition) return !this.#used.has(definition.identifier)
      return effective?.url !== definition.url
    })
  }

  #collect(text: string, context: ParserContext): void {
    for (const { kind, start, end } of chunksOf(text, context)) {
      if (kind === 'heading' || kind === 'rule') continue
      const source = text.slice(start, end)
      if (!source.includes(']:')) continue
      const tree = parseTree(source, context)
      for (const node of tree.nodes.flatMap(definitionsIn)) {
        const { identifier, label, url, title } = node
        const definition = {
          identifier,
          label,
          url,
          title,
          source: tree.text.slice(startOf(node), endOf(node)),
        }
        this.#all.push(definition)
        if (!this.#effective.has(identifier)) this.#effective.set(identifier, definition)
      }
    }
  }
}
