import { MARKDOWN } from '../../../domain/paths.ts'
import { withoutControls } from '../../../domain/text/controls.ts'
import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { writeChanges, writeMarkdown } from '../../../formats/keepachangelog/write.ts'
import type { ChangelogInfo, Cursor, VersionContent } from '../../../store/port.ts'
import type { HeaderFields } from '../../responses/json.ts'
import { writeCursor } from '../../responses/paging.ts'
import type { PublicReads } from '../../responses/public-reads.ts'
import type { Queue } from '../../responses/queue.ts'
import type { Body } from '../../responses/responder.ts'
import { changelogLink } from '../links.ts'
import type { Names } from '../names.ts'
import { createReadFurther, readSlices } from '../reading.ts'

const DAY_MS = 86_400_000

/** How many versions the file has at most, and how many of them are written in one turn of the event loop. */
const MAX_VERSIONS = 100
const SLICE = 5

/** A changelog as Keep a Changelog text, from a position on; the `Link` header leads to the next part of a long one. */
export async function markdownBody(
  reads: PublicReads,
  queue: Queue,
  names: Names,
  after: Cursor | null,
  headers: HeaderFields,
): Promise<Body | null> {
  const limits = { after, limit: MAX_VERSIONS, size: SLICE }
  const readFurther = createReadFurther(reads, queue, names)
  const parts: string[] = []
  let changelog: ChangelogInfo | null = null
  let next: Cursor | null = null
  for await (const slice of readSlices(reads, queue, names, limits)) {
    if (!changelog) parts.push(`# ${escapeInline(withoutControls(slice.changelog.changelog.name))}\n`)
    changelog = slice.changelog
    next = slice.next
    parts.push(withoutControls(markdownOf(slice.versions)))
    // A version that is not read whole is alone.
    for (const version of slice.versions)
      for await (const changes of readFurther(version)) parts.push(withoutControls(writeChanges(changes)))
  }
  if (!changelog) return null
  const link = next && `<${changelogLink(changelog)}/${MARKDOWN}?cursor=${writeCursor(next)}>; rel="next"`
  return {
    text: parts.join('\n'),
    headers: link === null ? headers : { ...headers, link },
    type: 'text/markdown; charset=utf-8',
  }
}

/** Published versions. Only their days are written, if they are known: times would need comments. */
const markdownOf = (versions: readonly VersionContent[]): string =>
  writeMarkdown(
    null,
    versions.map((version) => ({
      ...version,
      date: version.dateKnown ? Math.floor(version.publishedAt / DAY_MS) * DAY_MS : null,
    })),
  )
