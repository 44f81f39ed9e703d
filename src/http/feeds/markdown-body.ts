import type { Change } from '../../domain/records.ts'
import { withoutControls } from '../../domain/text/controls.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { mapTexts } from '../../domain/versions/texts.ts'
import { escapeInline } from '../../formats/markdown/inline.ts'
import { writeChanges, writeClosing, writeMarkdown } from '../../formats/write-markdown.ts'
import { wholeBlocks, wholeLine } from '../../notes/authored.ts'
import { hideNotes } from '../../notes/footnotes.ts'
import { picturesOf } from '../../notes/pictures.ts'
import type { Pace } from '../../notes/writing.ts'
import type { ChangelogInfo, Cursor, VersionContent } from '../../store/store.ts'
import type { Body } from '../answers/cached-response.ts'
import { createPace } from '../answers/queue.ts'
import { markdownLink } from '../reading/addresses.ts'
import { isPartial, readFurther, readSlices, type Source } from '../reading/slices.ts'
import type { Tools } from '../tools.ts'
import { fileBody } from './body.ts'

/** The most versions of a file, and how many are read at once. */
const MAX_VERSIONS = 100
const SLICE = 5

/** A file ends after this many characters: a version is never divided. */
const MAX_LENGTH = 1_000_000

/** A changelog as Keep a Changelog from a position on; the `Link` header leads to the next part. */
export async function markdownBody(tools: Tools, source: Source, after: Cursor | null): Promise<Body | null> {
  const parts: string[] = []
  let changelog: ChangelogInfo | null = null
  let next: Cursor | null = null
  let length = 0
  const pace = createPace()
  const pictures = picturesOf(source.team, source.product, tools.baseUrl)
  const write = (text: string) => {
    parts.push(withoutControls(text))
    length += text.length
  }
  for await (const slice of readSlices(source, { after, limit: MAX_VERSIONS }, SLICE)) {
    if (!changelog) write(`# ${escapeInline(slice.changelog.name)}\n`)
    changelog = slice
    for (const version of slice.versions) {
      if (length > MAX_LENGTH) break
      write(writeMarkdown(null, [await writable(await hideNotes(mapTexts(version, pictures), pace), pace)]))
      for await (const changes of readFurther(source, version))
        write(
          writeChanges(await Array.fromAsync(changes, (change) => whole(mapTexts(change, pictures), pace))),
        )
      if (isPartial(version)) write(writeClosing(await wholeText(pictures(version.closing), pace)))
      next = version === slice.versions.at(-1) ? slice.next : version
    }
    if (length > MAX_LENGTH) break
  }
  if (!changelog) return null
  const own = next && { link: `<${markdownLink(changelog, next)}>; rel="next"` }
  return fileBody(tools, parts.join('\n'), 'text/markdown', own ?? undefined)
}

/** Dates without times: those would need comments. */
const writable = async (version: VersionContent, pace: Pace) => ({
  ...version,
  ...(await whole(version, pace)),
  // After the last of its changes, which may not all be here.
  closing: isPartial(version) ? null : await wholeText(version.closing, pace),
  changes: await Array.fromAsync(version.changes, (change) => whole(change, pace)),
  date: version.dateKnown ? Math.floor(version.publishedAt / DAY_MS) * DAY_MS : null,
})

/** A version or a change whose texts leave the rest of the file as it is. */
async function whole<Texts extends Pick<Change, 'title' | 'description'>>(
  texts: Texts,
  pace: Pace,
): Promise<Texts> {
  await pace(texts.title)
  return { ...texts, title: wholeLine(texts.title), description: await wholeText(texts.description, pace) }
}

async function wholeText(source: string | null, pace: Pace): Promise<string | null> {
  if (source) await pace(source)
  return source && wholeBlocks(source)
}
