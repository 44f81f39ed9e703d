import type { Definition, ParsedPart } from './blocks.ts'
import { inlineLink } from './inline.ts'

/** An unused definition is kept as a link. */
export const linkOf = ({ label, url, title }: Definition): string => inlineLink(label, url, title)

/** The link definitions of a text, and which of them are used. */
export class Definitions {
  readonly #all: Definition[] = []
  /** The first of several with one name, which links refer to. */
  readonly #effective: ReadonlyMap<string, Definition>
  readonly #used = new Set<string>()
  readonly labels: ReadonlySet<string>
  /** The last part with definitions. */
  readonly last: ParsedPart | undefined

  constructor(parts: Iterable<ParsedPart>) {
    for (const part of parts) {
      this.last = part
      for (const definition of part.definitions().values()) this.#all.push(definition)
    }
    this.#effective = new Map(this.#all.toReversed().map((one) => [one.identifier, one]))
    this.labels = new Set(this.#effective.keys())
  }

  get(identifier: string): Definition | undefined {
    return this.#effective.get(identifier)
  }

  /** Marks it as used. */
  use(identifier: string): Definition | undefined {
    this.#used.add(identifier)
    return this.get(identifier)
  }

  /** The unused ones, including duplicates with another address. */
  unused(): Definition[] {
    return this.#all.filter((definition) => {
      const effective = this.#effective.get(definition.identifier)
      if (effective === definition) return !this.#used.has(definition.identifier)
      return effective?.url !== definition.url
    })
  }
}
