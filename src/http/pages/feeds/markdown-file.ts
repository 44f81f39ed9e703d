import type { Change } from '../../../domain/records.ts'
import { withoutControls } from '../../../domain/text/controls.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { writeChanges, writeClosing, writeMarkdown } from '../../../formats/keepachangelog/write.ts'
import { wholeBlocks, wholeLine } from '../../../notes/authored.ts'
import { hideNotes } from '../../../notes/footnotes.ts'
import type { ChangelogInfo, Cursor, VersionContent } from '../../../store/store.ts'
import { handOver } from '../../cache/queue.ts'
import type { HeaderFields } from '../../json-response.ts'
import { isPartial, readFurther, readSlices, type Source } from '../../reading/slices.ts'
import type { Body } from '../../responses/respond.ts'
import { markdownLink } from '../links.ts'

/** The most versions of a file, and how many are written in one turn of the event loop. */
const MAX_VERSIONS = 100
const SLICE = 5

/** A file, and a turn of the event loop, end after this many characters: a version is never divided. */
const MAX_LENGTH = 1_000_000
const LENGTH_PER_TURN = 30_000

/** A changelog as Keep a Changelog from a position on; the `Link` header leads to the next part. */
export async function markdownBody(
  source: Source,
  after: Cursor | null,
  headers: HeaderFields,
): Promise<Body | null> {
  const parts: string[] = []
  let changelog: ChangelogInfo | null = null
  let next: Cursor | null = null
  let length = 0
  const write = (text: string) => {
    parts.push(withoutControls(text))
    length += text.length
  }
  for await (const slice of readSlices(source, { after, limit: MAX_VERSIONS }, SLICE)) {
    if (!changelog) write(`# ${escapeInline(slice.changelog.name)}\n`)
    changelog = slice
    const all = slice.versions.map(hideNotes)
    for (const versions of byLength(all)) {
      if (versions[0] !== all[0]) await handOver()
      write(markdownOf(versions))
      const last = versions.at(-1) as VersionContent
      // A version with too many changes for one read is alone.
      for await (const changes of readFurther(source, last)) write(writeChanges(changes.map(whole)))
      if (isPartial(last)) write(writeClosing(wholeText(last.closing)))
      next = last === all.at(-1) ? slice.next : last
      if (length > MAX_LENGTH) break
    }
    if (length > MAX_LENGTH) break
  }
  if (!changelog) return null
  const link = next && `<${markdownLink(changelog, next)}>; rel="next"`
  return {
    text: parts.join('\n'),
    headers: link === null ? headers : { ...headers, link },
    type: 'text/markdown; charset=utf-8',
  }
}

/** Groups versions to what a turn writes; a longer one is alone. */
function byLength(versions: readonly VersionContent[]): VersionContent[][] {
  const groups: VersionContent[][] = []
  let length = 0
  for (const version of versions) {
    const own = lengthOf(version)
    const fits = length + own <= LENGTH_PER_TURN
    if (fits && groups.length > 0) groups.at(-1)?.push(version)
    else groups.push([version])
    length = fits ? length + own : own
  }
  return groups
}

const lengthOf = ({ description, closing, changes }: VersionContent): number =>
  changes.reduce(
    (sum, change) => sum + change.title.length + (change.description?.length ?? 0),
    (description?.length ?? 0) + (closing?.length ?? 0),
  )

/** Dates without times: those would need comments. */
const markdownOf = (versions: readonly VersionContent[]): string =>
  writeMarkdown(
    null,
    versions.map((version) => ({
      ...version,
      ...whole(version),
      // After the last of its changes, which are not all here.
      closing: isPartial(version) ? null : wholeText(version.closing),
      changes: version.changes.map(whole),
      date: version.dateKnown ? Math.floor(version.publishedAt / DAY_MS) * DAY_MS : null,
    })),
  )

/** A version or a change whose texts leave the rest of the file as it is. */
const whole = <Texts extends Pick<Change, 'title' | 'description'>>(texts: Texts): Texts => ({
  ...texts,
  title: wholeLine(texts.title),
  description: wholeText(texts.description),
})

const wholeText = (source: string | null): string | null => source && wholeBlocks(source)
