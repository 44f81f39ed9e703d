import { checkedNames, markdownLink, type Names, positionBelow } from '../reading/addresses.ts'
import type { Asked, FILE_PARAMETERS } from '../reading/parameters.ts'
import { fileHeaders } from './body.ts'

/** The changelog as Keep a Changelog; the `Link` header leads to the next part of a long one. */
export function markdown(asked: Asked<keyof Names, typeof FILE_PARAMETERS>): Promise<Response> {
  const { responder, context, params: names } = asked
  const { cursor: after } = asked.query
  return responder.long(context, checkedNames(names), async (reads) => {
    const { team, product } = names
    const newer = after && (await reads.ask('readNewer', 'public', team, product, positionBelow(after), 1))
    const position = newer?.[0]
    if (after && position?.id !== after.id) {
      const changelog = await reads.ask('readOverview', 'public', team, product)
      return changelog && { location: markdownLink(changelog, position ?? null), headers: fileHeaders(asked) }
    }
    // Loaded on first use: its parser takes a tenth of the start.
    const { markdownBody } = await import('./markdown-body.ts')
    return markdownBody(asked, { reads, audience: 'public', ...names }, after)
  })
}
