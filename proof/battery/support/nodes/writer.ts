import { SQL } from 'bun'

/** How long a statement may take before the connection counts as dead. */
const STATEMENT_MS = 1_000
const PAUSE_MS = 20

/**
 * Gives the team, the changelog and all versions of written/app the next number again and again, each time in one
 * transaction, and remembers when. It connects anew when the engine has been away.
 */
export class Writer {
  /** When each state was surely committed, by its number; missing where that is not known. */
  private readonly committedAt: number[] = []
  private latest = 0
  private isEnding = false
  private isPaused = false
  private readonly done: Promise<void>
  /** How often it has connected, and how often it has lost its connection. */
  connections = 0
  losses = 0

  constructor(
    private readonly address: string,
    private readonly pauseMs = PAUSE_MS,
  ) {
    this.done = this.write()
  }

  /** The last state that was surely committed. */
  get committed(): number {
    return this.committedAt.length - 1
  }

  /** The last state that may have been committed. */
  get attempted(): number {
    return this.latest
  }

  /** How long the state after this one had been committed at that time, in milliseconds; 0 if it had not. */
  staleness(state: number, at: number): number {
    for (let next = state + 1; next < this.committedAt.length; next++) {
      const moment = this.committedAt[next]
      if (moment !== undefined) return Math.max(0, at - moment)
    }
    return 0
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  async stop(): Promise<void> {
    this.isEnding = true
    await this.done
  }

  private async write(): Promise<void> {
    let client: SQL | null = null
    while (!this.isEnding)
      try {
        if (this.isPaused) {
          await Bun.sleep(this.pauseMs)
          continue
        }
        if (!client) {
          client = new SQL(this.address, { max: 1, connectionTimeout: 1 })
          const rows = (await inTime(client.unsafe("select name from team where slug = 'written'"))) as {
            name: string
          }[]
          this.latest = Number(rows[0]?.name)
          this.committedAt[this.latest] ??= performance.now()
          this.committedAt.length = this.latest + 1
          this.connections++
        }
        const text = String(++this.latest)
        await inTime(
          client.begin(async (sql) => {
            await sql`update team set name = ${text} where slug = 'written'`
            await sql`update changelog set name = ${text} where product_id in
              (select p.id from product p join team t on t.id = p.team_id where t.slug = 'written')`
            await sql`update version set title = ${text} where changelog_id in
              (select c.id from changelog c join product p on p.id = c.product_id
               join team t on t.id = p.team_id where t.slug = 'written')`
          }),
        )
        this.committedAt[this.latest] = performance.now()
        await Bun.sleep(this.pauseMs)
      } catch {
        this.losses++
        void client?.close({ timeout: 0 }).catch(() => {})
        client = null
        await Bun.sleep(50)
      }
    await client?.close({ timeout: 0 }).catch(() => {})
  }
}

/** The client has no timeout, and a stopped engine never answers. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), STATEMENT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
