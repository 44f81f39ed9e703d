import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
} from 'yaml'
import { aliasTargets } from './aliases.ts'
import type { Problems, SourcePosition } from './problems.ts'

/** The bound on what a file may say, with everything that its aliases repeat. */
const MAX_ENTRIES = 1_000_000

/** The bound on the characters that begin or end a value. A dash that begins a line is counted with it. */
const MAX_MARKS = 600_000

const OPTIONS = {
  // Also if the file names an older version of YAML, in which `no` is a boolean and 2030-01-01 not a text.
  schema: 'core',
  resolveKnownTags: false,
  // `entriesOf` checks this: the library compares each key with every other one, too slow for 10,000 teams.
  uniqueKeys: false,
  prettyErrors: false,
} as const

const NO_TAGS = 'this tag has no meaning here: leave it out'

/** What to say instead of the library's messages that are written for programmers. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second document begins here, but a file has one: remove the ---',
  RESOURCE_EXHAUSTION: 'this is nested too deeply',
  TAG_RESOLVE_FAILED: NO_TAGS,
}

/** Plain words that are booleans in YAML 1.1, and so for some programs. */
const OLD_BOOLEAN = /^(y|n|yes|no|on|off)$/i

/** An entry of a mapping. */
export interface YamlEntry {
  /** Where its name is. */
  place: SourcePosition
  value: Node | null
}

/** A YAML document that knows where everything is. What is wrong with it becomes a problem. */
export class YamlDocument {
  private readonly document: Document.Parsed
  private readonly lines = new LineCounter()
  private targets: ReadonlyMap<Alias, Node> | undefined
  private entriesRead = 0

  /** Throws a `Refusal` if the text is not YAML. */
  constructor(
    private readonly text: string,
    readonly problems: Problems,
  ) {
    this.refuseIfTooMany()
    this.document = parseDocument(text, { ...OPTIONS, lineCounter: this.lines })
    for (const { pos, code, message } of [...this.document.errors, ...this.document.warnings])
      problems.note(this.placeAt(pos[0]), MESSAGES[code] ?? message)
    problems.refuseIfAny('Nothing was applied, because the file is not YAML that changelogd can read.')
  }

  get root(): YamlEntry {
    return { place: this.placeAt(0), value: this.document.contents }
  }

  placeOf(node: Node): SourcePosition {
    return this.placeAt(node.range?.[0] ?? 0)
  }

  /** The node, or what it is an alias of. */
  resolve(node: Node | null): Node | null {
    if (!isAlias(node)) return this.untagged(node)
    this.targets ??= aliasTargets(this.document, (alias, reason) =>
      this.problems.note(this.placeOf(alias), reason),
    )
    return this.untagged(this.targets.get(node) ?? null)
  }

  /** The items of a list; null if the node is none. */
  itemsOf(node: Node | null): Node[] | null {
    const list = this.resolve(node)
    if (!isSeq<Node>(list)) return null
    this.count(list)
    return list.items
  }

  /**
   * The entries of a mapping by name, with those of the mappings that it merges (`<<`) and does not have itself; null if
   * the node is no mapping. A name that is repeated or not a text becomes a problem; `pathOf` gives its path.
   */
  entriesOf(node: Node | null, pathOf: (name: string) => string): Map<string, YamlEntry> | null {
    const map = this.resolve(node)
    if (!isMap<Node, Node | null>(map)) return null
    this.count(map)
    const entries = new Map<string, YamlEntry>()
    let merged: YamlEntry | undefined
    for (const { key, value } of map.items) {
      const name = this.nameOf(key, pathOf)
      if (name === null) continue
      const entry = { place: this.placeOf(key), value }
      const first = isMerge(key) ? merged : entries.get(name)
      if (first) this.noteRepeated(pathOf(name), entry.place, first.place)
      else if (isMerge(key)) merged = entry
      else entries.set(name, entry)
    }
    if (merged) this.merge(entries, merged, pathOf)
    return entries
  }

  noteRepeated(path: string, place: SourcePosition, first: SourcePosition): void {
    this.problems.note(
      place,
      `${path} is repeated: it must be in one place, and is on line ${first.line} already`,
    )
  }

  /** Adds the entries of a mapping, or of a list of them, where there is none of that name yet. */
  private merge(
    entries: Map<string, YamlEntry>,
    { place, value }: YamlEntry,
    pathOf: (name: string) => string,
  ): void {
    for (const merged of this.itemsOf(value) ?? [value]) {
      const others = this.entriesOf(merged, pathOf)
      if (!others) this.problems.note(place, `${pathOf('<<')} is wrong: it must be an alias of a mapping`)
      for (const [name, entry] of others ?? []) if (!entries.has(name)) entries.set(name, entry)
    }
  }

  /** The text of a key; null if it is something else. */
  private nameOf(key: Node, pathOf: (name: string) => string): string | null {
    this.untagged(key)
    const text = isScalar(key) ? key.source : ''
    if (text && !isAmbiguous(key)) return text
    const problem = text
      ? `${pathOf(text)} is ambiguous in YAML: it must be in quotes, "${text}"`
      : 'this is not a name: it must be a text'
    this.problems.note(this.placeOf(key), problem)
    return null
  }

  /** The node. If it has a tag that the library knows, such as `!!str`, that is a problem as any other tag. */
  private untagged<N extends Node | null>(node: N): N {
    if (node === null || isAlias(node) || node.tag === undefined) return node
    let tag = this.text.lastIndexOf('!', (node.range?.[0] ?? 0) - 1)
    if (this.text[tag - 1] === '!') tag--
    this.problems.note(this.placeAt(tag), NO_TAGS)
    return node
  }

  private placeAt(offset: number): SourcePosition {
    const { line, col } = this.lines.linePos(offset)
    return { line, column: col }
  }

  /** Before the text is parsed, which takes about a kilobyte for each of its values. */
  private refuseIfTooMany(): void {
    const marks = /[\n:,[{&]|\?(?=\s)|(?<=[-?:]\s)-(?=\s)/g
    for (let count = 0; marks.test(this.text); count++) {
      if (count < MAX_MARKS) continue
      const most = MAX_MARKS.toLocaleString('en')
      this.problems.note(
        { line: 1, column: 1 },
        `the file has more than ${most} lines, colons, commas, brackets, ? and &: it must be split into several`,
      )
      this.problems.refuseIfAny()
    }
  }

  private count(collection: Node & { items: unknown[] }): void {
    this.entriesRead += collection.items.length
    if (this.entriesRead <= MAX_ENTRIES) return
    const bound = MAX_ENTRIES.toLocaleString('en')
    this.problems.note(
      this.placeOf(collection),
      `with this, the file has more than ${bound} entries: it must repeat less with aliases`,
    )
    this.problems.refuseIfAny()
  }
}

const isPlain = (node: Node): node is Scalar => isScalar(node) && node.type === Scalar.PLAIN

const isMerge = (key: Node): boolean => isPlain(key) && key.value === '<<'

/** Whether a key without quotes is, or was in YAML 1.1, a number, a boolean or null. */
const isAmbiguous = (key: Node): boolean =>
  isPlain(key) && (typeof key.value !== 'string' || OLD_BOOLEAN.test(key.value))
