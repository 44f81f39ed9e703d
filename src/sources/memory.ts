import type { HostKind, Instant, SourceMemory } from '../domain/records.ts'

/** What one check leaves for the next one. All of it may be lost. */
export interface Memory {
  /** What was found at the address: a host of this kind, a git remote or a file. */
  kind?: HostKind | 'file'
  /** Of a source that may be either: which one it was, and when that was found out. */
  mode?: 'releases' | 'file'
  modeAt?: Instant
  /** The validators of the last answer, and the address they belong to. */
  validators?: { url: string; etag: string | null; lastModified: string | null }
  /** Of the content as it was last read. */
  hash?: string
  /** How many characters of text its versions had, when it was last read as a whole. */
  text?: number
  /** Of releases: how many pages there are, when all were read, and the first one. */
  pages?: number
  fullReadAt?: Instant
  firstPage?: { hash: string; tags: readonly string[]; text: number }
  /** Of a git remote: the refs that count. */
  refs?: string
  /** The last pause that a host has asked for. */
  pause?: { quota: string; until: Instant }
  /** Of a file on this machine. */
  stat?: string
  /** Of a repository that has moved: its new address. */
  moved?: string | null
  /** How many versions `--prune` would delete, which is too many to do so unasked. */
  held?: number
}

/** Raised when `Memory` changes its meaning: an older one is forgotten. */
const VERSION = 1

export const recalled = ({ version, ...memory }: SourceMemory): Memory => (version === VERSION ? memory : {})

export const remembering = (memory: Memory): SourceMemory => ({ version: VERSION, ...memory })

export const contentHash = (content: string | Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(content).digest('base64url')
