import type { Environment } from '../config/config.ts'
import type { HostKind, Instant, Source, SourceMemory } from '../domain/records.ts'
import type { Network } from '../outgoing/destination.ts'
import type { ChangelogSource } from '../transfer/parse-changelog.ts'
import type { PicturePlace } from '../transfer/pictures/take.ts'
import type { Quotas } from './quotas.ts'

/** Inputs of a check, besides its source and its memory. */
export interface CheckContext {
  /** Tokens and the way to git: see `tokenFor` in sources/tokens.ts. */
  env: Environment
  /** Allows private addresses, also with plain http. */
  allowPrivate: boolean
  /** No source is a file of the database: closing one would end the locks of this process. */
  database: string
  /** The directory of the mirrors of git remotes, which are only a cache. It is created when it is needed. */
  gitDirectory: string
  /** The file with the keys of hosts that ssh may trust; ssh is refused without it. */
  knownHosts: string | null
  now: Instant
  signal: AbortSignal
  /** Shared by all checks of a process. */
  quotas: Quotas
  /** Reads everything, whatever is remembered, and returns it although nothing may have changed. */
  full?: boolean
  /** Reads no more than tells whether there is something to follow. */
  isLook?: true
  /** Called with the address that a request was redirected to for good. */
  onMoved?: (url: string) => void
  /** For tests: other effects than the system's, and another deadline. */
  network?: Network
  mostMs?: number
}

/** A check of a source; `known` is its memory. */
export interface Check extends CheckContext {
  source: Source
  known: Memory
}

/** Results of a check, before its outcome is known. */
export interface Found {
  memory: Memory
  read: { input: ChangelogSource; isWhole: boolean; place?: PicturePlace | undefined } | null
}

/** Memory of a check for the next one. All of it may be lost. */
export interface Memory {
  /** The server at the address: a host of this kind, a git remote or a file. */
  kind?: HostKind | 'file'
  /** Whether a source of kind `auto` has releases or a file, and when that was found out. */
  mode?: 'releases' | 'file'
  modeAt?: Instant
  /** The validators of the last answer, and the address they belong to. */
  validators?: { url: string; etag: string | null; lastModified: string | null }
  hash?: string
  /** The version of the program that last read and imported it as a whole. */
  reader?: string
  /** How many characters of text its versions had, when it was last read as a whole. */
  text?: number
  /** Releases: how many pages there are, when all were read, and the first one. */
  pages?: number
  fullReadAt?: Instant
  firstPage?: { hash: string; tags: readonly string[]; text: number }
  /** Git remotes: the refs that count. */
  refs?: string
  /** The last pause that a host has asked for. */
  pause?: { quota: string; until: Instant; why?: { reason: string; remedy: string | null } }
  /** Local files. */
  stat?: string
  /** The new address of a repository that has moved. */
  moved?: string | null
  /** How many versions `--prune` would delete, which is too many to do so unasked. */
  held?: number
  pictures?: KnownPictures
}

/** Pictures by their addresses in the text. */
export interface KnownPictures {
  /** Stored ones. */
  ids: readonly (readonly [address: string, id: string])[]
  wanted: readonly WantedPicture[]
}

/** A picture to be read, for the first time or again. */
export interface WantedPicture {
  address: string
  since: Instant
  /** Why it could not be had, as a sentence about it goes on; null before it was tried. */
  reason: string | null
  /** Null once it was tried for long enough. */
  nextAt: Instant | null
}

/** Raised when `Memory` changes its meaning: an older one is forgotten. */
const VERSION = 1

export const recalled = ({ version, ...memory }: SourceMemory): Memory => (version === VERSION ? memory : {})

export const remembering = (memory: Memory): SourceMemory => ({ version: VERSION, ...memory })
