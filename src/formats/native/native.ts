import { type IdPrefix, isId } from '../../domain/id.ts'
import {
  KEY_KINDS,
  KEY_STATUSES,
  LIMITS,
  type MovedKey,
  PLANS,
  type Product,
  STATUSES,
  type Team,
  VERSION_STATUSES,
  VISIBILITIES,
} from '../../domain/records.ts'
import { CHANGE_TYPE_RULE, isChangeType, isSlug, SLUG_RULE } from '../../domain/slug.ts'
import { FormatError } from '../parsed.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isSpace,
  JsonScan,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-scan.ts'

/**
 * Our own format, for moving everything from one database to another:
 *
 *     {"format":"changelogd","version":1,"teams":[
 *     {"id":…,"slug":…,"name":…,"visibility":…,"plan":…,"createdAt":…,"keys":[…],"products":[
 *     {"id":…,"slug":…,"name":…,"status":…,"createdAt":…,"changelog":{…},"versions":[
 *     {"id":…,"version":…,"title":…,"status":…,"publishedAt":…,"dated":…,"createdAt":…,"description":…,"changes":[…]},
 *     …
 *     ]}]}]}
 *
 * Both directions work on a stream of events and hold one version at a time. That is why order matters in one
 * respect: `teams`, `products` and `versions` come last in their objects, as what stands before them has to be
 * known by then. Otherwise any JSON with these fields will do.
 */
export type NativeEvent =
  | { kind: 'team'; team: NativeTeam }
  | { kind: 'product'; product: NativeProduct }
  | { kind: 'version'; version: NativeVersion }

/** With its keys in a complete export only. */
export interface NativeTeam extends Team {
  keys?: readonly MovedKey[]
}

/** Belongs to the team before it. */
export type NativeProduct = Omit<Product, 'team'>

/** Belongs to the product before it. */
export interface NativeVersion {
  id: string
  version: string
  title: string
  status: 'draft' | 'published'
  /** Milliseconds since the epoch, as is `createdAt`. */
  publishedAt: number
  /** Whether `publishedAt` was given by the author. */
  dated: boolean
  createdAt: number
  description: string | null
  changes: NativeChange[]
}

export interface NativeChange {
  id: string
  type: string
  title: string
  description: string | null
}

export const NATIVE_VERSION = 1

/** One team's header, one product's header or one version may be this large; it bounds the memory of a read. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

/**
 * Reads events in the order of the file. Throws FormatError, naming the path, at the first thing that is not
 * as it should be; events before it have been yielded by then, so act on them in a transaction.
 */
export async function* readNative(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<NativeEvent, void, undefined> {
  const reader = new NativeReader(chunks)
  yield* reader.events()
}

/** Writes events as readNative gives them: the same events, the same bytes. One version is one line. */
export async function* writeNative(
  events: AsyncIterable<NativeEvent> | Iterable<NativeEvent>,
): AsyncGenerator<string, void, undefined> {
  let pending = `{"format":"changelogd","version":${NATIVE_VERSION},"teams":[`
  let last: NativeEvent['kind'] | null = null
  for await (const event of events) {
    pending += between(last, event.kind)
    if (event.kind === 'team') pending += teamLine(event.team)
    else if (event.kind === 'product') pending += productLine(event.product)
    else pending += versionLine(event.version)
    last = event.kind
    if (pending.length >= CHUNK) {
      yield pending
      pending = ''
    }
  }
  yield `${pending}${last === null ? '' : closing(last, 'team')}\n]}\n`
}

const CHUNK = 64 * 1024
const LEVELS = ['team', 'product', 'version'] as const

function between(last: NativeEvent['kind'] | null, next: NativeEvent['kind']): string {
  const depth = last === null ? -1 : LEVELS.indexOf(last)
  const wanted = LEVELS.indexOf(next)
  if (wanted > depth + 1) throw new Error(`a ${next} needs a ${LEVELS[wanted - 1]} before it`)
  if (last === null || wanted > depth) return '\n'
  return `${closing(last, next)},\n`
}

/** Ends open objects until one of `level` could follow. */
function closing(last: NativeEvent['kind'], level: NativeEvent['kind']): string {
  let text = ''
  for (let depth = LEVELS.indexOf(last); depth >= LEVELS.indexOf(level); depth--) {
    if (LEVELS[depth] !== 'version') text += last === LEVELS[depth] ? ']}' : '\n]}'
  }
  return text
}

function teamLine({ id, slug, name, visibility, plan, createdAt, keys }: NativeTeam): string {
  const head = { id, slug, name, visibility, plan, createdAt: iso(createdAt) }
  return opened(keys === undefined ? head : { ...head, keys: keys.map(keyFields) }, 'products')
}

const keyFields = ({ id, kind, status, label, createdAt, expiresAt, products, tokens }: MovedKey) => ({
  id,
  kind,
  status,
  label,
  createdAt: iso(createdAt),
  expiresAt: expiresAt === null ? null : iso(expiresAt),
  products,
  tokens: tokens.map(({ hash, start, createdAt, expiresAt }) => ({
    hash,
    start,
    createdAt: iso(createdAt),
    expiresAt: expiresAt === null ? null : iso(expiresAt),
  })),
})

function productLine({ id, slug, name, status, createdAt, changelog }: NativeProduct): string {
  const { id: changelogId, name: changelogName, status: changelogStatus, preamble } = changelog
  return opened(
    {
      id,
      slug,
      name,
      status,
      createdAt: iso(createdAt),
      changelog: { id: changelogId, name: changelogName, status: changelogStatus, preamble },
    },
    'versions',
  )
}

/** An object that goes on with a list. */
const opened = (head: object, list: string): string => `${JSON.stringify(head).slice(0, -1)},"${list}":[`

const iso = (instant: number): string => new Date(instant).toISOString()

function versionLine(version: NativeVersion): string {
  return JSON.stringify({
    id: version.id,
    version: version.version,
    title: version.title,
    status: version.status,
    publishedAt: iso(version.publishedAt),
    dated: version.dated,
    createdAt: iso(version.createdAt),
    description: version.description,
    changes: version.changes.map(({ id, type, title, description }) => ({ id, type, title, description })),
  })
}

class NativeReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #scan = new JsonScan()
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #end = 0
  #finished = false

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]()
  }

  async *events(): AsyncGenerator<NativeEvent, void, undefined> {
    await this.#skipByteOrderMark()
    await this.#header('', 'teams', checkFile)
    for (let team = 0; await this.#hasNext('teams', team); team++) {
      const teamPath = `teams[${team}]`
      yield { kind: 'team', team: checkTeam(await this.#header(teamPath, 'products', knownTeam), teamPath) }
      for (let product = 0; await this.#hasNext(`${teamPath}.products`, product); product++) {
        const productPath = `${teamPath}.products[${product}]`
        const head = await this.#header(productPath, 'versions', knownProduct)
        yield { kind: 'product', product: checkProduct(head, productPath) }
        for (let version = 0; await this.#hasNext(`${productPath}.versions`, version); version++) {
          const path = `${productPath}.versions[${version}]`
          const value = this.#valueAtHand(path) ?? (await this.#value(path))
          yield { kind: 'version', version: checkVersion(value, path) }
        }
        await this.#endObject(productPath, 'versions')
      }
      await this.#endObject(teamPath, 'products')
    }
    await this.#endObject('', 'teams')
    if ((await this.#peek()) !== undefined) throw new FormatError('the file goes on after its end')
  }

  /** Reads an object's fields up to the list that ends it, whose bracket is read as well. */
  async #header(path: string, list: string, known: (fields: Fields, path: string) => void): Promise<Fields> {
    const fields: Fields = Object.create(null)
    await this.#expect(OPEN_OBJECT, path, 'an object')
    for (let first = true; ; first = false) {
      if ((await this.#peek()) === CLOSE_OBJECT) throw new FormatError(`${at(path, list)}: missing`)
      if (!first) await this.#expect(COMMA, path, 'a comma')
      if ((await this.#peek()) !== QUOTE)
        throw new FormatError(`${path || 'file'}: expected the name of a field`)
      const name = await this.#value(path)
      await this.#expect(COLON, at(path, String(name)), 'a colon')
      if (typeof name !== 'string' || Object.hasOwn(fields, name)) {
        throw new FormatError(`${at(path, String(name))}: given twice`)
      }
      if (name === list) {
        known(fields, path)
        await this.#expect(OPEN_ARRAY, at(path, list), 'a list')
        return fields
      }
      fields[name] = await this.#value(at(path, name))
    }
  }

  /** Whether the list has one more element; stands at its first byte then, behind the bracket otherwise. */
  async #hasNext(path: string, index: number): Promise<boolean> {
    let byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined
    if (byte === undefined || isSpace(byte)) byte = await this.#peek()
    if (byte === CLOSE_ARRAY) {
      this.#at++
      return false
    }
    if (index === 0) return true
    await this.#expect(COMMA, path, 'a comma or the end of the list')
    return (await this.#peek()) !== undefined
  }

  async #endObject(path: string, list: string): Promise<void> {
    const byte = await this.#peek()
    if (byte === COMMA) throw new FormatError(`${at(path, list)}: has to be the last field of its object`)
    await this.#expect(CLOSE_OBJECT, path, 'the end of the object')
  }

  async #expect(byte: number, path: string, what: string): Promise<void> {
    const found = await this.#peek()
    if (found === undefined) throw new FormatError(`${path || 'file'}: ends too early, expected ${what}`)
    if (found !== byte)
      throw new FormatError(
        `${path || 'file'}: expected ${what}, found ${JSON.stringify(String.fromCharCode(found))}`,
      )
    this.#at++
  }

  /** The next byte that is no blank, not consumed. */
  async #peek(): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#end) {
        const byte = this.#bytes[this.#at]
        if (!isSpace(byte)) return byte
        this.#at++
      }
      if (!(await this.#more())) return undefined
    }
  }

  /** A value that is wholly in memory, which nearly all are; undefined means that it has to be waited for. */
  #valueAtHand(path: string): unknown {
    this.#scan.begin(this.#at)
    const end = this.#scan.end(this.#bytes, this.#end)
    return end === -1 ? undefined : this.#take(end, path)
  }

  async #value(path: string): Promise<unknown> {
    await this.#peek()
    this.#scan.begin(this.#at)
    for (;;) {
      const end = this.#scan.end(this.#bytes, this.#end, this.#finished)
      if (end !== -1) return this.#take(end, path)
      if (this.#finished) throw new FormatError(`${path || 'file'}: ends too early`)
      if (this.#end - this.#at > MAX_VALUE_BYTES) {
        throw new FormatError(`${path}: larger than ${MAX_VALUE_BYTES / 1024 / 1024} MB`)
      }
      await this.#more()
    }
  }

  #take(end: number, path: string): unknown {
    let text: string
    try {
      text = this.#decoder.decode(this.#bytes.subarray(this.#at, end))
    } catch {
      throw new FormatError(`${path || 'file'}: is not UTF-8`)
    }
    try {
      const value: unknown = JSON.parse(text)
      this.#at = end
      return value
    } catch (error) {
      throw new FormatError(
        `${path || 'file'}: is not JSON (${error instanceof Error ? error.message : 'unreadable'})`,
      )
    }
  }

  /** Appends the next chunk behind what is unread. False at the end of the file. */
  async #more(): Promise<boolean> {
    if (this.#finished) return false
    // moved first, into memory of our own: the source may use its chunk's again
    this.#bytes.copyWithin(0, this.#at, this.#end)
    this.#scan.shift(this.#at)
    this.#end -= this.#at
    this.#at = 0
    const next = await this.#source.next()
    if (next.done) {
      this.#finished = true
      return false
    }
    const needed = this.#end + next.value.length
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(needed * 2)
      larger.set(this.#bytes.subarray(0, this.#end))
      this.#bytes = larger
    }
    this.#bytes.set(next.value, this.#end)
    this.#end = needed
    return true
  }

  async #skipByteOrderMark(): Promise<void> {
    await this.#peek()
    const [a, b, c] = this.#bytes.subarray(this.#at, this.#at + 3)
    if (a === 0xef && b === 0xbb && c === 0xbf) this.#at += 3
  }
}

type Fields = Record<string, unknown>

function at(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

function checkFile(fields: Fields): void {
  if (fields.format !== 'changelogd')
    throw new FormatError(`format: ${shown(fields.format)} is not "changelogd"`)
  if (fields.version !== NATIVE_VERSION) {
    throw new FormatError(
      `version: ${shown(fields.version)} is not ${NATIVE_VERSION}, the version this program reads`,
    )
  }
  only(fields, '', ['format', 'version'])
}

function knownTeam(fields: Fields, path: string): void {
  only(fields, path, ['id', 'slug', 'name', 'visibility', 'plan', 'createdAt', 'keys'])
}

function knownProduct(fields: Fields, path: string): void {
  only(fields, path, ['id', 'slug', 'name', 'status', 'createdAt', 'changelog'])
}

function checkTeam(fields: Fields, path: string): NativeTeam {
  const team: NativeTeam = {
    id: id(fields.id, path, 'team'),
    slug: slug(fields.slug, path),
    name: text(fields.name, path, 'name', LIMITS.name),
    visibility: oneOf(fields.visibility, path, 'visibility', VISIBILITIES),
    plan: oneOf(fields.plan, path, 'plan', PLANS),
    createdAt: time(fields.createdAt, path, 'createdAt'),
  }
  if (fields.keys === undefined) return team
  const keys = list(fields.keys, path, 'keys')
  return { ...team, keys: keys.map((key, index) => checkKey(key, `${path}.keys[${index}]`)) }
}

const KEY_FIELDS = ['id', 'kind', 'status', 'label', 'createdAt', 'expiresAt', 'products', 'tokens']
const TOKEN_FIELDS = ['hash', 'start', 'createdAt', 'expiresAt']

function checkKey(value: unknown, path: string): MovedKey {
  const fields = object(value, path)
  only(fields, path, KEY_FIELDS)
  return {
    id: id(fields.id, path, 'key'),
    kind: oneOf(fields.kind, path, 'kind', KEY_KINDS),
    status: oneOf(fields.status, path, 'status', KEY_STATUSES),
    label: fields.label === '' ? '' : text(fields.label, path, 'label', LIMITS.name),
    createdAt: time(fields.createdAt, path, 'createdAt'),
    expiresAt: fields.expiresAt === null ? null : time(fields.expiresAt, path, 'expiresAt'),
    products: list(fields.products, path, 'products').map((each, at) =>
      slug(each, `${path}.products[${at}]`),
    ),
    tokens: list(fields.tokens, path, 'tokens').map((each, at) => checkToken(each, `${path}.tokens[${at}]`)),
  }
}

function checkToken(value: unknown, path: string): MovedKey['tokens'][number] {
  const fields = object(value, path)
  only(fields, path, TOKEN_FIELDS)
  if (typeof fields.hash !== 'string' || !/^[0-9a-f]{64}$/.test(fields.hash))
    throw wrong(fields.hash, path, 'hash', 'a SHA-256 in 64 hexadecimal digits')
  return {
    hash: fields.hash,
    start: text(fields.start, path, 'start', LIMITS.label),
    createdAt: time(fields.createdAt, path, 'createdAt'),
    expiresAt: fields.expiresAt === null ? null : time(fields.expiresAt, path, 'expiresAt'),
  }
}

function checkProduct(fields: Fields, path: string): NativeProduct {
  const changelog = object(fields.changelog, `${path}.changelog`)
  only(changelog, `${path}.changelog`, ['id', 'name', 'status', 'preamble'])
  return {
    id: id(fields.id, path, 'prod'),
    slug: slug(fields.slug, path),
    name: text(fields.name, path, 'name', LIMITS.name),
    status: oneOf(fields.status, path, 'status', STATUSES),
    createdAt: time(fields.createdAt, path, 'createdAt'),
    changelog: {
      id: id(changelog.id, `${path}.changelog`, 'clog'),
      name: text(changelog.name, `${path}.changelog`, 'name', LIMITS.name),
      status: oneOf(changelog.status, `${path}.changelog`, 'status', STATUSES),
      preamble: textOrNull(changelog.preamble, `${path}.changelog`, 'preamble'),
    },
  }
}

const VERSION_FIELDS = [
  'id',
  'version',
  'title',
  'status',
  'publishedAt',
  'dated',
  'createdAt',
  'description',
  'changes',
]
const CHANGE_FIELDS = ['id', 'type', 'title', 'description']

function checkVersion(value: unknown, path: string): NativeVersion {
  const fields = object(value, path)
  only(fields, path, VERSION_FIELDS)
  if (typeof fields.dated !== 'boolean') throw wrong(fields.dated, path, 'dated', 'true or false')
  return {
    id: id(fields.id, path, 'ver'),
    version: text(fields.version, path, 'version', LIMITS.label),
    title: text(fields.title, path, 'title', LIMITS.title),
    status: oneOf(fields.status, path, 'status', VERSION_STATUSES),
    publishedAt: time(fields.publishedAt, path, 'publishedAt'),
    dated: fields.dated,
    createdAt: time(fields.createdAt, path, 'createdAt'),
    description: textOrNull(fields.description, path, 'description'),
    changes: list(fields.changes, path, 'changes').map((change, index) => checkChange(change, path, index)),
  }
}

function checkChange(value: unknown, versionPath: string, index: number): NativeChange {
  const fields = value as Fields
  const { type, title, description } = fields ?? {}
  // the path is made only when it is needed: most of a large import is spent in this function
  const path = () => `${versionPath}.changes[${index}]`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) object(value, path())
  for (const field in fields) if (!CHANGE_FIELDS.includes(field)) only(fields, path(), CHANGE_FIELDS)
  if (typeof type !== 'string' || !isChangeType(type)) throw wrong(type, path(), 'type', CHANGE_TYPE_RULE)
  if (typeof title !== 'string' || title === '' || title.length > LIMITS.title)
    text(title, path(), 'title', LIMITS.title)
  if (typeof fields.id !== 'string' || !isId('chg', fields.id)) id(fields.id, path(), 'chg')
  if (description !== null && typeof description !== 'string') textOrNull(description, path(), 'description')
  return { id: fields.id as string, type, title: title as string, description: description as string | null }
}

function slug(value: unknown, path: string): string {
  if (typeof value === 'string' && isSlug(value)) return value
  throw wrong(value, path, 'slug', `a slug: ${SLUG_RULE}`)
}

function id(value: unknown, path: string, prefix: IdPrefix): string {
  if (typeof value === 'string' && isId(prefix, value)) return value
  throw wrong(value, path, 'id', `an id beginning with ${prefix}_`)
}

function text(value: unknown, path: string, field: string, max: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= max) return value
  throw wrong(value, path, field, `a text of 1 to ${max} characters`)
}

function textOrNull(value: unknown, path: string, field: string): string | null {
  if (value === null || typeof value === 'string') return value
  throw wrong(value, path, field, 'a text or null')
}

function oneOf<T extends string>(value: unknown, path: string, field: string, allowed: readonly T[]): T {
  for (const one of allowed) if (one === value) return one
  throw wrong(
    value,
    path,
    field,
    allowed.length === 2 ? allowed.join(' or ') : `one of ${allowed.join(', ')}`,
  )
}

function time(value: unknown, path: string, field: string): number {
  if (typeof value === 'string' && value.length === 24) {
    const date = new Date(value)
    if (!Number.isNaN(date.getTime()) && date.toISOString() === value) return date.getTime()
  }
  throw wrong(value, path, field, 'a time such as 2026-01-02T03:04:05.678Z')
}

function list(value: unknown, path: string, field: string): unknown[] {
  if (Array.isArray(value)) return value
  throw wrong(value, path, field, 'a list')
}

function object(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new FormatError(
    value === undefined ? `${path}: missing` : `${path}: ${shown(value)} is not an object`,
  )
}

function only(fields: Fields, path: string, known: string[]): void {
  for (const field in fields) {
    if (!known.includes(field))
      throw new FormatError(`${at(path, field)}: unknown field, expected ${known.join(', ')}`)
  }
}

function wrong(value: unknown, path: string, field: string, expected: string): FormatError {
  return new FormatError(
    value === undefined
      ? `${at(path, field)}: missing, expected ${expected}`
      : `${at(path, field)}: ${shown(value)} is not ${expected}`,
  )
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing'
  return json.length > 80 ? `${json.slice(0, 79)}…` : json
}
