import { orNull } from '../domain/errors.ts'
import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { isLocalPath, sourceAddress } from '../domain/sources.ts'
import { fileAt } from '../files/lookup.ts'
import type { Check, Memory } from './check-context.ts'
import { fetchFor } from './fetch.ts'
import { HOSTS, type Host, knownHost, repositoryAt } from './hosts.ts'

/** git's first request to a remote. */
export const REFS = '/info/refs?service=git-upload-pack'

/** Where and how a source is read. */
export type Origin =
  | { way: 'path'; path: string }
  | { way: 'file'; url: string }
  /** An https or ssh address, or a path. */
  | { way: 'git'; url: string }
  /** `base` is the address of the repository in the API. */
  | { way: 'host'; host: Host; base: string; repository: string }

/** `found` is the finding about the address, to be remembered. */
export async function originOf(check: Check): Promise<{ origin: Origin; found: Pick<Memory, 'kind'> }> {
  const { source, known, full } = check
  const told = originByName(source)
  if (told) return { origin: told, found: {} }
  const url = new URL(source.url)
  const kind = (!full && known.kind) || (await kindOf(url, check))
  return { origin: originAt(url, source, kind), found: { kind } }
}

type Wanted = Omit<Source, 'id' | 'createdAt'>

/** The origin that address and options tell; null if the host must be asked. Refuses options that do not fit. */
export function originByName(source: Wanted): Origin | null {
  const { url: address } = source
  if (isLocalPath(address)) {
    const isRepository = source.hostKind === 'git' || fileAt(address)?.isDirectory() === true
    return isRepository ? gitOrigin(source, address) : pathOrigin(source, address)
  }
  if (!/^https?:/.test(address)) return gitOrigin(source, address)
  const url = new URL(address)
  const kind = source.hostKind ?? knownHost(url.hostname) ?? kindByName(url, source)
  return kind && originAt(url, source, kind)
}

function kindByName({ pathname }: URL, { file }: Wanted): 'git' | 'file' | null {
  if (pathname.endsWith('.git')) return 'git'
  return FILE_NAME.test(pathname) && file === null ? 'file' : null
}

function originAt(url: URL, source: Wanted, kind: NonNullable<Memory['kind']>): Origin {
  if (kind === 'file') return fileOrigin(source, source.url)
  // Only git has the dates of tags.
  if (kind === 'git' || source.kind === 'tags' || source.tagDates) return gitOrigin(source, source.url)
  const host = HOSTS[kind]
  const origin = url.hostname === 'www.github.com' ? 'https://github.com' : url.origin
  const repository = repositoryAt(host, url)
  return { way: 'host', host, base: host.api(origin) + host.repository(repository), repository }
}

function gitOrigin({ kind }: Wanted, url: string): Origin {
  if (kind === 'releases')
    throw new Refusal('A plain git server has no releases, only tags and files.', {
      hint: 'Use --tags, or --file CHANGELOG.md. If the server has releases, set --host-kind.',
    })
  return { way: 'git', url }
}

function pathOrigin({ kind, ref }: Wanted, path: string): Origin {
  if (kind !== 'releases' && kind !== 'tags' && ref === null) return { way: 'path', path }
  throw new Refusal(`${path} is a file, not a repository.`, { hint: 'Give the directory of a repository.' })
}

function fileOrigin({ kind, tagDates, ref }: Wanted, url: string): Origin {
  if (kind === 'auto' || (kind === 'file' && !tagDates && ref === null)) return { way: 'file', url }
  throw new Refusal(`${new URL(url).host} has a file at this address, not a repository.`, {
    hint: 'If it is a repository, set --host-kind.',
  })
}

const FILE_NAME = /\.(md|markdown|mdown|rst|txt|json|jsonl|ndjson)$|\/(changelog|changes|news|history)$/i

/** Finds out by what only one kind of host answers. No token is sent: it is not known yet who gets it. */
async function kindOf(url: URL, check: Check): Promise<NonNullable<Memory['kind']>> {
  for (const { kind, path, isIt } of SIGNS) {
    const answer = await fetchFor(url.origin + path, check, { isAnonymous: true })
    if (isIt(answer.status, answer.headers, jsonOf(answer.body))) return kind
  }
  const refs = await fetchFor(url.href + REFS, check, { isAnonymous: true })
  return refs.headers.get('content-type') === 'application/x-git-upload-pack-advertisement' ? 'git' : 'file'
}

/** The address for people of a repository that has moved to `to`; null for a file, or if its host does not tell. */
export async function movedTo(origin: Origin, to: string, check: Check): Promise<string | null> {
  if (origin.way === 'git') {
    const url = to.replace(/\/info\/refs\?.*$/, '')
    return url.replace(/\.git$/, '') === origin.url.replace(/\.git$/, '') ? null : sourceAddress(url)
  }
  if (origin.way !== 'host') return null
  const { headers } = origin.host
  // A failure to find the new address does not fail the check.
  const answer = await fetchFor(origin.base, check, { headers }).catch(() => null)
  const { html_url, web_url } = answer?.status === 200 ? jsonOf(answer.body) : {}
  return sourceAddress(String(html_url ?? web_url ?? ''))
}

type Sign = (status: number, headers: Headers, body: Readonly<Record<string, unknown>>) => boolean

const SIGNS: readonly { kind: Host['kind']; path: string; isIt: Sign }[] = [
  {
    kind: 'forgejo',
    path: '/api/v1/version',
    isIt: (status, _, { version }) => status === 200 && typeof version === 'string',
  },
  {
    // Without a token it says only that it wants one, in its own words.
    kind: 'gitlab',
    path: '/api/v4/version',
    isIt: (status, headers, { message }) =>
      headers.has('x-gitlab-meta') || (status === 401 && message === '401 Unauthorized'),
  },
  {
    kind: 'github',
    path: '/api/v3/meta',
    isIt: (_, headers, { installed_version }) =>
      headers.has('x-github-enterprise-version') || typeof installed_version === 'string',
  },
]

function jsonOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = orNull(() => JSON.parse(new TextDecoder().decode(body)))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
