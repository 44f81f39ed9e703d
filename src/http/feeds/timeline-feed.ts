import { FEEDS, teamPagePath } from '../../domain/addresses/paths.ts'
import { mayHaveKind } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { WHOLE } from '../../notes/writing.ts'
import type { Cursor, Timeline, TimelineEntry, VersionContent } from '../../store/store.ts'
import { handOver } from '../answers/queue.ts'
import type { Body } from '../answers/respond.ts'
import type { RespondLong } from '../answers/responder.ts'
import { createRenderer } from '../html/renderer.ts'
import { checkedList, type ListOf, nameOfList } from '../reading/directory.ts'
import { type FeedFilter, feedQuery } from '../reading/query.ts'
import type { Reads } from '../reading/reads.ts'
import { matchKind } from '../reading/search.ts'
import { MAX_CHANGES } from '../reading/slices.ts'
import type { Context } from '../request/context.ts'
import type { Site } from '../site/site.ts'
import { fillText, type PageLanguage } from '../words/languages.ts'
import {
  collectItems,
  FEED_SIZE,
  type FeedFormat,
  type FeedHead,
  type FeedItem,
  feedItem,
  feedSearch,
} from './feed.ts'

/** A feed about one kind looks at this many releases, and at so many in one turn of the event loop. */
const MAX_ENTRIES = 10_000
const ENTRIES_PER_TURN = 50

/** Feeds over the products of a team, and over all products. */
export function createTimelineFeed(
  site: Site,
  respond: RespondLong,
  asFeed: (format: FeedFormat, head: FeedHead, items: readonly FeedItem[]) => Body,
) {
  const timelineFeed = (context: Context, team: ListOf, format: FeedFormat): Promise<Response> => {
    const own = checkedList(site, team)
    const filter = feedQuery(context)
    return respond(context, own, async (reads) => {
      const name = await nameOfList(site, reads, team)
      if (name === null) return null
      const base = site.baseUrl()
      const renderer = createRenderer(site)
      const items = await collectItems(releases(reads, team, filter), async ({ entry, version }) => {
        reads.checkWanted()
        const release = await renderer.release(entry, version, 3, WHOLE)
        return feedItem(site.in(entry).language, base, entry, version, release, `${entry.product.name} `)
      })
      return asFeed(format, headOf(site.language, base, team, name, format, filter), items)
    })
  }

  /** At most `FEED_SIZE` of them. Each is read in a turn of its own. */
  async function* releases(reads: Reads, team: ListOf, filter: FeedFilter) {
    let found = 0
    for await (const entry of entries(reads, team, filter)) {
      const version = await contentOf(reads, entry, filter.kind)
      if (version) yield { entry, version }
      if (version && ++found === FEED_SIZE) return
      await handOver()
    }
  }

  /** The entries of a timeline that may have changes of this kind. */
  async function* entries(
    reads: Reads,
    team: ListOf,
    { kind, ...filter }: FeedFilter,
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

  return timelineFeed
}

function headOf(
  language: PageLanguage,
  base: string,
  team: ListOf,
  name: string,
  format: FeedFormat,
  filter: FeedFilter,
): FeedHead {
  const page = base + (team === null ? '' : teamPagePath(team))
  const self = `${page}/${FEEDS[format]}${feedSearch(filter)}`
  const { site, timeline } = language.words
  return {
    language,
    // The address of the first page: a team has no other name that is public.
    id: `${page}/${feedSearch(filter)}`,
    page: team === null ? `${page}/` : page,
    self,
    title: name,
    author: name,
    description: team === null ? site.about : fillText(timeline.aboutTeam, { team: name }),
    filter,
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
