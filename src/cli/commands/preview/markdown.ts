import type { Change, Version } from '../../../domain/records.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { plainInline, readInline } from '../../../notes/inline.ts'
import { dayText, joined, markdownForm, nameText, releaseText } from '../../../notes/markdown.ts'
import { type HeadingOf, ownHeading, showRelease } from '../../../notes/release.ts'
import { WHOLE, writeRelease } from '../../../notes/writing.ts'
import { plain, plainLines } from '../../terminal/text.ts'

const ALL = { ...WHOLE, text: Number.POSITIVE_INFINITY, release: Number.POSITIVE_INFINITY }

/** A version for the terminal, as its page shows it. */
export async function previewMarkdown(version: Version, changes: Change[]): Promise<string> {
  const heading: HeadingOf = (change) => plainInline(readInline(ownHeading(change)))
  const shown = showRelease({ ...version, kinds: null, changes }, heading)
  const release = await writeRelease(markdownForm(), shown, 3, ALL)
  const state = storedStatus(version)
  const when = [dayText(release.date), state === 'published' ? '' : state].filter(Boolean).join(', ')
  const name = [nameText(plain(version.label)), release.title].filter(Boolean).join(' ')
  return plainLines(joined([`## ${name}`, when, releaseText(release, 3)]).replaceAll('\t', '    '))
}
