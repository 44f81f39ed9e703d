import { teamPagePath } from '../../domain/addresses/paths.ts'
import { handOver } from '../../domain/turns.ts'
import { mayHaveKind } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import type { Cursor, Timeline, TimelineEntry, VersionContent } from '../../store/store.ts'
import { fillText } from '../../words/languages.ts'
import type { Reads } from '../answers/reads.ts'
import { checkedList, type ListOf, nameOfList } from '../reading/directory.ts'
import type { Asked, FEED_PARAMETERS, FeedQuery } from '../reading/parameters.ts'
import { matchKind } from '../reading/search.ts'
import { MAX_CHANGES } from '../reading/slices.ts'
import { FEED_SIZE, type FeedFormat, type FeedRelease, feedBody } from './feed.ts'

/** A feed about one kind looks at this many releases, and at so many in one turn of the event loop. */
const MAX_ENTRIES = 10_000
const ENTRIES_PER_TURN = 50

/** The newest releases of all products of a team, or of all teams. */
export function timeline(
  asked: Asked<never, typeof FEED_PARAMETERS, 'team'>,
  format: FeedFormat,
): Promise<Response> {
  const { responder, context, query: filter } = asked
  const { team = null } = asked.params
  const site = asked.site()
  return responder.long(context, checkedList(site, team), async (reads) => {
    const name = await nameOfList(site, reads, team)
    if (name === null) return null
    const { language } = site
    const { site: texts, timeline } = language.words
    const path = team === null ? '' : teamPagePath(team)
    const head = {
      language,
      // The address of the first page: a team has no other name that is public.
      id: `${site.baseUrl()}${path}/`,
      path,
      title: name,
      author: name,
      description: team === null ? texts.about : fillText(timeline.aboutTeam, { team: name }),
      namesProducts: true,
    }
    return feedBody(asked, reads, format, filter, head, releases(reads, team, filter))
  })
}

/** At most `FEED_SIZE` of them. Each is read in a turn of its own. */
async function* releases(reads: Reads, team: ListOf, filter: FeedQuery): AsyncGenerator<FeedRelease> {
  let found = 0
  for await (const entry of entries(reads, team, filter)) {
    const version = await contentOf(reads, entry, filter.kind)
    if (version) yield [entry, version]
    if (version && ++found === FEED_SIZE) return
    await handOver()
  }
}

/** The entries of a timeline that may have changes of this kind. */
async function* entries(
  reads: Reads,
  team: ListOf,
  { kind, ...filter }: FeedQuery,
): AsyncGenerator<TimelineEntry> {
  let after: Cursor | null = null
  for (let looked = 0; looked < MAX_ENTRIES; looked += ENTRIES_PER_TURN) {
    const page: Timeline = await reads.ask('readTimeline', team, after, ENTRIES_PER_TURN, filter)
    for (const entry of page.entries) if (kind === null || mayHaveKind(entry.kinds, kind)) yield entry
    after = page.next
    if (!after) return
    await handOver()
  }
}

/** A release with its changes, or those of a kind. Null if it has none of that kind, or is no longer public. */
async function contentOf(
  reads: Reads,
  { team, product, id }: TimelineEntry,
  kind: Kind | null,
): Promise<VersionContent | null> {
  const names = { team: team.slug, product: product.slug }
  const range = { skip: 0, limit: MAX_CHANGES }
  const read = await reads.ask('readVersion', 'public', names.team, names.product, id, range)
  if (!read || kind === null) return read?.version ?? null
  return matchKind({ reads, audience: 'public', ...names }, read.version, kind)
}
