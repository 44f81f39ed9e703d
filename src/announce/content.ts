import type { ReadableStore } from '../store/store.ts'

export type Snapshot = ReadableStore['snapshot']

/** Opens the database for what needs it at the same time, and closes it after the last: it may be replaced in between. */
export class Content {
  private holders = 0
  private store: Promise<ReadableStore> | null = null
  private queue: Promise<unknown> = Promise.resolve()

  constructor(private readonly open: () => Promise<ReadableStore>) {}

  async during<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    this.holders++
    try {
      return await work((read) => this.oneAtATime(read))
    } finally {
      if (--this.holders === 0) await this.close()
    }
  }

  /** A store reads one state at a time. */
  private oneAtATime: Snapshot = (read) => {
    const result = this.queue.then(async () => {
      this.store ??= this.open()
      try {
        return await (await this.store).snapshot(read)
      } catch (error) {
        // A connection that failed is not used again.
        await this.close()
        throw error
      }
    })
    this.queue = result.catch(() => {})
    return result
  }

  private async close(): Promise<void> {
    const { store } = this
    this.store = null
    const opened = await store?.catch(() => null)
    opened?.close()
  }
}
