import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import { corrected, versionFields, withHidden } from '../../domain/importing/imported.ts'
import { pick } from '../../domain/objects.ts'
import {
  address,
  type Change,
  type Instant,
  type Product,
  type Version,
  type VersionDraft,
  type VersionHead,
} from '../../domain/records.ts'
import { type Refusal, taken } from '../../domain/refusal.ts'
import {
  checkDate,
  checkNewLabel,
  checkPublishedAt,
  checkUnlocked,
  checkVersion,
  dateOnCreation,
  otherSpellings,
} from '../../domain/rules.ts'
import {
  checkNotAhead,
  checkSchedule,
  checkScheduledLabel,
  publicationOnUpdate,
  storedStatus,
} from '../../domain/time/schedule.ts'
import { NO_VERSION_PROPERTIES, versionProperties } from '../../domain/versions/properties.ts'
import { sourceOf } from '../../domain/versions/source.ts'
import { isDateKnown, isScheduled, statusAt } from '../visibility.ts'
import type { Engine } from './engine.ts'
import { formerLabelRecords } from './former-labels.ts'
import type { VersionUpdate } from './types.ts'
import { versionSourceRecords } from './version-sources.ts'

export const versionColumns = ({ tables, now }: Pick<Engine, 'tables' | 'now'>) => {
  const { versions } = tables
  return {
    ...pick(versions, 'id', 'label', 'title', 'publishedAt', 'dated', 'createdAt', 'changeCount', 'imported'),
    ...versionProperties(versions),
    status: statusAt(tables, now),
    scheduled: sql`${isScheduled(tables, now)}`.mapWith(Boolean),
    dateKnown: sql`${isDateKnown(tables, now)}`.mapWith(Boolean),
  }
}

export function versionRecords(engine: Engine) {
  const { db, tables, now: readAt } = engine
  const { versions } = tables
  const formerLabels = formerLabelRecords(engine)
  const sources = versionSourceRecords(engine)
  const columns = versionColumns({ tables, now: readAt })
  const { description: _, closing: __, imported: ___, ...heads } = columns
  const isOf = ({ changelog }: Product) => eq(versions.changelogId, changelog.id)
  const newestFirst = [desc(versions.publishedAt), desc(versions.id)]
  const find = async (product: Product, name: string): Promise<Version | null> => {
    const isNamed = or(eq(versions.id, name), eq(versions.label, name))
    const found = await db
      .select(columns)
      .from(versions)
      .where(and(isOf(product), isNamed))
    return found[0] ?? null
  }

  /** Refuses a label of another version than `id`, also with or without a `v` before its number. */
  const checkFree = async (product: Product, label: string, id = ''): Promise<void> => {
    if (await find(product, label)) throw labelTaken(product, label)
    checkNewLabel(label)
    const [other] = await db
      .select({ label: versions.label })
      .from(versions)
      .where(and(isOf(product), inArray(versions.label, otherSpellings(label)), ne(versions.id, id)))
    if (other) throw labelTaken(product, other.label, label)
  }

  return {
    find,
    checkFree,

    formerLabels: formerLabels.byVersion,

    /** The markdown that a version with these changes was read from, unless they or its texts are others now. */
    source: async (version: Version, changes: readonly Change[]): Promise<string | null> =>
      sourceOf(await sources.find(version.id), { ...version, changes }),

    keepSource: (version: Version, changes: readonly Change[], source: string | null): Promise<void> =>
      sources.put(version.id, { ...version, changes, source }),

    /** Newest first, in the order of the API. */
    list: (product: Product): Promise<Version[]> =>
      db
        .select(columns)
        .from(versions)
        .where(isOf(product))
        .orderBy(...newestFirst),

    /** The same, without texts: they may be long. */
    heads: (product: Product): Promise<VersionHead[]> =>
      db
        .select(heads)
        .from(versions)
        .where(isOf(product))
        .orderBy(...newestFirst),

    /** Refuses a label that is taken, as `checkFree` does. */
    create: async (product: Product, draft: VersionDraft, now: Instant): Promise<Version> => {
      checkUnlocked(product)
      checkVersion(draft)
      const { date, scheduled = false, ...fields } = { ...NO_VERSION_PROPERTIES, ...draft }
      const dates = { ...dateOnCreation(date, draft.status, now), createdAt: now }
      const created = { ...fields, scheduled, ...dates, id: newId('ver'), changeCount: 0 }
      checkPublishedAt(created.publishedAt)
      checkDate(date)
      checkSchedule(product, { label: draft.label, status: 'draft' }, created, now)
      checkNotAhead(product, null, created, now)
      // As if it had been imported with only a label: everything else counts as edited.
      const { label } = draft
      const bare = { label, title: label, ...NO_VERSION_PROPERTIES, status: 'draft', date: null } as const
      const version: Version = { ...created, imported: corrected(null, bare, versionFields(created)) }
      await checkFree(product, draft.label)
      await db.insert(versions).values({ ...rowOf(version), changelogId: product.changelog.id })
      return version
    },

    /**
     * Refuses a label that is taken, as `checkFree` does. The old label of a public version keeps leading to it.
     * Publishing sets `publishedAt` to now, unless the author gave a date. `scheduled` sets or ends a schedule; a status
     * ends it too. Refuses to schedule a published version, or for the past.
     */
    update: async (
      product: Product,
      version: Version,
      update: VersionUpdate,
      now: Instant,
    ): Promise<Version> => {
      checkUnlocked(product)
      const { date, status, scheduled, ...fields } = update
      const updated: Version = { ...version, ...fields, ...publicationOnUpdate(version, update, now) }
      checkPublishedAt(updated.publishedAt)
      checkDate(date)
      if (date !== undefined || scheduled) checkSchedule(product, version, updated, now)
      if (date !== undefined || status !== undefined) checkNotAhead(product, version, updated, now)
      updated.imported = corrected(version.imported, versionFields(version), versionFields(updated))
      if (version.status === 'published' && updated.status === 'draft')
        updated.imported = withHidden(updated.imported)
      checkVersion(updated)
      if (updated.label !== version.label) {
        checkScheduledLabel(product, version, updated)
        await checkFree(product, updated.label, version.id)
        await formerLabels.rename(product, version, updated.label)
      }
      const { changeCount: _, ...row } = rowOf(updated)
      await db.update(versions).set(row).where(eq(versions.id, version.id))
      return updated
    },

    delete: async (product: Product, version: Pick<Version, 'id'>): Promise<void> => {
      checkUnlocked(product)
      await db.delete(versions).where(eq(versions.id, version.id))
    },
  }
}

/** See `isDateKnown` for the values of drafts. */
export function rowOf<V extends Pick<Version, 'status' | 'scheduled'> & Partial<Version>>(version: V) {
  const { scheduled: _, ...row } = version
  const known = version.status === 'draft' ? { dateKnown: true } : {}
  return { ...row, ...known, status: storedStatus(version) }
}

export const labelTaken = (product: Product, label: string, wanted = label): Refusal => {
  const reason = wanted === label ? '' : `, and an import would take ${wanted} for the same version`
  const show = ['version show', address(product), label] as const
  return taken(`version ${label} of ${address(product)}`, show, reason)
}
