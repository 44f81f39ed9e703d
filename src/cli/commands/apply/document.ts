import * as yaml from 'yaml'
import { reasonOf } from '../../../domain/errors.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { plain } from '../../terminal/text.ts'

/** The bound on the characters that begin or end a value, which are counted before parsing: each takes about a kilobyte. */
const MAX_MARKS = 600_000
const MARKS = /[\n:,[{&]|\?(?=\s)|(?<=[-?:]\s)-(?=\s)/g
const TOO_MANY_MARKS = `the file is too large: more than ${MAX_MARKS.toLocaleString('en')} YAML tokens`

/** How often values may be repeated with aliases, those in repeated values included. */
const MAX_ALIASES = 100_000

/** How many problems a refusal lists: after a syntax error there may be one for each character. */
const MOST_LISTED = 100

const OPTIONS = {
  // Applies also if the file names an older version of YAML, in which `no` is a boolean and 2030-01-01 not a text.
  schema: 'core',
  merge: true,
  resolveKnownTags: false,
  stringKeys: true,
  // Checked by `visit`: the library compares all keys with each other, too slow for 10,000 teams.
  uniqueKeys: false,
  prettyErrors: false,
} as const

/** Replacements for messages of the library that are written for programmers. */
const MESSAGES: Partial<Record<yaml.ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second document starts here; remove the ---',
  NON_STRING_KEY: 'this name is not text',
  RESOURCE_EXHAUSTION: 'this is nested too deeply',
  TAG_RESOLVE_FAILED: 'this tag is not supported; remove it',
}

/** A YAML text as plain values, and its problems, which are reported all at once, each as `file.yml:3:5: …`. */
export class YamlDocument {
  readonly content: unknown
  readonly #document: yaml.Document
  readonly #lines = new yaml.LineCounter()
  readonly #file: string
  /** The offset in the text, by message. */
  readonly #problems = new Map<string, number>()

  /** `path` as the user gave it: `-` for standard input. Throws a `Refusal` if the text is not YAML or too large. */
  constructor(text: string, path: string) {
    this.#file = path === '-' ? '<stdin>' : path
    if (text.match(MARKS)?.[MAX_MARKS]) this.#note(0, TOO_MANY_MARKS)
    this.refuseIfAny()
    this.#document = yaml.parseDocument(text, { ...OPTIONS, lineCounter: this.#lines })
    for (const { pos, code, message } of [...this.#document.errors, ...this.#document.warnings])
      this.#note(pos[0], MESSAGES[code] ?? message)
    this.refuseIfAny('Nothing was applied. The file is not valid YAML.')
    this.#checkNames()
    this.refuseIfAny()
    try {
      this.content = this.#document.toJS({ maxAliasCount: MAX_ALIASES })
    } catch (error) {
      this.#note(0, reasonOf(error))
      this.refuseIfAny()
    }
  }

  /** Notes a problem of the value with these names, or of its own name. */
  note(names: readonly string[], text: string, part: 'name' | 'value' = 'name'): void {
    let at: yaml.Pair<unknown, unknown> | undefined
    for (const name of names) {
      const next = pairIn(this.#resolved(at ? at.value : this.#document.contents), name)
      // Problems in merged content are reported where it is merged.
      if (!next) break
      at = next
    }
    const node = (part === 'value' && at?.value) || at?.key
    this.#note(offsetOf(node), text)
  }

  /** Throws a `Refusal` that lists the problems in the order of the file, if there are any. */
  refuseIfAny(heading = 'Nothing was applied.'): void {
    if (this.#problems.size === 0) return
    const ordered = [...this.#problems].sort(([, one], [, other]) => one - other).map(([text]) => text)
    const more = ordered.length - MOST_LISTED
    throw new Refusal(
      [
        heading,
        ...ordered.slice(0, MOST_LISTED),
        ...(more > 0 ? [`… and ${more.toLocaleString('en')} more`] : []),
      ].join('\n  '),
    )
  }

  #note(offset: number, text: string): void {
    const { line, col } = this.#lines.linePos(offset)
    // Before the text is parsed, no line is known.
    this.#problems.set(plain(`${this.#file}:${line || 1}:${col || 1}: ${text}`), offset)
  }

  #resolved(node: unknown): unknown {
    return yaml.isAlias(node) ? node.resolve(this.#document) : node
  }

  #checkNames(): void {
    yaml.visit(this.#document, {
      Map: (_, { items }) => {
        const names = new Set<unknown>()
        for (const { key } of items) {
          const name = yaml.isScalar(key) ? key.value : key
          if (names.has(name)) this.#note(offsetOf(key), `${name} occurs twice`)
          names.add(name)
        }
      },
    })
  }
}

/** The entry of a mapping, or the item of a list, which is its own name. */
function pairIn(node: unknown, name: string): yaml.Pair<unknown, unknown> | undefined {
  if (yaml.isMap(node)) return node.items.find(({ key }) => yaml.isScalar(key) && key.source === name)
  const item = yaml.isSeq(node) ? node.items[Number(name)] : undefined
  return item === undefined ? undefined : ({ key: item, value: item } as yaml.Pair<unknown, unknown>)
}

const offsetOf = (node: unknown): number => (node as yaml.Node | undefined)?.range?.[0] ?? 0
