import type { RespondLong } from '../answers/responder.ts'
import type { Site } from '../site/site.ts'
import type { Documents } from './documents.ts'
import type { PageForms } from './form.ts'

/** What a page needs to read, to write and to send itself. */
export interface PageTools {
  readonly site: Site
  readonly respond: RespondLong
  readonly forms: PageForms
  readonly documents: Documents
}
