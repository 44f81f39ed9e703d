import type { Names } from '../reading/names.ts'
import type { ChangelogValues, TimelineQuery } from '../reading/parameters.ts'
import type { Context } from '../request/context.ts'
import { respondWithChangelog } from './changelog.ts'
import { respondWithTimeline } from './timeline.ts'
import type { PageTools } from './tools.ts'

/** The newest releases of all products. */
export const createHomePage =
  (tools: PageTools) =>
  (context: Context, query: TimelineQuery): Promise<Response> =>
    respondWithTimeline(tools, context, null, tools.forms.ofHome(context), query)

/** The changelog that the operator chose. */
export const createHomeChangelog =
  (tools: PageTools) =>
  (context: Context, values: ChangelogValues): Promise<Response> =>
    respondWithChangelog(tools, context, tools.site.home as Names, tools.forms.ofHome(context), values)
