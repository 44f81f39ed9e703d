import { identityIn } from '../domain/importing/match-versions.ts'
import { isDraftedByImport } from '../domain/importing/merge.ts'
import type { Product, Version } from '../domain/records.ts'
import {
  onePerCause,
  type ParsedChangelog,
  type ParsedVersion,
  type ShownWarning,
  type SourceLine,
  undated,
  type Warning,
} from '../formats/parsed.ts'
import type { Records } from '../store/records/records.ts'
import type { ImportOptions } from './import-result.ts'

/** The import of versions without a date, and its messages about them. */

/** Matches undated versions of the file, released for all that their heading says. */
export function undatedIn({ warnings }: ParsedChangelog): (version: ParsedVersion) => boolean {
  const drafted = new Set(warnings.filter(({ code }) => code === 'kept_as_draft').map(lineKey))
  return (version) =>
    version.date === null && (version.status === 'published' || drafted.has(lineKey(version)))
}

/**
 * One warning for each cause, about what is stored after the import: a version without a date that the file leaves a draft
 * may be published, and one that it publishes may be a draft, which it stays.
 */
export async function trueWarnings(
  records: Records,
  product: Product,
  { versions, warnings }: ParsedChangelog,
  { status, publishing }: ImportOptions,
): Promise<readonly ShownWarning[]> {
  if (!warnings.some(({ code }) => code)) return onePerCause(warnings)
  const stored = await records.versions.list(product)
  const identity = identityIn([...stored, ...versions])
  const byLabel = new Map(stored.map((version) => [identity(version.label), version]))
  const byPlace = new Map(versions.map((version) => [lineKey(version), byLabel.get(identity(version.label))]))
  const told: Warning[] = []
  for (const warning of warnings) {
    const version = warning.code ? byPlace.get(lineKey(warning)) : undefined
    if (version?.status === 'draft') {
      if (status === 'draft' || version.scheduled) continue
      const code = (await isUntouched(records, version)) ? 'kept_as_draft' : 'stays_draft'
      told.push({ ...warning, ...undated(code, warning) })
    } else if (warning.code !== 'kept_as_draft') told.push(warning)
  }
  return onePerCause(told).map((warning) =>
    publishing !== undefined && warning.code === 'kept_as_draft'
      ? { ...warning, message: `${warning.message}. To publish without a date`, command: publishing }
      : warning,
  )
}

/** True if `--status published` publishes it. Most drafts are told without their changes. */
const isUntouched = async (records: Records, version: Version): Promise<boolean> =>
  !version.dated &&
  isDraftedByImport(version, []) &&
  isDraftedByImport(version, await records.changes.list(version))

const lineKey = ({ text, line }: SourceLine): string => `${text}:${line}`
