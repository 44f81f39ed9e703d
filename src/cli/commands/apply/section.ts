import { isScalar, type Node } from 'yaml'
import { isSlug, SLUG_RULE } from '../../../domain/slug.ts'
import { ISO_RULE, parseInstant } from '../../../domain/time/time.ts'
import { plain } from '../../terminal/text.ts'
import type { YamlDocument, YamlEntry } from './document.ts'
import type { SourcePosition } from './problems.ts'

/** How the entries of a section are named. */
interface Naming {
  rule: string
  isNamed: (name: string) => boolean
}

export const BY_SLUG: Naming = { rule: `a slug: ${SLUG_RULE}`, isNamed: isSlug }

/** Labels that look alike are the same, so that each names one key. */
export const BY_LABEL: Naming = {
  rule: 'one line that does not begin or end with a space',
  isNamed: (name) => name === plain(name).trim(),
}

/** One mapping of a YAML file. Each method reads one of its entries; what is wrong with it becomes a problem. */
export class Section {
  /** Where its name is. */
  readonly place: SourcePosition
  private readonly entries: ReadonlyMap<string, YamlEntry>

  constructor(
    private readonly document: YamlDocument,
    { place, value }: YamlEntry,
    private readonly path: string,
  ) {
    this.place = place
    const entries = document.entriesOf(value, (name) => this.at(name))
    // An entry without a value, such as `app:`, is an empty mapping.
    if (!entries && !this.isEmpty(value)) this.note(place, path, 'a mapping of names to values')
    this.entries = entries ?? new Map()
  }

  only(...allowed: string[]): this {
    for (const [name, { place }] of this.entries)
      if (!allowed.includes(name)) this.note(place, this.at(name), `one of ${allowed.join(', ')}`, 'unknown')
    return this
  }

  section(name: string): Section {
    const entry = this.entries.get(name) ?? { place: this.place, value: null }
    return new Section(this.document, entry, this.at(name))
  }

  /** What `read` makes of every entry of a section; null if the file has none. */
  sections<T>(
    name: string,
    { rule, isNamed }: Naming,
    read: (key: string, section: Section) => T,
  ): T[] | null {
    // The entries of a section without a value may just be commented out. An empty section is `{}`.
    if (this.isEmpty(this.entries.get(name)?.value ?? null)) return null
    const section = this.section(name)
    return [...section.entries].map(([key, { place }]) => {
      if (!isNamed(key)) this.note(place, section.at(key), rule, 'named wrongly')
      return read(key, section.section(key))
    })
  }

  text<N extends string>(name: N) {
    return this.read(name, 'a text in quotes', (node) => this.textOf(node))
  }

  choice<N extends string, C extends string>(name: N, choices: readonly C[]) {
    return this.read(name, `one of ${choices.join(', ')}`, (node) => {
      const text = this.textOf(node)
      return choices.find((each) => each === text)
    })
  }

  slugs<N extends string>(name: N) {
    return this.read(name, 'a list of slugs', (node) => {
      const slugs = new Map<string, SourcePosition>()
      for (const item of this.document.itemsOf(node) ?? [null]) {
        const slug = this.textOf(item)
        if (item === null || slug === undefined || !isSlug(slug)) return undefined
        const [place, first] = [this.document.placeOf(item), slugs.get(slug)]
        if (first) {
          this.document.noteRepeated(`${this.at(name)}.${slug}`, place, first)
          break
        }
        slugs.set(slug, place)
      }
      return [...slugs.keys()]
    })
  }

  date<N extends string>(name: N) {
    return this.read(name, ISO_RULE, (node) => parseInstant(this.textOf(node) ?? '') ?? undefined)
  }

  /** The entry under its name, or an empty object if the file has none, so that it can be spread. */
  private read<N extends string, T>(
    name: N,
    expected: string,
    parse: (node: Node | null) => T | undefined,
  ): { [K in N]?: T } {
    const entry = this.entries.get(name)
    if (!entry) return {}
    const parsed = parse(entry.value)
    const place = entry.value ? this.document.placeOf(entry.value) : entry.place
    if (parsed === undefined) this.note(place, this.at(name), expected)
    return { [name]: parsed } as { [K in N]?: T }
  }

  private textOf(value: Node | null): string | undefined {
    const node = this.document.resolve(value)
    return isScalar(node) && typeof node.value === 'string' ? node.value : undefined
  }

  private isEmpty(value: Node | null): boolean {
    const node = this.document.resolve(value)
    return node === null || (isScalar(node) && node.value === null)
  }

  private at(name: string): string {
    return this.path === 'the file' ? name : `${this.path}.${name}`
  }

  private note(place: SourcePosition, path: string, expected: string, fault = 'wrong'): void {
    this.document.problems.note(place, `${path} is ${fault}: it must be ${expected}`)
  }
}
