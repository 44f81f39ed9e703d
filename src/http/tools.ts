import type { Config } from '../config/config.ts'
import type { Address } from '../domain/addresses/ip-address.ts'
import type { Responder } from './answers/responder.ts'
import type { Site } from './site/site.ts'

/** What routes read, write and send with. */
export interface Tools {
  readonly config: Config
  readonly responder: Responder
  /** Loaded with the first page or feed. */
  site(): Site
  /** The address of the site, or the one that the server listens on. */
  baseUrl(): string
  /** Takes more requests from the limit of a client. */
  charge(address: Address, requests: number): void
  ping(): Promise<unknown>
}
