import type { WritableStore } from '../store/store.ts'

export type Snapshot = WritableStore['snapshot']

/** Opens the database for each read, one at a time, and closes it: it may be replaced in between. */
export function snapshotsOf(open: () => Promise<WritableStore>): Snapshot {
  let last: Promise<unknown> = Promise.resolve()
  return (read) => {
    const result = last.then(async () => {
      using store = await open()
      return await store.snapshot(read)
    })
    last = result.catch(() => {})
    return result
  }
}
