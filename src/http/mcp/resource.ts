import { hideNotes } from '../../notes/footnotes.ts'
import { besideName, headingText, joined, nameText, plainName, releaseText } from '../../notes/markdown.ts'
import { writeRelease } from '../../notes/writing.ts'
import { WORDS } from '../../words/languages.ts'
import { readSlices } from '../reading/slices.ts'
import { formOf, shownOf } from './entries.ts'
import { type Asked, lengthOf } from './tool.ts'
import { DEFAULT_VERSIONS } from './tools/get-changelog.ts'
import { LISTED_CHANGES } from './version-list.ts'

/** A changelog as Markdown, about as long as the answer of a tool. */
export async function writeChangelog(source: Asked): Promise<string | null> {
  const form = formOf(source)
  const length = lengthOf({})
  const limits = { text: length / 10, release: length / 2, changes: LISTED_CHANGES }
  const parts: string[] = []
  let left = length
  for await (const slice of readSlices(source, { limit: DEFAULT_VERSIONS })) {
    if (parts.length === 0) parts.push(`# ${nameText(slice.changelog.name)}`)
    for (const version of slice.versions) {
      const shown = shownOf(await hideNotes(version, source.pace), LISTED_CHANGES)
      const release = await writeRelease(form, shown, 3, limits)
      const text = releaseText(release, 3) || WORDS.en.release.noChanges
      const beside = besideName(release)
      left -= text.length
      if (left < 0 && parts.length > 1) return joined(parts)
      parts.push(headingText(nameText(plainName(version)), release), beside ? `**${beside}**` : '', text)
    }
  }
  return parts.length === 0 ? null : joined(parts)
}
