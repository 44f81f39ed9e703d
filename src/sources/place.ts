import { isLocalPath } from '../domain/addresses/source.ts'
import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { DAY_MS } from '../domain/time/time.ts'
import { fileAt } from '../files/lookup.ts'
import { ask } from './ask.ts'
import type { Given } from './check.ts'
import { HOSTS, type Host, knownHost, repositoryAt } from './hosts.ts'
import type { Memory } from './memory.ts'

/** Where and how a source is read. */
export type Place =
  | { way: 'path'; path: string }
  | { way: 'file'; url: string }
  | GitPlace
  | { way: 'host'; host: Host; api: string; repository: string }

export interface GitPlace {
  way: 'git'
  /** An https or ssh address, or a path. */
  url: string
}

/** A host may be replaced by one of another kind. */
const WEEK_MS = 7 * DAY_MS

/** `found` is what was found out about the address, to be remembered. */
export async function placeOf(
  source: Source,
  known: Memory,
  given: Given,
): Promise<{ place: Place; found: Pick<Memory, 'kind' | 'kindAt'> }> {
  const { url: address } = source
  if (isLocalPath(address)) {
    const isRepository = source.hostKind === 'git' || fileAt(address)?.isDirectory() === true
    return { place: isRepository ? gitPlace(source, address) : { way: 'path', path: address }, found: {} }
  }
  if (!/^https?:/.test(address)) return { place: gitPlace(source, address), found: {} }
  const url = new URL(address)
  const told = source.hostKind ?? knownHost(url.hostname)
  if (told) return { place: placeAt(url, source, told), found: {} }
  const { kind, kindAt = 0 } = known
  const found =
    kind !== undefined && given.now - kindAt < WEEK_MS && !given.full
      ? { kind, kindAt }
      : { kind: await kindOf(url, source, given), kindAt: given.now }
  return { place: placeAt(url, source, found.kind), found }
}

function placeAt(url: URL, source: Source, kind: NonNullable<Memory['kind']>): Place {
  if (kind === 'file') return filePlace(source, source.url)
  // Only git has the dates of tags.
  if (kind === 'git' || source.kind === 'tags' || source.tagDates) return gitPlace(source, source.url)
  const host = HOSTS[kind]
  const origin = url.hostname === 'www.github.com' ? 'https://github.com' : url.origin
  return { way: 'host', host, api: host.api(origin), repository: repositoryAt(host, url) }
}

function gitPlace({ kind }: Source, url: string): GitPlace {
  if (kind === 'releases')
    throw new Refusal('A git remote has no releases, only tags and files.', {
      hint: 'Follow its tags with --tags, or a file with --file CHANGELOG.md.',
    })
  return { way: 'git', url }
}

function filePlace({ kind, tagDates, ref }: Source, url: string): Place {
  if (kind === 'auto' || (kind === 'file' && !tagDates && ref === null)) return { way: 'file', url }
  throw new Refusal(`${new URL(url).host} has a file at this address, and no repository.`, {
    hint: 'If it is a repository, say of which kind with --host-kind.',
  })
}

const FILE_NAME = /\.(md|markdown|mdown|rst|txt|json|jsonl|ndjson)$|\/(changelog|changes|news|history)$/i

/** Finds out by what only one kind of host answers. No token is sent: it is not known yet who gets it. */
async function kindOf(url: URL, source: Source, given: Given): Promise<NonNullable<Memory['kind']>> {
  if (url.pathname.endsWith('.git')) return 'git'
  if (FILE_NAME.test(url.pathname) && source.file === null) return 'file'
  for (const { kind, path, isIt } of SIGNS) {
    const answer = await ask(`${url.origin}${path}`, source, given, { isAnonymous: true })
    if (isIt(answer.status, answer.headers, jsonOf(answer.body))) return kind
  }
  const refs = await ask(`${url.href}/info/refs?service=git-upload-pack`, source, given, {
    isAnonymous: true,
  })
  return refs.headers.get('content-type') === 'application/x-git-upload-pack-advertisement' ? 'git' : 'file'
}

type Sign = (status: number, headers: Headers, body: Readonly<Record<string, unknown>>) => boolean

const SIGNS: readonly { kind: Host['kind']; path: string; isIt: Sign }[] = [
  {
    ...{ kind: 'forgejo', path: '/api/v1/version' },
    isIt: (status, _, { version }) => status === 200 && typeof version === 'string',
  },
  {
    // Without a token it says only that it wants one, in its own words.
    ...{ kind: 'gitlab', path: '/api/v4/version' },
    isIt: (status, headers, { message }) =>
      headers.has('x-gitlab-meta') || (status === 401 && message === '401 Unauthorized'),
  },
  {
    ...{ kind: 'github', path: '/api/v3/meta' },
    isIt: (_, headers, { installed_version }) =>
      headers.has('x-github-enterprise-version') || typeof installed_version === 'string',
  },
]

function jsonOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
