import { and, desc, eq, getTableColumns, inArray, lt, or, type SQL } from 'drizzle-orm'
import { DAY_MS } from '../../domain/time/time.ts'
import type { Tables } from '../tables/schema.ts'
import type { Engine } from './engine.ts'

/** What a kept state is for messages, and how it is brought back. */
export interface KeptHead {
  /** As messages name it. */
  what: string
  /** The ids of everything deleted. The other records only say where it was. */
  ids: readonly string[]
  /** The label of the first version. */
  label: string | null
  /** If versions of a product were overwritten: its id, and a hash of their content after that. */
  overwritten?: { product: string; state: string }
}

type KeptRow = Tables['kept']['$inferSelect']

export interface KeptState extends Omit<KeptRow, 'head'> {
  head: KeptHead
}

/** States for `undo`. All others are texts of versions as they were before an act. */
const UNDO_ACTS = ['deleted', 'overwritten']
export const isForUndo = ({ act }: Pick<KeptState, 'act'>): boolean => UNDO_ACTS.includes(act)

/** Older states are removed with the next one that is kept. */
export const KEPT_DAYS = 30
const TEXT_DAYS = 90

/** How many texts of a version are kept. */
const MOST_TEXTS = 50

/** Saves of one person within this time are one state: what they began with. */
const ONE_STATE_MS = 10 * 60_000

export function keptRecords({ db, tables }: Engine) {
  const { kept, keptParts } = tables
  const columns = getTableColumns(kept)
  const stateOf = ({ head, ...row }: KeptRow): KeptState => ({ ...row, head: JSON.parse(head) as KeptHead })

  const isUndo = inArray(kept.act, UNDO_ACTS)
  const listed = async (where: SQL | undefined): Promise<KeptState[]> =>
    (await db.select(columns).from(kept).where(where).orderBy(desc(kept.at), desc(kept.id))).map(stateOf)

  /** For undo, newest first; only those of a product, if it is given. */
  const list = (product?: { id: string }): Promise<KeptState[]> =>
    listed(and(isUndo, product && eq(kept.productId, product.id)))

  /** A version before each act, newest first. */
  const history = (versionId: string): Promise<KeptState[]> => listed(eq(kept.versionId, versionId))

  const remove = async (id: string): Promise<void> => db.delete(kept).where(eq(kept.id, id))

  return {
    list,
    history,
    remove,

    /** Adds a state with the pieces of its record, and removes old ones. */
    add: async ({ head, ...row }: KeptState, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
      const texts = isForUndo(row) ? [] : await history(row.versionId ?? '')
      const [last] = texts
      const isSame = row.act === 'saved' && last?.act === row.act && last.who === row.who
      if (isSame && last.at > row.at - ONE_STATE_MS) return
      const olderThan = (days: number) => lt(kept.at, row.at - days * DAY_MS)
      await db.delete(kept).where(or(olderThan(TEXT_DAYS), and(isUndo, olderThan(KEPT_DAYS))))
      const old = texts.filter((state) => !isForUndo(state)).slice(MOST_TEXTS - 1)
      for (const { id } of old) await remove(id)
      await db.insert(kept).values({ ...row, head: JSON.stringify(head) })
      let position = 0
      for await (const bytes of pieces)
        await db.insert(keptParts).values({ keptId: row.id, position: position++, bytes: Buffer.from(bytes) })
    },

    find: async (id: string): Promise<KeptState | null> =>
      (await db.select(columns).from(kept).where(eq(kept.id, id))).map(stateOf)[0] ?? null,

    /** The pieces of the record, one at a time. */
    pieces: async function* (id: string): AsyncGenerator<Uint8Array> {
      for (let position = 0; ; position++) {
        const [part] = await db
          .select({ bytes: keptParts.bytes })
          .from(keptParts)
          .where(and(eq(keptParts.keptId, id), eq(keptParts.position, position)))
        if (!part) return
        yield part.bytes
      }
    },

    /** Removes every state that has something of a team, a product or a version. */
    forget: async (id: string): Promise<void> => {
      await db
        .delete(kept)
        .where(or(...[kept.teamId, kept.productId, kept.versionId].map((of) => eq(of, id))))
      for (const state of await list()) if (state.head.ids.includes(id)) await remove(state.id)
    },
  }
}
