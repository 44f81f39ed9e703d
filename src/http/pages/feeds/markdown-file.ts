import type { Change } from '../../../domain/records.ts'
import { withoutControls } from '../../../domain/text/controls.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { writeMarkdown } from '../../../formats/keepachangelog/write.ts'
import { wholeBlocks, wholeLine } from '../../../notes/authored.ts'
import { hideNotes } from '../../../notes/footnotes.ts'
import type { ChangelogInfo, Cursor, VersionContent } from '../../../store/store.ts'
import { createPace } from '../../cache/queue.ts'
import type { HeaderFields } from '../../json-response.ts'
import { lengthOf, readFurther, readSlices, type Source } from '../../reading/slices.ts'
import type { Body } from '../../responses/respond.ts'
import { markdownLink } from '../links.ts'

/** The most versions of a file, and how many are read at once. */
const MAX_VERSIONS = 100
const SLICE = 5

/** A file ends after this many characters: a version is never divided. */
const MAX_LENGTH = 1_000_000

/** A changelog as Keep a Changelog from a position on; the `Link` header leads to the next part. */
export async function markdownBody(
  source: Source,
  after: Cursor | null,
  headers: HeaderFields,
): Promise<Body | null> {
  const versions: ReturnType<typeof writable>[] = []
  let changelog: ChangelogInfo | null = null
  let next: Cursor | null = null
  let length = 0
  const pace = createPace()
  for await (const slice of readSlices(source, { after, limit: MAX_VERSIONS }, SLICE)) {
    changelog = slice
    for (const version of slice.versions) {
      if (length > MAX_LENGTH) break
      const changes = [...version.changes]
      for await (const further of readFurther(source, version)) changes.push(...further)
      const own = lengthOf(changes) + (version.description?.length ?? 0)
      await pace(own)
      versions.push(writable(hideNotes({ ...version, changes })))
      length += own
      next = version === slice.versions.at(-1) ? slice.next : version
    }
    if (length > MAX_LENGTH) break
  }
  if (!changelog) return null
  const link = next && `<${markdownLink(changelog, next)}>; rel="next"`
  const text = `# ${escapeInline(changelog.changelog.name)}\n\n${writeMarkdown(null, versions)}`
  return {
    text: withoutControls(text),
    headers: link === null ? headers : { ...headers, link },
    type: 'text/markdown; charset=utf-8',
  }
}

/** Dates without times: those would need comments. */
const writable = (version: VersionContent) => ({
  ...version,
  ...whole(version),
  closing: wholeText(version.closing),
  changes: version.changes.map(whole),
  date: version.dateKnown ? Math.floor(version.publishedAt / DAY_MS) * DAY_MS : null,
})

/** A version or a change whose texts leave the rest of the file as it is. */
const whole = <Texts extends Pick<Change, 'title' | 'description'>>(texts: Texts): Texts => ({
  ...texts,
  title: wholeLine(texts.title),
  description: wholeText(texts.description),
})

const wholeText = (source: string | null): string | null => source && wholeBlocks(source)
