import type { Responder } from '../answers/responder.ts'
import type { Site } from '../site/site.ts'
import { createChangelogPage } from './changelog.ts'
import { createDocuments } from './documents.ts'
import { createErrorPages } from './errors.ts'
import { createForms } from './form.ts'
import { createHomeChangelog, createHomePage } from './home.ts'
import { createLatestPage, createReleasePage } from './release.ts'
import { createTeamPage } from './timeline.ts'
import type { PageTools } from './tools.ts'

export type Pages = ReturnType<typeof createPages>

/** Every page, and the errors of pages and feeds. */
export function createPages(site: Site, responder: Responder) {
  const tools: PageTools = {
    site,
    respond: responder.long,
    forms: createForms(site, responder.headers),
    documents: createDocuments(site),
  }
  return {
    ...createErrorPages(site),
    home: createHomePage(tools),
    homeChangelog: createHomeChangelog(tools),
    team: createTeamPage(tools),
    changelog: createChangelogPage(tools),
    version: createReleasePage(tools),
    latest: createLatestPage(tools),
  }
}
