import { PARAMETERS } from './parameters.ts'
import type { components } from './schemas.js'

type Schemas = components['schemas']

export type Change = Schemas['Change']
export type Kind = Change['kind']
/** A version with its changes, and what it belongs to. */
export type Version = Schemas['Version']
/** A version in a list, with its changes. */
export type VersionWithChanges = Required<ListedVersion>
/** A version in a list, without what `include=changes` adds. */
export type VersionSummary = {
  [Name in keyof ListedVersion as object extends Pick<ListedVersion, Name>
    ? never
    : Name]: ListedVersion[Name]
}
type ListedVersion = Schemas['VersionSummary']
type ErrorCode = Schemas['Error']['error']['code']

/** A product: its team and its own name, such as `acme/app`. */
export type ProductName = `${string}/${string}`

export interface ClientOptions {
  /** An API key: for what it may read, drafts too. Without one, for what is public. Keep it out of browsers. */
  key?: string | undefined
  /** Sent with every request, such as `X-Site-Authorization` for a server with a password. */
  headers?: Record<string, string>
  /** Sends the requests. Default: the global one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How often a request is repeated which the server told to come back later. Default: 3 */
  retries?: number
  /** The longest it waits before each of them, in seconds. What takes longer is an error at once. Default: 60 */
  maxWait?: number
  /**
   * How many characters of answers it keeps, to ask only whether they changed. Default: 2,000,000, and none in
   * browsers, which do that by themselves.
   */
  cacheSize?: number
}

export interface CallOptions {
  /** Ends the request, and the wait for the next one. */
  signal?: AbortSignal | undefined
}

/** Which versions: see the parameters of the API. With `kind` or `type`, versions come with their changes. */
export interface Query extends Omit<Schemas['Query'], 'since' | 'kind' | 'type'>, CallOptions {
  since?: string | Date
  kind?: Kind | readonly Kind[]
  type?: string | readonly string[]
}

/** What a list has for a query. */
export type Listed<Q> = Q extends { include: 'changes' } | { kind: Query['kind'] } | { type: Query['type'] }
  ? VersionWithChanges
  : VersionSummary

/** A page of a changelog, and the `cursor` of the next one. */
export type Page<Q> = Omit<Schemas['Changelog'], 'versions'> & { versions: Listed<Q>[]; next: string | null }

/** A response that is not the one that was asked for. */
export class ChangelogError extends Error {
  override readonly name = 'ChangelogError'
  constructor(
    readonly status: number,
    /** That of the API, or `unexpected` if something else answered. */
    readonly code: ErrorCode | 'unexpected',
    message: string,
  ) {
    super(message)
  }
}

export interface Client {
  /** One page of a changelog, newest versions first. Without `limit` and `include`, all versions are on it. */
  page<const Q extends Query>(product: ProductName, query?: Q): Promise<Page<Q>>
  /** Every version that is asked for, newest first. Pages of `limit` versions (100) are read as they are needed. */
  versions<const Q extends Query>(product: ProductName, query?: Q): AsyncGenerator<Listed<Q>, void, undefined>
  /** All that `versions` gives, as an array. */
  allVersions<const Q extends Query>(product: ProductName, query?: Q): Promise<Listed<Q>[]>
  /** One version with its changes, by its label or id, or the newest published one. */
  version(product: ProductName, name: 'latest' | (string & {}), options?: CallOptions): Promise<Version>
}

/** Reads the changelogs of the server at `url`, which may have a path. Throws a `TypeError` that names an argument which is wrong. */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const { key, retries = 3, maxWait = 60 } = options
  check(isAddress(url), 'url', 'an address that begins with http:// or https://')
  check(key === undefined || isText(key, /^\S+$/), 'key', 'an API key')
  check(!options.headers || isPlain(options.headers), 'headers', 'an object of names and texts')
  check(!options.fetch || typeof options.fetch === 'function', 'fetch', 'a function')
  for (const [name, value] of Object.entries({ retries, maxWait, cacheSize: options.cacheSize ?? 0 }))
    check(typeof value === 'number' && value >= 0, name, 'a number, 0 or more')
  const send = options.fetch ?? ((to, init) => fetch(to, init))
  // A browser has a cache of its own, and would ask the server before it sends If-None-Match.
  const cacheSize = options.cacheSize ?? ('document' in globalThis ? 0 : 2_000_000)
  const base = `${url.replace(/\/+$/, '')}/api/v1/${key === undefined ? 'public/' : ''}teams/`
  const answers = new Map<string, Answer>()
  let size = 0
  /** Ends with the last request of those that wait for the server, one after another; and when it may be asked again. */
  let line: Promise<void> = Promise.resolve()
  let inLine = 0
  let readyAt = 0

  async function page<Q extends Query>(product: ProductName, query?: Q): Promise<Page<Q>> {
    const { data, next } = await read(changelogOf(product) + searchOf(query ?? {}), query?.signal)
    return { ...(data as Omit<Page<Q>, 'next'>), next } as Page<Q>
  }

  async function* versions<Q extends Query>(
    product: ProductName,
    query?: Q,
  ): AsyncGenerator<Listed<Q>, void, undefined> {
    let cursor: string | null | undefined = query?.cursor
    do {
      const found: Page<Q> = await page(product, { limit: 100, ...query, ...(cursor && { cursor }) } as Q)
      yield* found.versions
      if (found.next && found.next === cursor)
        throw new ChangelogError(200, 'unexpected', 'The next page is the same one.')
      cursor = found.next
    } while (cursor)
  }

  async function allVersions<Q extends Query>(product: ProductName, query?: Q): Promise<Listed<Q>[]> {
    const all: Listed<Q>[] = []
    for await (const version of versions(product, query)) all.push(version)
    return all
  }

  async function version(
    product: ProductName,
    name: 'latest' | (string & {}),
    { signal }: CallOptions = {},
  ): Promise<Version> {
    check(isText(name, /./), 'name', 'the label or id of a version, or latest')
    const { data } = await read(`${changelogOf(product)}/versions/${encodeURIComponent(name)}`, signal)
    return data as Version
  }

  async function read(path: string, signal: AbortSignal | undefined) {
    const known = answers.get(path)
    const response = await request(path, known?.etag, signal)
    const answer = known && response.status === 304 ? known : await answerIn(response)
    keep(path, answer)
    const { data } = JSON.parse(answer.text) as { data: unknown }
    return { data, next: answer.next }
  }

  async function request(path: string, etag: string | null | undefined, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
    if (key !== undefined) headers.authorization = `Bearer ${key}`
    if (etag) headers['if-none-match'] = etag
    // What is secret stays with its server. A browser does not say where a redirect leads, so it follows none then.
    const redirect = key === undefined && !options.headers ? 'follow' : 'manual'
    let leave = inLine > 0 ? await turn(signal) : undefined
    try {
      for (let attempt = 0; ; attempt++) {
        if (leave) await pause(Math.max(0, readyAt - Date.now()), signal)
        const response = await reach(base + path, { headers, redirect, ...(signal && { signal }) })
        const seconds = secondsToWait(response)
        if (attempt >= retries || seconds === null || seconds > maxWait) return response
        readyAt = Math.max(readyAt, Date.now() + seconds * 1000)
        await response.body?.cancel()
        leave ??= await turn(signal)
      }
    } finally {
      leave?.()
    }
  }

  /** Waits until nobody is in front. Gives what lets the next one follow. */
  async function turn(signal: AbortSignal | undefined): Promise<() => void> {
    const before = line
    let leave = () => {}
    inLine++
    line = new Promise<void>((resolve) => {
      leave = () => {
        inLine--
        void before.then(resolve)
      }
    })
    await waitFor((done) => void before.then(done), signal).catch((error) => {
      leave()
      throw error
    })
    return leave
  }

  /** Follows a few redirects within the server. */
  async function reach(to: string, init: RequestInit, most = 5): Promise<Response> {
    const response = await send(to, init)
    const { status, headers } = response
    const location = status >= 300 && status < 400 && headers.get('location')
    if (!location || most === 0) return response
    const next = new URL(location, to)
    if (next.origin !== new URL(to).origin) return response
    await response.body?.cancel()
    return reach(next.href, init, most - 1)
  }

  function keep(path: string, answer: Answer): void {
    const length = lengthOf(path, answer)
    forget(path)
    if (!answer.etag || length > cacheSize) return
    answers.set(path, answer)
    size += length
    for (const oldest of answers.keys()) if (size > cacheSize) forget(oldest)
  }

  function forget(path: string): void {
    const answer = answers.get(path)
    if (answer && answers.delete(path)) size -= lengthOf(path, answer)
  }

  return { page, versions, allVersions, version }
}

/** A response that can be given again while its tag is current. */
interface Answer {
  etag: string | null
  text: string
  next: string | null
}

const lengthOf = (path: string, { text }: Answer): number => path.length + text.length

function check(isRight: boolean, name: string, expected: string): void {
  if (!isRight) throw new TypeError(`${name} must be ${expected}.`)
}

const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value)

/** What can be iterated, such as `Headers`, has nothing that an object would be read for. */
const isPlain = (value: object): boolean => typeof value === 'object' && !(Symbol.iterator in value)

function isAddress(url: string): boolean {
  try {
    const { location } = globalThis as { location?: { href: string } }
    return isText(url, /./) && isText(new URL(url, location?.href).protocol, /^https?:$/)
  } catch {
    return false
  }
}

function changelogOf(product: ProductName): string {
  check(isText(product, /^[^/]+\/[^/]+$/), 'product', 'a team and a product, such as acme/app')
  return `${product.split('/').map(encodeURIComponent).join('/products/')}/changelog`
}

const NAMES: readonly string[] = PARAMETERS

/** What parameters take that take no number. */
const EXPECTED: Record<string, string> = {
  since: 'a date',
  kind: 'a text or a list of texts',
  type: 'a text or a list of texts',
}

function searchOf({ signal: _, ...query }: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!NAMES.includes(name))
      throw new TypeError(`There is no ${name} in a query: it takes ${NAMES.join(', ')}.`)
    const isDate = value instanceof Date && name === 'since' && !Number.isNaN(+value)
    const isList = Array.isArray(value) && (name === 'kind' || name === 'type')
    const isTexts = isList && value.every((each) => isText(each, /./))
    const isRight = isDate || isTexts || isText(value, /./) || typeof value === 'number'
    check(isRight, name, EXPECTED[name] ?? 'a text or a number')
  }
  if (query.kind || query.type) given.push(['include', 'changes'])
  const texts = given
    .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)])
    // An empty list selects nothing, and so leaves nothing out.
    .filter(([, text]) => text)
  // As an object: what is given twice is sent once.
  return texts.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(texts))}`
}

async function answerIn(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  let body: { data?: unknown; error?: { code: ErrorCode; message: string } } | undefined
  try {
    body = JSON.parse(text)
  } catch {
    // Something between here and the server answered.
  }
  if (status !== 200 || !body?.data) {
    const { code = 'unexpected', message = `The response has status ${status}.` } = body?.error ?? {}
    throw new ChangelogError(status, code, message)
  }
  // Only the cursor: a key must not follow an address to another server.
  const next = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next/.exec(headers.get('link') ?? '')?.[1]
  return { etag: headers.get('etag'), text, next: next ? decodeURIComponent(next) : null }
}

/** By its Retry-After: seconds, or a date. Null if it does not say to come back. */
function secondsToWait({ status, headers }: Response): number | null {
  const after = headers.get('retry-after')
  if (!after || (status !== 429 && status < 500)) return null
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? (Date.parse(after) - Date.now()) / 1000 : seconds
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = (done: () => void) => {
    timer = setTimeout(done, ms)
  }
  return waitFor(begin, signal).finally(() => clearTimeout(timer))
}

const waitFor = (begin: (done: () => void) => void, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    begin(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
  })
