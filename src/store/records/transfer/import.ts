import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '../../../domain/id.ts'
import { updatedFields } from '../../../domain/importing/correction.ts'
import {
  type IncomingVersion,
  type KnownVersion,
  type MergeOptions,
  matchVersion,
  merged,
  newChanges,
  newVersion,
} from '../../../domain/importing/merge.ts'
import {
  type ChangeMerge,
  countChanges,
  mergedChanges,
  NO_CHANGES,
} from '../../../domain/importing/merge-changes.ts'
import type { Moves } from '../../../domain/importing/moved-changes.ts'
import { address, type Change, type Instant, type Product } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import {
  checkChange,
  checkLabel,
  checkPublishedAt,
  checkUnlocked,
  checkVersion,
} from '../../../domain/rules.ts'
import { checkNotAhead } from '../../../domain/time/schedule.ts'
import { derivedOf } from '../../../domain/versions/derived.ts'
import { changeTexts } from '../../../domain/versions/properties.ts'
import { sourceOf } from '../../../domain/versions/source.ts'
import { statusAt } from '../../visibility.ts'
import type { Engine } from '../engine.ts'
import { formerLabelRecords } from '../former-labels.ts'
import type { PutVersion } from '../types.ts'
import { versionSourceRecords } from '../version-sources.ts'
import { labelTaken, rowOf } from '../versions.ts'
import { contentColumns, prepareChangesOf } from './contents.ts'

export function importRecords(engine: Engine) {
  const { db, tables, rows } = engine
  const { versions, changes } = tables
  const formerLabels = formerLabelRecords(engine)
  const sources = versionSourceRecords(engine)
  const stored = () =>
    db.select({ ...contentColumns(engine), changelogId: versions.changelogId }).from(versions)
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const byId = stored()
    .where(eq(versions.id, sql.placeholder('id')))
    .prepare()
  const byLabel = stored()
    .where(and(inChangelog, eq(versions.label, sql.placeholder('label'))))
    .prepare()
  const changesOf = prepareChangesOf(engine)

  const add = async (
    product: Product,
    incoming: IncomingVersion,
    id: string,
    now: Instant,
  ): Promise<PutVersion['version']> => {
    checkUnlocked(product)
    const row = newVersion(incoming, now)
    checkPublishedAt(row.publishedAt)
    const derived = derivedOf({ ...row, changes: incoming.version.changes })
    const { arriving } = movesOf(incoming)
    const added = arriving.length > 0 ? [] : newChanges(incoming, id)
    const changeCount = rows.changesFirst ? added.length : 0
    const columns = { ...rowOf(row), ...derived, id, changeCount, changelogId: product.changelog.id }
    if (!rows.changesFirst) await rows.add(versions, columns)
    for (const [at, { id: changeId, ...change }] of added.entries())
      await rows.add(changes, { ...change, id: changeId, versionId: id, position: at + 1 })
    if (rows.changesFirst) await rows.add(versions, columns)
    if (arriving.length > 0) {
      await rows.flush()
      await write(id, mergedChanges(arriving, incoming).merge ?? { changes: arriving, removed: [] }, arriving)
    }
    return row
  }

  const update = async (
    product: Product,
    known: KnownVersion,
    incoming: IncomingVersion,
    options: MergeOptions,
  ): Promise<PutVersion> => {
    const { arriving, leaving } = movesOf(incoming)
    const before = incoming.from === 'changelog' ? incoming.storedChanges : undefined
    const all = before ?? (await changesOf.execute({ versionId: known.id }))
    const staying = all.filter(({ id }) => !leaving.has(id))
    const stored = [...staying, ...arriving]
    const { fields, changes, imported, corrections } = merged(known, stored, incoming, options)
    const isOverwritten = options.overwrite === true && corrections.length > 0
    const former = isOverwritten ? (await formerLabels.byVersion(product)).get(known.id) : undefined
    const merge = changes ?? (arriving.length > 0 ? { changes: stored, removed: [] } : null)
    const counts = merge ? countChanges(staying, merge) : { ...NO_CHANGES }
    counts.removed += leaving.size
    const hasFields = Object.keys(fields).length > 0
    const isUpdated = hasFields || Object.values(counts).some(Boolean)
    if (isUpdated) checkUnlocked(product)
    if (fields.label !== undefined) {
      const { label } = fields
      const [other] = await byLabel.execute({ changelogId: product.changelog.id, label })
      if (other) throw labelTaken(product, label)
      await formerLabels.rename(product, known, label)
    }
    const version = { ...known, ...fields }
    const { status, scheduled, publishedAt, dateKnown } = version
    checkPublishedAt(publishedAt)
    if (incoming.from === 'changelog' && 'publishedAt' in fields)
      checkNotAhead(product, known, version, options.now)
    if (hasFields || imported !== (known.imported ?? null))
      await db
        .update(versions)
        .set({ ...rowOf({ ...fields, status, scheduled, dateKnown }), imported })
        .where(eq(versions.id, known.id))
    if (merge) await write(known.id, merge, arriving)
    return {
      outcome: isUpdated ? 'updated' : 'unchanged',
      label: version.label,
      version,
      fields: updatedFields(fields),
      changes: counts,
      corrections,
      isOverwritten,
      before:
        isUpdated || isOverwritten
          ? {
              ...asExported(known),
              formerLabels: former ?? [],
              changes: stored.map(asExported),
              source: sourceOf(await sources.find(known.id), { ...known, changes: stored }),
            }
          : undefined,
    }
  }

  /** `arriving` are stored changes of other versions. */
  const write = async (
    versionId: string,
    { changes: wanted, removed }: ChangeMerge,
    arriving: readonly Change[],
  ): Promise<void> => {
    const isArriving = new Set<string | null>(arriving.map(({ id }) => id))
    if (removed.length > 0) await db.delete(changes).where(inArray(changes.id, removed))
    for (const [at, change] of wanted.entries()) {
      const { id, type, typeLabel = null, title, imported = null } = change
      const row = { position: at + 1, type, typeLabel, title, ...changeTexts(change), imported }
      if (id === null) await db.insert(changes).values({ ...row, id: newId('chg'), versionId })
      else
        await db
          .update(changes)
          .set({ ...row, ...(isArriving.has(id) && { versionId }) })
          .where(eq(changes.id, id))
    }
  }

  return {
    /** Begins an import of versions into a product. A locked product refuses changes. Edits stay, unless `overwrite`. */
    importVersions: async (product: Product, options: MergeOptions) => {
      const changelogId = product.changelog.id
      const here = eq(versions.changelogId, changelogId)
      const isEmpty = (await db.select({ id: versions.id }).from(versions).where(here).limit(1)).length === 0
      const isLocked = product.status === 'locked' || product.changelog.status === 'locked'
      const hashes = isEmpty ? new Map<string, string>() : await sources.hashes(product)
      const labels = new Set<string>()
      const ids = new Set<string>()
      const versionOf = new Map(
        (isEmpty ? [] : await formerLabels.list(product)).map(({ label, versionId }) => [label, versionId]),
      )
      /** Labels that get another target, written after the versions. */
      const leading = new Map<string, string>()
      /** Notes the former labels of an exported version that do not lead to it yet. Returns whether there are any. */
      const noteFormerLabels = (incoming: IncomingVersion, id: string): boolean => {
        const former = incoming.from === 'export' ? incoming.version.formerLabels : []
        const others = former.filter(
          (label) => label !== incoming.version.label && versionOf.get(label) !== id,
        )
        for (const label of others) {
          checkLabel(label)
          leading.set(label, id)
        }
        if (others.length > 0) checkUnlocked(product)
        return others.length > 0
      }
      /** Stored versions that were not put, newest first. */
      const missing = async () => {
        const all = await db
          .select({ id: versions.id, label: versions.label, status: statusAt(tables, options.now) })
          .from(versions)
          .where(here)
          .orderBy(desc(versions.publishedAt), desc(versions.id))
        return all.filter(({ id }) => !ids.has(id))
      }
      const find = {
        byId: async (id: string) => (await byId.execute({ id }))[0] ?? null,
        byLabel: async (label: string) =>
          isEmpty ? null : ((await byLabel.execute({ changelogId, label }))[0] ?? null),
      }

      return {
        /** Adds a version, or updates a stored one where it differs; ids stay. Refuses a label that came before. */
        put: async (incoming: IncomingVersion): Promise<PutVersion> => {
          const { version } = incoming
          checkVersion(version)
          for (const change of version.changes) checkChange(change)
          if (labels.has(version.label))
            throw new Refusal(`The file has two versions ${version.label} of ${address(product)}.`)
          labels.add(version.label)
          const { known, id } = await matchVersion(incoming, changelogId, find)
          if (ids.has(id)) throw new Refusal(`The file has two versions with the id ${id}.`)
          ids.add(id)
          const hasNewLabels = noteFormerLabels(incoming, id)
          if (known) {
            const put = await update(product, known, incoming, options)
            // Another file that says the same, such as our own export, leaves the author's text.
            const isSame = incoming.from === 'changelog' && put.outcome === 'unchanged'
            if (!isLocked) await sources.put(id, version, hashes.get(id), isSame)
            return hasNewLabels && put.outcome === 'unchanged' ? { ...put, outcome: 'updated' } : put
          }
          const added = await add(product, incoming, id, options.now)
          await sources.put(id, version, null)
          const changes = { ...NO_CHANGES, added: version.changes.length }
          const { label } = added
          return { outcome: 'added', label, version: added, fields: [], changes, corrections: [] }
        },

        missing,

        end: async (): Promise<void> => {
          await rows.flush()
          for (const [label, id] of leading) await formerLabels.keep(product, id, label)
        },
      }
    },
  }
}

const movesOf = (incoming: IncomingVersion): Moves =>
  (incoming.from === 'changelog' ? incoming.moves : undefined) ?? { arriving: [], leaving: new Set() }

const asExported = <T extends { imported?: Change['imported']; versionId?: string }>(stored: T) => {
  const { versionId: _, ...record } = stored
  return { ...record, imported: record.imported ?? undefined }
}
