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
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Problems, SourcePosition } from './problems.ts'

/** Bounds on the content of a file, repeated aliases included. */
const MAX_ENTRIES = 1_000_000
const MAX_DEPTH = 100

/** The bound on the characters that begin or end a value. A dash that begins a line is counted with it. */
const MAX_MARKS = 600_000

const OPTIONS = {
  // Also if the file names an older version of YAML, in which `no` is a boolean and 2030-01-01 not a text.
  schema: 'core',
  resolveKnownTags: false,
  // Checked by `mappingOf`: the library compares all keys with each other, too slow for 10,000 teams.
  uniqueKeys: false,
  prettyErrors: false,
} as const

const NO_TAGS = 'this tag has no meaning here: leave it out'
const TOO_DEEP = 'this is nested too deeply'
const TOO_MANY_ENTRIES = `with this, the file has more than ${MAX_ENTRIES.toLocaleString('en')} entries: it must repeat less with aliases`
const TOO_MANY_MARKS = `the file has more than ${MAX_MARKS.toLocaleString('en')} lines, colons, commas, brackets, ? and &: it must be split into several`

/** What to say instead of the library's messages that are written for programmers. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second document begins here, but a file has one: remove the ---',
  RESOURCE_EXHAUSTION: TOO_DEEP,
  TAG_RESOLVE_FAILED: NO_TAGS,
}

/** Plain words that are booleans in YAML 1.1, and so for some programs. */
const OLD_BOOLEAN = /^(y|n|yes|no|on|off)$/i

export interface YamlEntry<T> {
  name: string
  place: SourcePosition
  value: T
}

/** An item of a list is its own key. */
interface YamlPair {
  key: Node
  value: Node | null
}

type Mapping = YAMLMap<Node, Node | null>

export type Names = readonly string[]

/** How the entries of a mapping must be named. */
export interface Naming {
  rule: string
  isRight: (name: string) => boolean
}

/**
 * A YAML text as plain values, and their positions. Problems are what JSON cannot say: a tag, a repeated name or one
 * that is not a text, an alias without a target.
 */
export class YamlDocument {
  readonly content: unknown
  private readonly lines = new LineCounter()
  private readonly targets = new Map<Alias, Node>()
  /** The nodes of each mapping and list, by name. */
  private readonly sources = new Map<unknown, ReadonlyMap<string, YamlPair>>()
  private entriesRead = 0

  /** Throws a `Refusal` if the text is not YAML or too large. */
  constructor(
    text: string,
    private readonly problems: Problems,
    private readonly namingIn: (names: Names) => Naming | undefined,
  ) {
    if (hasTooManyMarks(text)) problems.refuse({ line: 1, column: 1 }, TOO_MANY_MARKS)
    const document = parseDocument(text, { ...OPTIONS, lineCounter: this.lines })
    for (const { pos, code, message } of [...document.errors, ...document.warnings])
      this.note(pos[0], MESSAGES[code] ?? message)
    problems.refuseIfAny('Nothing was applied, because the file is not YAML that changelogd can read.')
    this.visit(document, text)
    this.content = this.valueOf(document.contents, [])
  }

  /** The entries of a mapping of the content, in the order of the file. */
  entriesOf<T>(mapping: Readonly<Record<string, T>>): YamlEntry<T>[] {
    return [...(this.sources.get(mapping) ?? [])].map(([name, { key }]) => ({
      name,
      place: this.placeOf(key),
      value: mapping[name] as T,
    }))
  }

  /** The position of a value, or of its name. */
  find(names: Names, part: 'name' | 'value'): SourcePosition {
    let content = this.content
    let source: YamlPair | undefined
    for (const name of names) {
      source = this.sources.get(content)?.get(name)
      content = (content as Record<string, unknown>)[name]
    }
    const node = part === 'value' ? (source?.value ?? source?.key) : source?.key
    return this.placeOf(node ?? 0)
  }

  /** Finds tags, even known ones, and the target of each alias, which ends before the alias begins. */
  private visit(document: Document, text: string): void {
    const anchored = new Map<string, Node>()
    visit(document, {
      Value: (_, node) => {
        if (node.tag !== undefined) this.note(tagStart(text, node), NO_TAGS)
        if (node.anchor !== undefined) anchored.set(node.anchor, node)
      },
      Alias: (_, alias, path) => {
        const name = alias.source
        const target = anchored.get(name)
        if (!target) this.note(alias, `*${name} has no anchor before it: mark a value with &${name}`)
        else if (path.includes(target)) this.note(alias, `*${name} is a part of itself: repeat the value`)
        else this.targets.set(alias, target)
      },
    })
  }

  private resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node
  }

  private valueOf(node: Node | null, names: Names): unknown {
    const source = this.resolve(node)
    if (isScalar(source)) return source.value
    const isList = isSeq<Node>(source)
    if (!isList && !isMapping(source)) return null
    const entries = isList ? this.itemsOf(source, names) : this.mappingOf(source, names)
    const naming = this.namingIn(names)
    const values = [...entries].map(([name, { key, value }]) => {
      const path = [...names, name]
      if (naming?.isRight(name) === false)
        this.note(key, `${path.join('.')} is named wrongly: it must be ${naming.rule}`)
      return [name, this.valueOf(value, path)] as const
    })
    const content = isList ? values.map(([, value]) => value) : Object.fromEntries(values)
    this.sources.set(content, entries)
    return content
  }

  /** By index. Each text must be unique. */
  private itemsOf(list: YAMLSeq<Node>, names: Names): ReadonlyMap<string, YamlPair> {
    this.count(list, names)
    const texts = new Map<string, Node>()
    for (const item of list.items) {
      const scalar = this.resolve(item)
      if (!isScalar(scalar) || typeof scalar.value !== 'string') continue
      const first = texts.get(scalar.value)
      if (first) this.noteRepeated([...names, scalar.value], item, first)
      else texts.set(scalar.value, item)
    }
    return new Map(list.items.map((item, index) => [String(index), { key: item, value: item }]))
  }

  /** By name, including those of merged mappings (`<<`). */
  private mappingOf(map: Mapping, names: Names): Map<string, YamlPair> {
    this.count(map, names)
    const entries = new Map<string, YamlPair>()
    let merge: YamlPair | undefined
    for (const entry of map.items) {
      const name = this.nameOf(entry.key, names)
      if (name === null) continue
      const first = isMerge(entry.key) ? merge : entries.get(name)
      if (first) this.noteRepeated([...names, name], entry.key, first.key)
      else if (isMerge(entry.key)) merge = entry
      else entries.set(name, entry)
    }
    for (const [name, entry] of merge ? this.mergedBy(merge, [...names, '<<']) : [])
      if (!entries.has(name)) entries.set(name, entry)
    return entries
  }

  /** The entries of the mapping, or list of mappings, that `<<` merges. */
  private *mergedBy({ key, value }: YamlPair, names: Names): Iterable<[string, YamlPair]> {
    const source = this.resolve(value)
    for (const each of isSeq<Node>(source) ? source.items : [source]) {
      const mapping = this.resolve(each)
      if (isMapping(mapping)) yield* this.mappingOf(mapping, names)
      else this.note(key, `${names.join('.')} is wrong: it must be an alias of a mapping`)
    }
  }

  /** The text of a key; null if it is something else. */
  private nameOf(key: Node, names: Names): string | null {
    const text = isScalar(key) ? key.source : ''
    if (text && !isAmbiguous(key)) return text
    const problem = text
      ? `${[...names, text].join('.')} is ambiguous in YAML: it must be in quotes, "${text}"`
      : 'this is not a name: it must be a text'
    this.note(key, problem)
    return null
  }

  private count(collection: Mapping | YAMLSeq<Node>, names: Names): void {
    this.entriesRead += collection.items.length
    if (names.length > MAX_DEPTH) this.problems.refuse(this.placeOf(collection), TOO_DEEP)
    if (this.entriesRead > MAX_ENTRIES) this.problems.refuse(this.placeOf(collection), TOO_MANY_ENTRIES)
  }

  private noteRepeated(names: Names, node: Node, first: Node): void {
    const { line } = this.placeOf(first)
    this.note(node, `${names.join('.')} is repeated: it must be in one place, and is on line ${line} already`)
  }

  private note(at: Node | number, problem: string): void {
    this.problems.note(this.placeOf(at), problem)
  }

  private placeOf(at: Node | number): SourcePosition {
    const { line, col } = this.lines.linePos(typeof at === 'number' ? at : (at.range?.[0] ?? 0))
    return { line, column: col }
  }
}

/** Counted before parsing, which takes about a kilobyte per value. */
function hasTooManyMarks(text: string): boolean {
  const marks = /[\n:,[{&]|\?(?=\s)|(?<=[-?:]\s)-(?=\s)/g
  let count = 0
  while (count <= MAX_MARKS && marks.test(text)) count++
  return count > MAX_MARKS
}

/** After one exclamation mark or two. */
function tagStart(text: string, node: Node): number {
  const mark = text.lastIndexOf('!', (node.range?.[0] ?? 0) - 1)
  return text[mark - 1] === '!' ? mark - 1 : mark
}

const isMapping = (node: Node | null): node is Mapping => isMap(node)

const isPlain = (node: Node): node is Scalar => isScalar(node) && node.type === Scalar.PLAIN

const isMerge = (key: Node): boolean => isPlain(key) && key.value === '<<'

/** Whether a key without quotes is, or was in YAML 1.1, a number, a boolean or null. */
const isAmbiguous = (key: Node): boolean =>
  isPlain(key) && (typeof key.value !== 'string' || OLD_BOOLEAN.test(key.value))
