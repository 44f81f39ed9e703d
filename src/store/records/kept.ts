import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm'
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

/** Older states are removed with the next one that is kept. */
export const KEPT_DAYS = 30

export function keptRecords({ db, tables }: Engine) {
  const { kept, keptParts } = tables
  const columns = getTableColumns(kept)
  const stateOf = ({ head, ...row }: KeptRow): KeptState => ({ ...row, head: JSON.parse(head) as KeptHead })

  /** Newest first; only those of a product, if it is given. */
  const list = async (product?: { id: string }): Promise<KeptState[]> => {
    const rows = await db
      .select(columns)
      .from(kept)
      .where(product && eq(kept.productId, product.id))
      .orderBy(desc(kept.at), desc(kept.id))
    return rows.map(stateOf)
  }

  const remove = async (id: string): Promise<void> => db.delete(kept).where(eq(kept.id, id))

  return {
    list,
    remove,

    /** Adds a state with the pieces of its record, and removes old ones. */
    add: async ({ head, ...row }: KeptState, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
      await db.delete(kept).where(lt(kept.at, row.at - KEPT_DAYS * DAY_MS))
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
      const of = (await list()).filter(({ teamId, productId, versionId, head }) =>
        [teamId, productId, versionId, ...head.ids].includes(id),
      )
      for (const state of of) await remove(state.id)
    },
  }
}
