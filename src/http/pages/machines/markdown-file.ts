import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { writeMarkdown } from '../../../formats/keepachangelog/write.ts'
import type { VersionContent } from '../../../store/port.ts'
import { printable } from '../markdown/render.ts'

const DAY_MS = 86_400_000

/** How many versions the file has at most, and how many of them are written in one turn of the event loop. */
export const MARKDOWN_SIZE = 100
export const MARKDOWN_SLICE = 5

/** The title of a changelog's file. */
export const markdownTitle = (name: string): string => `# ${escapeInline(printable(name))}\n`

/** Published versions as Keep a Changelog text. Only their days are written: times would need comments. */
export const markdownOf = (versions: readonly VersionContent[]): string =>
  writeMarkdown(
    null,
    versions.map((version) => ({
      ...version,
      date: Math.floor(version.publishedAt / DAY_MS) * DAY_MS,
    })),
  )
