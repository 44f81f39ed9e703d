import type { Config } from '../config/config.ts'
import type { Responder } from './answers/responder.ts'
import type { Site } from './site/site.ts'

/** What routes read, write and send with. */
export interface Tools {
  readonly config: Config
  readonly responder: Responder
  /** Loaded with the first page or feed. */
  site(): Site
  ping(): Promise<unknown>
}
