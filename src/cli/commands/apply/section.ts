import { isSlug, SLUG_RULE } from '../../../domain/slug.ts'
import { ISO_RULE, parseInstant } from '../../../domain/time.ts'

/** One mapping of a YAML file. Each method reads one of its entries, and records a problem with its path. */
export class Section {
  private readonly values: Readonly<Record<string, unknown>>

  constructor(
    value: unknown,
    private readonly path: string,
    private readonly problems: string[],
  ) {
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An entry without a value, such as `app:`, is an empty mapping.
    if (!isMapping && value !== null && value !== undefined) this.note(null, 'a mapping of names to values')
    this.values = isMapping ? (value as Record<string, unknown>) : {}
  }

  only(...allowed: string[]): this {
    for (const name of Object.keys(this.values))
      if (!allowed.includes(name)) this.note(name, `one of ${allowed.join(', ')}`, 'unknown')
    return this
  }

  section(name: string): Section {
    return new Section(this.values[name], this.at(name), this.problems)
  }

  entries<T>(name: string, bySlug: boolean, read: (key: string, section: Section) => T): T[] | null {
    // The entries of a section without a value may just be commented out. An empty section is `{}`.
    if (this.values[name] === undefined || this.values[name] === null) return null
    const section = this.section(name)
    return Object.keys(section.values).map((key) => {
      if (bySlug && !isSlug(key)) section.note(key, `a slug: ${SLUG_RULE}`, 'named wrongly')
      return read(key, section.section(key))
    })
  }

  text<N extends string>(name: N) {
    return this.read(name, 'a text in quotes', (value) => (typeof value === 'string' ? value : undefined))
  }

  choice<N extends string, C extends string>(name: N, choices: readonly C[]) {
    return this.read(name, `one of ${choices.join(', ')}`, (value) => choices.find((each) => each === value))
  }

  slugs<N extends string>(name: N) {
    return this.read(name, 'a list of slugs', (value) =>
      Array.isArray(value) && value.every((slug): slug is string => typeof slug === 'string' && isSlug(slug))
        ? value
        : undefined,
    )
  }

  date<N extends string>(name: N) {
    return this.read(name, ISO_RULE, (value) =>
      value instanceof Date
        ? value.getTime()
        : typeof value === 'string'
          ? (parseInstant(value) ?? undefined)
          : undefined,
    )
  }

  /** The entry under its name, or an empty object if the file has none, so that it can be spread. */
  private read<N extends string, T>(
    name: N,
    expected: string,
    parse: (value: unknown) => T | undefined,
  ): { [K in N]?: T } {
    const value = this.values[name]
    if (value === undefined) return {}
    const parsed = parse(value)
    if (parsed === undefined) this.note(name, expected)
    return { [name]: parsed } as { [K in N]?: T }
  }

  private at(name: string | null): string {
    if (name === null) return this.path
    return this.path === 'the file' ? name : `${this.path}.${name}`
  }

  private note(name: string | null, expected: string, fault = 'wrong'): void {
    this.problems.push(`${this.at(name)} is ${fault}: it must be ${expected}`)
  }
}
