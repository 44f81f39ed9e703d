/** What an author does to a changelog between two imports. */
export interface Story {
  name: string
  before: Files
  after: Files
  /**
   * What is the same under another name: `1.1.0 > 2.0.0` for versions, `1.1.0: Log in > 1.0.1: Log in` for changes. A
   * version with the same label, and a change with the same title in it, are the same without being named here.
   */
  same?: readonly string[]
  /** Changes that got an id of their own. */
  fresh?: readonly string[]
  /** What happens by hand between the imports: arguments of commands. */
  byHand?: readonly (readonly string[])[]
}

/** A CHANGELOG.md, or files by name, imported in this order. */
export type Files = string | Record<string, string>

/** `## 1.0.0 - 2026-01-02` with a section of each type, newest first. */
export const file = (
  ...versions: readonly (readonly [heading: string, sections: Record<string, readonly string[]>])[]
) =>
  versions
    .map(([heading, sections]) =>
      [
        `## ${heading}`,
        ...Object.entries(sections).flatMap(([name, items]) => [
          ...(name === '' ? [] : [`### ${name}`]),
          items.map((item) => `- ${item}`).join('\n'),
        ]),
      ].join('\n\n'),
    )
    .join('\n\n')
