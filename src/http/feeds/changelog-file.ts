import { checkedNames, markdownLink, type Names, positionBelow } from '../reading/addresses.ts'
import type { Asked, FILE_PARAMETERS } from '../reading/parameters.ts'
import { readFirst } from '../reading/slices.ts'
import { fileHeaders } from './body.ts'

/** The changelog as Keep a Changelog; the `Link` header leads to the next part of a long one. */
export function markdown(asked: Asked<keyof Names, typeof FILE_PARAMETERS>): Promise<Response> {
  const { responder, context, params: names } = asked
  const { cursor: after } = asked.query
  return responder.long(context, checkedNames(names), async (reads) => {
    const newer =
      after && (await reads.ask('readNewer', 'public', names.team, names.product, positionBelow(after), 1))
    const position = newer?.[0]
    if (after && position?.id !== after.id) {
      const changelog = await readFirst(reads, names, null)
      return (
        changelog && {
          kind: 'redirect',
          location: markdownLink(changelog, position ?? null),
          headers: fileHeaders(asked),
        }
      )
    }
    // Loaded on first use: its parser takes a tenth of the start.
    const { markdownBody } = await import('./markdown-body.ts')
    return markdownBody(asked, { reads, audience: 'public', ...names }, after)
  })
}
