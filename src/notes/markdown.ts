import type { Instant } from '../domain/records.ts'
import { printable } from '../domain/text/controls.ts'
import { plural } from '../domain/text/plural.ts'
import { formatInstant } from '../domain/time/time.ts'
import type { KindCounts } from '../domain/versions/derived.ts'
import type { Kind } from '../domain/versions/kinds.ts'
import { hasNumber, type Named, shortName, shownName } from '../domain/versions/names.ts'
import type { VersionFacts } from '../domain/versions/properties.ts'
import { isPrerelease } from '../domain/versions/standing.ts'
import type { Verdict } from '../domain/versions/verdict.ts'
import { asParagraph } from '../formats/changelog/titles.ts'
import { escapeInline } from '../formats/markdown/inline.ts'
import { indent } from '../formats/markdown/lines.ts'
import { authoredBlocks, authoredLine } from './authored.ts'
import { plainText } from './html/render.ts'
import { type AddressPictures, asStored } from './pictures.ts'
import { signsBelow, withTail } from './release.ts'
import type { Form, Pace, WrittenChange, WrittenRelease } from './writing.ts'

/** Markdown as a form of releases, with the addresses of their pictures. */
export const markdownForm = (pictures: AddressPictures, pace: Pace = () => undefined): Form => ({
  title: (source) => authoredLine(pictures(source)),
  line: async (source) => {
    await pace(source)
    return authoredLine(pictures(source))
  },
  blocks: async (source, level, length) => {
    await pace(source, length)
    return authoredBlocks(pictures(source), level, length)
  },
  below: indent,
})

/** The texts and changes of a release; empty if it has none. `level` is that of the headings of sections. */
export const releaseText = (release: WrittenRelease, level: number): string =>
  joined([
    release.yanked && `**Yanked:** ${nameText(release.yanked)}`,
    release.description,
    ...release.groups.flatMap(({ heading, kind, changes }) => [
      `${'#'.repeat(level)} ${nameText(heading)}`,
      list(changes.map((change) => changeItem(change, kind))),
    ]),
    release.closing,
  ])

const SIGNS = { breaking: '**Breaking:**', mayBreak: '*May break:*', security: '**Security:**' }

/** An item below the heading of a kind; `start` begins it. */
export function changeItem(change: WrittenChange, kind: Kind, start = ''): string {
  const { description } = change
  const title = withTail(change)
  const opening =
    start +
    signsBelow(kind, change)
      .map((sign) => `${SIGNS[sign]} `)
      .join('')
  const first = `- ${opening}${opening === '' ? asParagraph(title) : title}`
  return description === '' ? first : `${first}\n\n${description}\n`
}

/** The line above the text of a release in a list: its name, its date, and its standing. */
export const headingText = (name: string, release: WrittenRelease): string =>
  `## ${name}${release.date === null ? '' : ` - ${dayText(release.date)}`}${standingText(release)}`

/** ` (pre-release) [YANKED]` */
export const standingText = (version: VersionFacts & { label: string }): string =>
  (isPrerelease(version) ? ' (pre-release)' : '') + (version.yanked === null ? '' : ' [YANKED]')

/** A name in a line of Markdown. An ampersand is escaped only where it would begin a character reference. */
export const nameText = (text: string): string =>
  escapeInline(printable(text))
    .replace(/\s+/g, ' ')
    .replace(/\\&(?!#?\w{1,32};)/g, '&')

/** A link to an address of ours: parentheses would end it. */
export const link = (words: string, url: string): string =>
  `[${nameText(words)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** Items one below another. */
export const list = (items: readonly string[]): string => items.join('\n').trimEnd()

export const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('\n\n')

/** `2026-01-02`, if it is known. */
export const dayText = (date: Instant | null): string | null =>
  date === null ? null : formatInstant(date).slice(0, 10)

/** `1 breaking, 3 added` */
export const kindsText = (counts: KindCounts): string =>
  [...counts].map(([kind, count]) => (count ? `${count.toLocaleString('en')} ${kind}` : kind)).join(', ')

/** The verdict in words: `2 major releases`, `6 breaking changes`, `2 security fixes`, `14 months`. */
export const verdictTexts = ({
  majors,
  breaking,
  security,
  span,
  lookFirst,
  unmarked,
}: Verdict): string[] => [
  plural(majors, 'major release'),
  breaking === 0 && lookFirst.length + unmarked.length > 0
    ? 'no change is marked as breaking'
    : plural(breaking, 'breaking change'),
  security.length === 1 ? '1 security fix' : `${security.length.toLocaleString('en')} security fixes`,
  ...(span ? [plural(span.count, span.unit)] : []),
]

/** What is said beside the name of a release, in Markdown: the title beside a number, or a name that the title does not say. */
export const besideName = ({
  label,
  beside,
  title,
}: Pick<WrittenRelease, 'label' | 'beside' | 'title'>): string | null =>
  hasNumber(label) ? title : title && beside && nameText(beside)

/** The title of a version, if it has one other than its name. */
export const titleText = (version: Named, pictures: AddressPictures = asStored): string | null => {
  const { label: beside, title } = shownName(version)
  return besideName({ label: version.label, beside, title: title && authoredLine(pictures(title)) })
}

/** The name of a version as text: see `shortName`. */
export const plainName = (version: Named): string => plainText(shortName(version))
