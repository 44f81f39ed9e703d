import type { Context } from '../request/context.ts'
import { respondWithChangelog } from './changelog.ts'
import { respondWithTimeline } from './timeline.ts'
import type { PageTools } from './tools.ts'

/** The newest releases of all products, or the changelog that the operator chose. */
export const createHomePage =
  (tools: PageTools) =>
  (context: Context): Promise<Response> => {
    const form = tools.forms.ofHome(context)
    return tools.site.home
      ? respondWithChangelog(tools, context, tools.site.home, form)
      : respondWithTimeline(tools, context, null, form)
  }
