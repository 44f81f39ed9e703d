import { createTurns } from '../domain/turns.ts'
import type { WritableStore } from '../store/store.ts'

export type Snapshot = WritableStore['snapshot']

/** Opens the database for each read, one at a time, and closes it: it may be replaced in between. */
export function snapshotsOf(open: () => Promise<WritableStore>): Snapshot {
  const turns = createTurns()
  return (read) =>
    turns(null, async () => {
      using store = await open()
      return await store.snapshot(read)
    })
}
