import { versionFilter } from '../../domain/versions/properties.ts'
import { fillText } from '../../words/languages.ts'
import { changelogLink, checkedNames, type Names } from '../reading/addresses.ts'
import type { Asked, FEED_PARAMETERS } from '../reading/parameters.ts'
import { search } from '../reading/search.ts'
import { readFirst, readVersions, type Source } from '../reading/slices.ts'
import { FEED_SIZE, type FeedFormat, type FeedRelease, feedBody, stableId } from './feed.ts'

/** The newest releases of a product. */
export function changelog(asked: Asked<keyof Names, typeof FEED_PARAMETERS>, format: FeedFormat) {
  const { responder, site, context, params: names, query: filter } = asked
  return responder.long(context, checkedNames(names), async (reads) => {
    const info = await readFirst(reads, names, null)
    if (!info) return null
    const { team, product, changelog } = info
    const { language } = site().in(info)
    const source: Source = { reads, audience: 'public', ...names }
    const { found } =
      filter.kind === null
        ? await readVersions(source, { limit: FEED_SIZE, ...versionFilter(filter) })
        : await search(source, { q: null, type: null, ...filter }, null, FEED_SIZE)
    const head = {
      language,
      id: stableId(changelog.id),
      path: changelogLink(info),
      title: language.changelogName(changelog.name).join(' '),
      author: team.name,
      description: fillText(language.words.changelog.about, { product: product.name, team: team.name }),
      namesProducts: false,
    }
    const releases = found.map((version): FeedRelease => [info, version])
    return feedBody(asked, reads, format, filter, head, releases)
  })
}
