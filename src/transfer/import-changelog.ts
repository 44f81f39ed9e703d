import { continuedVersions, identityIn, renamable } from '../domain/importing/match-versions.ts'
import { isDraftedByImport } from '../domain/importing/merge.ts'
import { movedChanges } from '../domain/importing/moved-changes.ts'
import { idsOfNew } from '../domain/importing/new-ids.ts'
import { momentsOfUndated } from '../domain/importing/undated.ts'
import type { Change, Product, ProductName, Version } from '../domain/records.ts'
import { Refusal, toRun } from '../domain/refusal.ts'
import { knownDate } from '../domain/rules.ts'
import { oldestFirst } from '../domain/versions/order.ts'
import type { ParsedVersion, TagDate } from '../formats/parsed.ts'
import type { Records } from '../store/records/records.ts'
import { findOrCreate } from './find.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './import-result.ts'
import { importVersions, type LocatedVersion } from './import-versions.ts'
import type { ChangelogSource } from './parse-changelog.ts'
import { trueWarnings, undatedIn } from './undated.ts'

/** Imports a file, folder or repository into a product, which is created first with `create`. */
export async function importChangelog(
  records: Records,
  name: ProductName,
  { name: fileName, format, parsed, dates = [], pictures = [] }: ChangelogSource,
  options: ImportOptions,
): Promise<ImportResult> {
  if (format === 'changesets' && options.prune)
    throw new Refusal(`${fileName} has no released versions, so --prune would delete all versions.`, {
      hint: 'Leave out --prune.',
    })
  const { product, newTeam } = await findOrCreate(records, name, options)
  for (const each of pictures)
    await records.pictures.add(product, each, options.now, options.picturesMaxBytes)
  const result = { ...emptyResult(), newTeam, untaken: parsed.untaken ?? [] }
  if (parsed.preamble !== undefined && parsed.preamble !== product.changelog.preamble) {
    await records.products.updateChangelog(product, { preamble: parsed.preamble })
    result.changed.products++
  }
  // Releases and links tell the repository of a product that has none.
  const { repository } = parsed
  if (repository !== undefined && product.repository === null && product.status !== 'locked')
    await records.products.update(product, { repository })
  const stored = await storedIn(records, product)
  const inFile = [...parsed.versions, ...datedByTags(fileName, stored, parsed.versions, dates)]
  if (inFile.length === 0)
    throw new Refusal(
      `${fileName} has no annotated version tags, and its other tags match no stored version.`,
      {
        hint: toRun(
          'Use import --commits or git tag -a. To import a file with the dates of these tags',
          'import',
          ['TEAM/PRODUCT', 'FILE'],
          { 'dates-from': 'PATH' },
        ),
      },
    )
  const oldest = parsed.isNewestFirst ? inFile.toReversed() : oldestFirst(inFile)
  const versions = located(fileName, oldest, stored, undatedIn(parsed), options)
  await importVersions(records, product, versions, result, options)
  const warnings = await trueWarnings(records, product, parsed, options)
  return { ...result, warnings, product: await records.products.summary(product) }
}

/** Stored versions of which a repository only has a date: they get it if they are published without a known date. */
function datedByTags(
  name: string,
  stored: readonly Version[],
  versions: readonly ParsedVersion[],
  dates: readonly TagDate[],
): ParsedVersion[] {
  if (dates.length === 0) return []
  const identity = identityIn([...stored, ...versions, ...dates])
  const isTold = new Set(versions.map(({ label }) => identity(label)))
  const tags = new Map(dates.map((tag) => [identity(tag.label), tag]))
  return stored.flatMap((version) => {
    const { label, title, status, description } = version
    const tag = isTold.has(identity(label)) ? undefined : tags.get(identity(label))
    if (!tag) return []
    const date = status === 'published' && knownDate(version) === null ? tag.date : null
    const words = { label, title, status, description, date, isSummary: true } as const
    return { ...words, changes: [], text: `${name}: tag ${tag.label}`, line: 1 }
  })
}

/** Up to this many changes are read at once, and looked for in other versions of the file. */
const MOST_COMPARED = 100_000

interface StoredVersion extends Version {
  changes: readonly Change[]
  /** False if its changes were not read. */
  isRead: boolean
}

async function storedIn(records: Records, product: Product): Promise<StoredVersion[]> {
  const versions = await records.versions.list(product)
  const count = versions.reduce((sum, { changeCount }) => sum + changeCount, 0)
  const isRead = count <= MOST_COMPARED
  const changes =
    isRead && count > 0 ? await records.transfer.changesByVersion(product) : new Map<string, Change[]>()
  const stored = versions.map((version) => ({ ...version, changes: changes.get(version.id) ?? [], isRead }))
  if (!isRead) for (const version of renamable(stored)) version.changes = await records.changes.list(version)
  return stored
}

/** Renamed versions first, whose old labels may be reused; then oldest first, so that newer ones get newer ids. */
function* located(
  fileName: string,
  oldest: readonly ParsedVersion[],
  stored: readonly StoredVersion[],
  isUndated: (version: ParsedVersion) => boolean,
  { status, now }: ImportOptions,
): Generator<LocatedVersion> {
  const continued = continuedVersions(stored, oldest.toReversed())
  const byLabel = new Map(stored.map((version) => [version.label, version]))
  const isContinued = new Set([...continued.values()].map(({ label }) => label))
  const inFile = oldest.map((version) => {
    const continues = continued.get(version.label)
    const label = continues?.label ?? version.label
    const known = continues || !isContinued.has(label) ? byLabel.get(label) : undefined
    const isPublishing = status === 'published'
    // What the file says is not released stays a draft.
    const isHeld = isPublishing && version.status === 'draft' && !isUndated(version)
    const newStatus = isHeld ? null : (status ?? null)
    const isReleased =
      isPublishing &&
      !isHeld &&
      known?.isRead &&
      !(known.dated && version.date === null) &&
      !continues?.isRenamed &&
      isDraftedByImport(known, known.changes)
    return { version, newStatus, isReleased, continues, stored: known ?? null }
  })
  const moves = movedChanges(inFile)
  const undatedTimes = momentsOfUndated(inFile.toReversed(), now)
  const newIds = idsOfNew(inFile.toReversed())
  for (const wantsRenamed of [true, false])
    for (const [at, { stored: known, ...read }] of inFile.entries()) {
      const { version, continues } = read
      if ((continues?.isRenamed === true) !== wantsRenamed) continue
      const rank = oldest.length - at
      const undatedAt = undatedTimes.get(version.label) ?? now
      const newId = newIds.get(version.label)
      yield {
        where: `${version.text ?? fileName}: line ${version.line}`,
        incoming: {
          from: 'changelog',
          ...read,
          rank,
          undatedAt,
          newId,
          moves: moves.get(version.label),
          stored: known,
          storedChanges: known?.isRead ? known.changes : undefined,
        },
      }
    }
}
