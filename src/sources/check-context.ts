import type { Environment } from '../config/config.ts'
import type { Instant, Source } from '../domain/records.ts'
import type { Network } from '../outgoing/destination.ts'
import type { ChangelogSource } from '../transfer/source.ts'
import type { Memory } from './memory.ts'
import type { Quotas } from './quotas.ts'

/** What a check needs, besides its source and what is remembered of that. */
export interface CheckContext {
  /** Tokens and the way to git: see `tokenFor` in sources/tokens.ts. */
  env: Environment
  /** Whether private addresses may be asked, also with plain http. */
  allowPrivate: boolean
  /** Its files are not read: closing one would end the locks of this process. */
  database: string
  /** The directory of the mirrors of git remotes, which are only a cache. It is created when it is needed. */
  gitDirectory: string
  /** The file with the keys of hosts that ssh may trust; ssh is refused without it. */
  knownHosts: string | null
  now: Instant
  signal: AbortSignal
  /** One for all checks of a process. */
  quotas: Quotas
  /** Reads everything, whatever is remembered, and returns it although nothing may have changed. */
  full?: boolean
  /** Reads no more than tells whether there is something to follow. */
  isLook?: true
  /** Called with the address that a request was redirected to for good. */
  onMoved?: (url: string) => void
  /** Other effects than those of the system and another deadline, for tests. */
  network?: Network
  mostMs?: number
}

/** One check of a source; `known` is what is remembered of it. */
export interface Check extends CheckContext {
  source: Source
  known: Memory
}

/** What a check found, before it is known how it ended. */
export interface Found {
  memory: Memory
  /** Null if nothing has changed. */
  read: { input: ChangelogSource; isWhole: boolean } | null
}
