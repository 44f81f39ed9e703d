import { RedisClient } from 'bun'

/** The timeout of a call. A visitor is waiting. */
const CALL_MS = 50

/** How long an attempt to connect may take, and how long it is until the next. */
const CONNECT_MS = 500
const PAUSE_MS = 500

const TOO_LATE = new Error('no answer in time')

/** A call that Redis has not answered yet. */
interface Call {
  readonly sentAt: number
  readonly settle: (result: number | null) => void
}

/**
 * Runs one script in Redis by its hash. A call never fails: after a timeout its result is null, and until a new connection
 * works, calls return null at once. Bun’s client has no timeout and does not report every closed connection, so both are
 * handled here.
 */
export class RedisScript {
  /** The connection, while it works. */
  private client: RedisClient | null = null
  private hash = ''
  /** Oldest first. */
  private readonly calls = new Set<Call>()
  private watch: Timer | null = null
  private hasWorked = true
  private readonly place: string
  private readonly closed = Promise.withResolvers<void>()
  private isClosed = false

  /**
   * `probe` are the key and the arguments of a call that shows whether the script can be run. `report` is told once
   * when Redis stops working, and once when it works again, and which of the two it is.
   */
  constructor(
    private readonly url: string,
    private readonly script: string,
    private readonly probe: { key: string; args: readonly string[] },
    private readonly report: (event: string, works: boolean) => void,
    private readonly callMs = CALL_MS,
  ) {
    this.place = new URL(url).host
  }

  /** Connects, now and whenever the connection is lost. Resolves after the first attempt, whatever became of it. */
  async start(): Promise<void> {
    if (!(await this.connect())) void this.reconnect()
  }

  /** The number the script returns, or null if Redis does not answer; without a promise if that is known already. */
  run(key: string, args: readonly string[]): Promise<number | null> | null {
    const { client } = this
    if (!client) return null
    return new Promise((resolve) => {
      const call: Call = { sentAt: performance.now(), settle: resolve }
      this.calls.add(call)
      this.watch ??= setTimeout(this.check, this.callMs)
      client.send('EVALSHA', [this.hash, '1', key, ...args]).then(
        (result) => {
          if (this.calls.delete(call)) resolve(Number(result))
        },
        (error) => this.lose(client, error),
      )
    })
  }

  close(): void {
    this.isClosed = true
    this.closed.resolve()
    this.giveUp()
  }

  /** Loses the connection if the oldest call has waited for too long. */
  private readonly check = (): void => {
    this.watch = null
    const oldest = this.oldest()
    if (!oldest) return
    const left = oldest.sentAt + this.callMs - performance.now()
    if (left > 0) {
      this.watch = setTimeout(this.check, Math.ceil(left))
      return
    }
    // After a turn in which this program itself was late, the answer may be there, but not read yet.
    const { client } = this
    setImmediate(() => {
      if (client && this.calls.has(oldest)) this.lose(client, TOO_LATE)
      else if (this.watch === null) this.check()
    })
  }

  private oldest(): Call | undefined {
    for (const call of this.calls) return call
    return undefined
  }

  /** Every call that fails and every one that was too late says so: only the first ends the connection. */
  private lose(client: RedisClient, error: unknown): void {
    if (client !== this.client) return
    this.giveUp()
    this.reportLoss(reasonOf(error, 'it closed the connection'))
    void this.reconnect()
  }

  private giveUp(): void {
    const { client } = this
    this.client = null
    for (const { settle } of this.calls) settle(null)
    this.calls.clear()
    client?.close()
  }

  /** Tries until there is a connection that works. */
  private async reconnect(): Promise<void> {
    while (!this.isClosed && !(await this.connect()))
      await Promise.race([Bun.sleep(PAUSE_MS), this.closed.promise])
  }

  /** Connects, loads the script and runs it once. Says whether that worked. */
  private async connect(): Promise<boolean> {
    const client = new RedisClient(this.url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: CONNECT_MS,
    })
    try {
      const hash = await inTime(this.open(client))
      if (this.isClosed) throw new Error('closed')
      client.onclose = (error) => this.lose(client, error)
      this.hash = hash
      this.client = client
    } catch (error) {
      client.close()
      // Bun does not tell the two apart.
      if (!this.isClosed) this.reportLoss(reasonOf(error, 'no connection, or a wrong password'))
      return false
    }
    if (!this.hasWorked)
      this.report(`Redis at ${this.place} works again: the limit holds over all servers.`, true)
    this.hasWorked = true
    return true
  }

  private async open(client: RedisClient): Promise<string> {
    await client.connect()
    const hash = String(await client.send('SCRIPT', ['LOAD', this.script]))
    await client.send('EVALSHA', [hash, '1', this.probe.key, ...this.probe.args])
    return hash
  }

  private reportLoss(reason: string): void {
    if (this.hasWorked)
      this.report(
        `Redis at ${this.place} does not work (${reason}): until it does, each server limits by itself.`,
        false,
      )
    this.hasWorked = false
  }
}

/** The result of an attempt to connect, or an error if it takes too long. */
async function inTime<T>(attempt: Promise<T>): Promise<T> {
  // Its later result is ignored.
  attempt.catch(() => {})
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(TOO_LATE), CONNECT_MS)
  })
  try {
    return await Promise.race([attempt, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Why something failed: the code in the error of Redis, such as `NOPERM`. Never its text, in which Redis repeats
 * arguments: the password is one.
 */
function reasonOf(error: unknown, otherwise: string): string {
  if (error === TOO_LATE) return TOO_LATE.message
  return (error instanceof Error && /^[A-Z]{2,}(?= )/.exec(error.message)?.[0]) || otherwise
}
