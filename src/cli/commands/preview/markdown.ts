import type { Change, Version } from '../../../domain/records.ts'
import { headingFromType } from '../../../domain/slug.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { escapeInline } from '../../../formats/keepachangelog/markdown/inline.ts'
import { writeChanges } from '../../../formats/keepachangelog/write.ts'
import { plain, plainLines } from '../../terminal/text.ts'

/** A version for the terminal, in the order of its page. */
export function previewMarkdown(version: Version, changes: readonly Change[]): string {
  const { label, title, description, closing, dateKnown, publishedAt } = version
  const name = title === label ? escapeInline(plain(label)) : `${escapeInline(plain(label))} ${plain(title)}`
  const state = storedStatus(version)
  const when = [dateKnown ? formatInstant(publishedAt).slice(0, 10) : '', state === 'published' ? '' : state]
  return [`## ${name}`, when.filter(Boolean).join(', '), description ?? '', sections(changes), closing ?? '']
    .filter((part) => part !== '')
    .map((part) => plainLines(part.replaceAll('\t', '    ')))
    .join('\n\n')
}

/** Changes under their headings, each heading once. */
function sections(changes: readonly Change[]): string {
  const byHeading = Map.groupBy(changes, ({ type, typeLabel }) => typeLabel ?? headingFromType(type))
  return writeChanges([...byHeading.values()].flat()).replace(/^(### .*) <!-- type: \S+ -->$/gm, '$1')
}
