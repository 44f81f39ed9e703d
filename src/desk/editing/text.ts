import { pick } from '../../domain/objects.ts'
import { Refused } from '../../domain/reasons.ts'
import { type Product, UNRELEASED, type Version } from '../../domain/records.ts'
import { checkVersion, knownDate } from '../../domain/rules.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { formatInstant, parseInstant } from '../../domain/time/time.ts'
import { slugOf } from '../../domain/versions/made-label.ts'
import { hasNumber, isMadeFrom, labelsFrom } from '../../domain/versions/names.ts'
import { NO_VERSION_PROPERTIES, versionFacts } from '../../domain/versions/properties.ts'
import { trimBlankLines } from '../../formats/markdown/lines.ts'
import type { ParsedVersion } from '../../formats/parsed.ts'
import type { Records } from '../../store/records/records.ts'
import { findProduct, findVersion } from '../../transfer/find.ts'
import { newLabel } from '../../transfer/new-label.ts'
import { type OpenedVersion, openStored } from '../../transfer/opened-version.ts'
import type { Opened } from '../../transfer/save-version.ts'
import { bodyOf, type Edited, FREE_HEADINGS, readSource } from '../../transfer/section.ts'
import type { Named } from '../visit.ts'
import { bothTexts } from './diff.ts'

/** A release as its author writes it. */
export interface WrittenText {
  label: string
  title: string
  /** `2026-01-02`; empty without a date. */
  day: string
  text: string
}

export interface OpenedText extends WrittenText {
  version: Version
  opened: OpenedVersion
}

export const NEW_TEXT: WrittenText = { label: '', title: '', day: '', text: '' }

/** The stamp of a release that is not stored yet. */
export const NEW = 'new'

export async function openText(records: Records, version: Version): Promise<OpenedText> {
  const opened = await openStored(records, version, FREE_HEADINGS)
  return { ...writtenOf(version, opened), version, opened }
}

/** The text of a version with this label, or null. */
export async function findText(
  records: Records,
  product: Product,
  label: string,
): Promise<OpenedText | null> {
  const version = await records.versions.find(product, label)
  return version && openText(records, version)
}

/**
 * The label that the author gave; else one made from the title, which follows it until the version is published. For a new text
 * that was sent twice, the label of the version that has it.
 */
export async function labelOf(
  records: Records,
  product: Product,
  written: WrittenText,
  before: OpenedText | null,
): Promise<string> {
  const { label, title } = written
  if (label !== '') return label
  const own = before?.version
  if (own && before.label === '' && (own.status === 'published' || isMadeFrom(title, own.label)))
    return own.label
  for (const made of before ? [] : labelsFrom(title)) {
    const other = await findText(records, product, made)
    if (!other) break
    if (isSameText(written, other)) return made
  }
  return newLabel(records, product, title)
}

/** True for a label that is only an address: nobody wrote it. */
function isMade({ label, title, status }: Version): boolean {
  if (title === label) return isMadeFrom('', label)
  const isAddress = slugOf(label) === label && !hasNumber(label) && dayIn(label) === null
  return isMadeFrom(title, label) || (isAddress && status === 'published')
}

/** True for a version that cannot be published, as nobody has said what it is called. */
export const isUnnamed = (version: Version): boolean =>
  version.label === UNRELEASED || (version.title === version.label && isMade(version))

/** True if both would be stored in the same way. */
export const isSameText = (one: WrittenText, other: WrittenText): boolean =>
  FACTS.every((fact) => one[fact] === other[fact]) && trimBlankLines(one.text) === trimBlankLines(other.text)

/** What a form says of the text that it was opened from: the stamp, and what stood beside the text. */
export const openedField = (before: OpenedText | null): string =>
  before ? `${before.opened.stamp} ${new URLSearchParams(pick(before, ...FACTS))}` : NEW

export const stampIn = (opened: string): string => opened.split(' ', 1)[0] ?? ''

/** What stands beside a text. */
export const FACTS = ['label', 'title', 'day'] as const

/** The text that a form was opened from: `text` without what stood beside it. */
export const openedFrom = (opened: string, text: string): WrittenText => ({
  ...NEW_TEXT,
  ...Object.fromEntries(new URLSearchParams(opened.slice(stampIn(opened).length + 1))),
  text,
})

/** Both together: theirs where the author has left a fact as it was when the form was opened. */
export function bothOf(mine: WrittenText, theirs: WrittenText, opened: string): WrittenText {
  const was = openedFrom(opened, '')
  const facts = FACTS.map((fact) => [fact, mine[fact] === was[fact] ? theirs[fact] : mine[fact]])
  return { ...mine, ...Object.fromEntries(facts), text: bothTexts(mine.text, theirs.text) }
}

function writtenOf(version: Version, opened: OpenedVersion): WrittenText {
  const date = knownDate(version)
  return {
    label: isMade(version) ? '' : version.label,
    // A title that only repeats the label follows it.
    title: version.title === version.label ? '' : version.title,
    day: date === null ? '' : formatInstant(date).slice(0, 10),
    text: bodyOf(opened.text),
  }
}

/** Refuses a text that cannot be stored. The heading is not part of the text: the fields have what it says. */
export function readText(written: WrittenText, before: OpenedText | null): Edited {
  const items = written.text.match(ITEM)?.length ?? 0
  if (items > MOST_ITEMS) throw new Refused('items', { count: items, most: MOST_ITEMS })
  const read = before?.opened.read ?? readSource
  const found = read(`${HEADING}\n\n${written.text}\n`)
  if ('problem' in found) throw found.problem
  const version: ParsedVersion = {
    ...found.version,
    ...versionFacts(before?.version ?? NO_VERSION_PROPERTIES),
    label: written.label,
    title: written.title || written.label,
    date: dateOf(written, before),
  }
  checkVersion(version)
  return { ...found, version }
}

const HEADING = '## [1.0.0]'

/** Counted before the text is read: reading and saving more would hold up all other authors. */
const MOST_ITEMS = 2_000
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?=[ \t\n])/gm

/** What was opened, with the fields as they are stored: a heading may say them differently. */
export const openedOf = ({ version, opened: { stored } }: OpenedText): Opened => ({
  version,
  changes: stored?.changes ?? [],
  section: {
    ...(stored?.section as ParsedVersion),
    ...versionFacts(version),
    ...pick(version, 'label', 'title'),
    date: knownDate(version),
  },
})

/** Null if the author did not change the day, which may have a time. */
function dateOf({ day }: WrittenText, before: OpenedText | null): number | null {
  if (day === '' || day === before?.day) return before ? knownDate(before.version) : null
  const date = parseInstant(day)
  if (date === null) throw new Refused('notDate', { day })
  return date
}

/** What a form is about. */
export interface Draft {
  product: Product
  /** Null for a new one. */
  before: OpenedText | null
  /** The ids of the pictures that the product has. */
  pictures: ReadonlySet<string>
}

export const readDraft = async (records: Records, { version: id, ...name }: Named): Promise<Draft> => {
  const product = await findProduct(records, name)
  const pictures = await records.pictures.ids(product)
  if (id === NEW) return { product, before: null, pictures }
  const { version } = await findVersion(records, name, id)
  return { product, before: await openText(records, version), pictures }
}
