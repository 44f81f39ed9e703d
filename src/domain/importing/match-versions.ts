import { type Change, type ChangeDraft, type Instant, UNRELEASED, type Version } from '../records.ts'
import { withoutV } from '../rules.ts'
import { dayIn } from '../time/date-forms.ts'
import { hasNumber } from '../versions/names.ts'
import { readNumber } from '../versions/number.ts'
import { type FieldValue, fieldHash, readImported, titleHash } from './imported.ts'

export interface StoredVersion
  extends Pick<Version, 'label' | 'status' | 'dated' | 'description' | 'imported'>,
    Partial<Pick<Version, 'title' | 'publishedAt'>> {
  changes: readonly Pick<Change, 'title' | 'imported'>[]
}

export interface FileVersion extends Pick<Version, 'label' | 'description'> {
  title?: string
  date?: Instant | null
  changes: readonly Pick<ChangeDraft, 'title'>[]
}

/** The stored version that a version of a file continues under another label. */
export interface Continuation {
  label: string
  /** The file renamed it, such as `Unreleased` on release. Otherwise its prefix or an edited label differs. */
  isRenamed: boolean
  /** The file gave it another number: that becomes its label, and nothing else is new. */
  isRenumbered?: true
}

/**
 * Versions of a file that are stored under another label, by their label in the file. They are matched by number
 * (`v1.1.0` is `1.1.0`); by the label they were imported under, if it was edited; and by content. A new version with at
 * least half of the changes of an undated draft, and more than the file has under the draft's label, is that draft,
 * renamed. An entry without a number is the one of its day with its title, its text or nothing beside it. One in the place of a version that the file lost, with most of its changes, is that one,
 * renumbered.
 */
export function continuedVersions(
  stored: readonly StoredVersion[],
  file: readonly FileVersion[],
): Map<string, Continuation> {
  const continued = new Map<string, Continuation>()
  if (stored.length === 0) return continued
  const inFile = new Map(file.map((version) => [version.label, version]))
  const isStored = new Set(stored.map(({ label }) => label))
  const fresh = file.filter(({ label }) => !isStored.has(label))
  const gone = stored.filter(({ label }) => !inFile.has(label))

  const identity = identityIn([...stored, ...file])
  const goneByIdentity = new Map(gone.toReversed().map((version) => [identity(version.label), version]))
  for (const { label } of fresh) {
    const same = goneByIdentity.get(identity(label))
    if (same === undefined || !goneByIdentity.delete(identity(label))) continue
    continued.set(label, { label: same.label, isRenamed: false })
  }

  const taken = new Set([...continued.values()].map(({ label }) => label))
  const relabelled = new Map(
    gone.flatMap((version) => {
      const imported = readImported(version.imported).fields.get('label')
      return imported === undefined || taken.has(version.label) ? [] : [[imported, version] as const]
    }),
  )
  if (relabelled.size > 0)
    for (const version of fresh) {
      const { label } = version
      if (continued.has(label)) continue
      const same = [label, withoutV(label), `v${label}`].find((one) => relabelled.has(fieldHash(one)))
      const before = same === undefined ? undefined : relabelled.get(fieldHash(same))
      if (before === undefined || taken.has(before.label) || isNext(version, before)) continue
      continued.set(label, { label: before.label, isRenamed: false })
      taken.add(before.label)
    }

  for (const draft of renamable(stored)) {
    if (taken.has(draft.label)) continue
    const sameLabel = inFile.get(draft.label)
    let best = sameLabel === undefined ? 0 : sharedWith(draft, sameLabel)
    let renamed: FileVersion | null = null
    for (const version of fresh) {
      if (continued.has(version.label) || isNext(version, draft)) continue
      const shared = sharedWith(draft, version)
      if (shared <= best) continue
      best = shared
      renamed = version
    }
    if (renamed !== null && best >= 0.5) continued.set(renamed.label, { label: draft.label, isRenamed: true })
  }
  for (const [label, before] of sameEntries(gone, fresh, continued))
    continued.set(label, { label: before, isRenamed: false })
  for (const [label, before] of renumbered(stored, file, continued))
    continued.set(label, { label: before, isRenamed: false, isRenumbered: true })
  return continued
}

/**
 * True if a version that a file has as unreleased is not the one that was released here under a number: then it is a
 * draft again. Otherwise an unreleased one would be public.
 */
function isNext(version: FileVersion, before: StoredVersion): boolean {
  if (version.label !== UNRELEASED || before.status === 'draft') return false
  const imported = readImported(before.imported).fields.get('description') ?? fieldHash(before.description)
  return (
    fieldHash(version.description) !== imported ||
    version.changes.length !== before.changes.filter(isFromFile).length ||
    sharedWith(before, version) < 1
  )
}

/** New labels of entries, and the stored ones: those are addresses, which stay when titles change. */
function* sameEntries(
  gone: readonly StoredVersion[],
  fresh: readonly FileVersion[],
  continued: ReadonlyMap<string, Continuation>,
): Generator<[label: string, before: string]> {
  const taken = new Set([...continued.values()].map(({ label }) => label))
  const stored = Map.groupBy(
    gone.filter(({ label, dated }) => dated && !taken.has(label) && isEntry(label)),
    ({ publishedAt }) => publishedAt,
  )
  const added = fresh.filter(({ label, date }) => date && !continued.has(label) && isEntry(label))
  for (const [date, ofDay] of Map.groupBy(added, ({ date }) => date ?? undefined)) {
    const [before, after] = [stored.get(date) ?? [], [...ofDay]]
    const likeness: ((one: StoredVersion, other: FileVersion) => boolean)[] = [
      (one, other) => one.title === other.title,
      (one, other) => sharedWith(one, other) >= 0.5,
      () => before.length === 1 && after.length === 1,
    ]
    for (const isSame of likeness)
      for (const one of [...before]) {
        const at = after.findIndex((other) => isSame(one, other))
        const [other] = at === -1 ? [] : after.splice(at, 1)
        if (!other) continue
        before.splice(before.indexOf(one), 1)
        yield [other.label, one.label]
      }
  }
}

const isEntry = (label: string): boolean => label !== UNRELEASED && !hasNumber(label)

/** A renumbered version has at least this share of its changes. */
const RENUMBERED = 0.8
/** If more versions are gone, the file was cut. */
const MOST_CANDIDATES = 20

/** New labels of versions that the file has no more, and their old ones. Both lists are newest first. */
function* renumbered(
  stored: readonly StoredVersion[],
  file: readonly FileVersion[],
  continued: ReadonlyMap<string, Continuation>,
): Generator<[label: string, before: string]> {
  const isStored = new Set(stored.map(({ label }) => label))
  const storedAs = ({ label }: FileVersion) => continued.get(label)?.label ?? label
  const inFile = new Set(file.map(storedAs))
  const gone = Map.groupBy(
    unplaced(stored, ({ label }) => (inFile.has(label) ? label : null)),
    ({ above }) => above,
  )
  const fresh = unplaced(file, (one) => (isStored.has(storedAs(one)) ? storedAs(one) : null))
  for (const { above, version } of fresh) {
    const candidates = gone.get(above) ?? []
    if (version.label === UNRELEASED || candidates.length > MOST_CANDIDATES) continue
    const at = candidates.findIndex(({ version: before }) => isRenumbered(before, version))
    const [before] = at === -1 ? [] : candidates.splice(at, 1)
    if (before) yield [version.label, before.version.label]
  }
}

const isRenumbered = (before: StoredVersion, version: FileVersion): boolean =>
  !readImported(before.imported).fields.has('label') && sharedWith(before, version) >= RENUMBERED

/** The versions that have no name in both lists, each with the name of the nearest one above that has. */
function unplaced<T>(versions: readonly T[], nameOf: (version: T) => string | null) {
  let above: string | null = null
  return versions.flatMap((version) => {
    const name = nameOf(version)
    if (name === null) return { version, above }
    above = name
    return []
  })
}

/** Undated drafts, even if published or dated by hand since. Few, because their changes are compared one by one. */
export function renamable<T extends Pick<Version, 'status' | 'dated' | 'imported'>>(
  versions: readonly T[],
): T[] {
  const isImportedAs = ({ imported }: T, field: string, value: FieldValue) =>
    Boolean(imported) && readImported(imported).fields.get(field) === fieldHash(value)
  return versions
    .filter(
      (version) =>
        (version.status === 'draft' || isImportedAs(version, 'status', 'draft')) &&
        (!version.dated || isImportedAs(version, 'date', null)),
    )
    .slice(0, 20)
}

const isFromFile = ({ imported }: Pick<Change, 'imported'>): boolean => !readImported(imported).isAddedByHand

/**
 * The share of a draft's changes that a version has, now or as last imported. Changes added by hand count only if there
 * are no others: no file has them. Without changes the description decides.
 */
function sharedWith(draft: StoredVersion, version: FileVersion): number {
  const fromFile = draft.changes.filter(isFromFile)
  const changes = fromFile.length > 0 ? fromFile : draft.changes
  if (changes.length === 0)
    return draft.description !== null && draft.description === version.description ? 1 : 0
  const titles = new Set(version.changes.map(({ title }) => summaryOf(title)))
  const isCorrected = changes.some(({ imported }) => Boolean(imported))
  const hashes = new Set(
    isCorrected
      ? version.changes.flatMap(({ title }) => [fieldHash(title), fieldHash(summaryOf(title))])
      : [],
  )
  const shared = changes.filter(
    (change) => titles.has(summaryOf(change.title)) || (change.imported && hashes.has(titleHash(change))),
  )
  return shared.length / changes.length
}

/**
 * A title without the prefixes that changesets adds on release: a commit (`089869a: `), links and thanks (`[#12](…)
 * [`089869a`](…) Thanks [@jane](…)! - `), names of packages (`**app:** `).
 */
const summaryOf = (title: string): string =>
  title
    .replace(/^(?:[0-9a-f]{7}: |(?:\[[^\]]{1,60}\]\([^)]{1,300}\) ){1,2}(?:Thanks .{1,300}?! )?- )/, '')
    .replace(/^\*\*[^*]{1,300}:\*\* /, '')

/** The package of a label and its number; null for other labels. */
function packageIn(label: string): { name: string; number: string } | null {
  const { name, start } = readNumber(label) ?? { name: ' ', start: 0 }
  return /^(?:@?[A-Za-z][\w.@/-]*[@/_-])?$/.test(name) && /^\d/.test(label.slice(start))
    ? { name: name.slice(0, -1), number: label.slice(start) }
    : null
}

/**
 * The identity of a label among others: its number without `v`, and without the name of a package if all names are the
 * same (`app@1.1.0`). With several names, each is a product of its own.
 */
export function identityIn(versions: readonly { label: string }[]): (label: string) => string {
  const names = new Set(versions.flatMap(({ label }) => packageIn(label)?.name || []))
  return (label) => {
    const day = dayIn(label)
    const own = day === null ? packageIn(label) : null
    return own === null ? (day ?? label) : `${names.size > 1 ? own.name : ''}@${own.number}`
  }
}
