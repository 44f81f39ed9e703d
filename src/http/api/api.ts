import type { Responder } from '../answers/responder.ts'
import { createChangelogRead } from './changelog.ts'
import { createVersionRead } from './version.ts'

export type Api = ReturnType<typeof createApi>

/** The reads of the API, for the public and for API keys. */
export const createApi = (responder: Responder) => ({
  changelog: createChangelogRead(responder),
  version: createVersionRead(responder),
})
