import type { Names } from '../reading/names.ts'
import type { Asked, CHANGELOG_PARAMETERS, TIMELINE_PARAMETERS } from '../reading/parameters.ts'
import { respondWithChangelog } from './changelog.ts'
import { respondWithTimeline } from './timeline.ts'
import type { PageTools } from './tools.ts'

/** The newest releases of all products. */
export const createHomePage =
  (tools: PageTools) =>
  ({ context, query }: Asked<never, typeof TIMELINE_PARAMETERS>): Promise<Response> =>
    respondWithTimeline(tools, context, null, tools.forms.ofHome(context), query)

/** The changelog that the operator chose. */
export const createHomeChangelog =
  (tools: PageTools) =>
  ({ context, query }: Asked<never, typeof CHANGELOG_PARAMETERS>): Promise<Response> =>
    respondWithChangelog(tools, context, tools.site.home as Names, tools.forms.ofHome(context), query)
