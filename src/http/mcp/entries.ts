import { type Static, Type } from '@sinclair/typebox'
import { mapRows } from '../../domain/objects.ts'
import type { Change } from '../../domain/records.ts'
import { KINDS, kindOfChange } from '../../domain/versions/kinds.ts'
import { signsOf } from '../../domain/versions/marks.ts'
import { toldFacts, VERSION_FACTS } from '../../domain/versions/properties.ts'
import { headingInEnglish } from '../../notes/html/headings.ts'
import { dayText, markdownForm } from '../../notes/markdown.ts'
import { picturesOf } from '../../notes/pictures.ts'
import { type ReleaseContent, type ShownRelease, showRelease } from '../../notes/release.ts'
import type { Form } from '../../notes/writing.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { oneOf } from '../api/openapi/response-schemas.ts'
import type { Listed } from '../reading/search.ts'
import type { Source } from '../reading/slices.ts'
import { ApiError } from '../request/errors.ts'
import { type Asked, mark, roomOf, someNumber, someText } from './tool.ts'

/** What several tools return: changelogs, versions and changes. */

export const product = {
  changelog: Type.String({ description: 'Team and product.' }),
  name: Type.String({ description: 'The name of the changelog.' }),
}

export const productOf = ({ team, product, changelog }: ChangelogInfo) => ({
  changelog: `${team.slug}/${product.slug}`,
  name: changelog.name,
})

export const ChangeEntry = Type.Object({
  kind: oneOf(KINDS, 'The kind of change.'),
  breaking: mark('Its author says so.'),
  mayBreak: mark('Its words suggest so.'),
  security: mark('It is about security.'),
  heading: someText('The author’s heading, if it differs from the kind.'),
  title: Type.String({ description: 'Markdown.' }),
  description: someText('Markdown. It ends with … if it is cut.'),
})

/** The form of texts: Markdown. */
export const formOf = ({ team, product, baseUrl, pace }: Asked): Form =>
  markdownForm(picturesOf(team, product, baseUrl), pace)

export async function changeEntry(
  source: Asked,
  change: Change,
  length: number,
): Promise<Static<typeof ChangeEntry>> {
  const kind = kindOfChange(change)
  const heading = headingInEnglish(change)
  const description = await textOf(source, change.description, length)
  return {
    kind,
    ...Object.fromEntries(signsOf(change).map((mark) => [mark, true as const])),
    ...(heading.toLowerCase() !== kind && { heading }),
    title: await formOf(source).line(change.title),
    ...(description && { description }),
  }
}

export const VersionEntry = Type.Object({
  version: Type.String({ description: 'Its label.' }),
  title: someText('Markdown.'),
  date: someText('Release date, if known: 2026-01-02.'),
  draft: mark('It is not public yet.'),
  ...mapRows(VERSION_FACTS, (row) => ('of' in row ? mark(row.inShort) : someText(row.inShort))),
  changeCount: Type.Integer({ description: 'Number of its changes.' }),
  kinds: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'Number of changes of each kind. Breaking changes and security fixes also count as their own kind. `breaking` is 0 if only the texts around its changes mention a breaking change.',
    }),
  ),
  description: someText('Markdown above its changes.'),
  changes: Type.Array(ChangeEntry),
  omitted: someNumber('Number of its changes that are omitted here.'),
})

/** A version with as many of these changes as fit, at least one. `text` is how long its description may be. */
export async function versionEntry(
  source: Asked,
  { label, status, excerptOf, changeCount: own }: Listed,
  release: ShownRelease,
  changes: readonly Change[],
  length: number,
  text: number,
): Promise<Static<typeof VersionEntry>> {
  const date = dayText(release.date)
  const description = await textOf(source, release.description, text)
  const changeCount = excerptOf ?? own
  const entry: Static<typeof VersionEntry> = {
    version: label,
    ...(release.title && { title: formOf(source).title(release.title) }),
    ...(date && { date }),
    ...(status === 'draft' && { draft: true as const }),
    ...toldFacts(release),
    changeCount,
    ...(!excerptOf && { kinds: Object.fromEntries(release.counts) }),
    ...(description && { description }),
    changes: [],
  }
  const room = roomOf(length, entry)
  for (const change of changes) {
    const part = await changeEntry(source, change, text / 2)
    if (!room.take(part) && entry.changes.length > 0) break
    entry.changes.push(part)
  }
  const omitted = changeCount - entry.changes.length
  return omitted > 0 ? { ...entry, omitted } : entry
}

export const shownOf = (version: ReleaseContent, most?: number): ShownRelease =>
  showRelease(version, headingInEnglish, most)

/** As pages show it, without comments; its beginning, if it is longer. */
export const textOf = async (source: Asked, text: string | null, length: number): Promise<string | null> =>
  text === null ? null : (await formOf(source).blocks(text, 1, Math.floor(length))).text || null

/** Throws with the versions next to a missing one; null if there is no such changelog. */
export async function missing({ reads, audience, team, product }: Source, label: string): Promise<null> {
  const near = await reads.ask('readNear', audience, team, product, label)
  if (!near) return null
  const beside = near.alike.length > 0 ? near.alike : [near.older, near.newer]
  const labels = beside.flatMap((version) => (version ? [version.label] : []))
  const next =
    labels.length > 0
      ? `Next to it: ${labels.join(', ')}.`
      : '`latest` is its newest version, and get_changelog lists all.'
  throw new ApiError('bad_request', `There is no version ${label} in ${team}/${product}. ${next}`)
}
