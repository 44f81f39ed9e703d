import { RedisClient } from 'bun'
import { inTime, pause } from '../../domain/time/waiting.ts'

/** The timeout of a call. A visitor is waiting. */
const CALL_MS = 50

/** How long a connection attempt may take, and the pause before the next. */
const CONNECT_MS = 500
const PAUSE_MS = 500

const TOO_LATE = new Error('no response in time')

/**
 * Runs one script in Redis by its hash. A call never fails: after a timeout its result is null, and until a new
 * connection works, calls return null at once. Bun's client has no timeouts and does not report every closed
 * connection.
 */
export class RedisScript {
  /** Null unless it works. */
  private client: RedisClient | null = null
  private hash = ''
  /** How to settle the calls in flight. */
  private readonly calls = new Set<(result: number | null) => void>()
  private hasWorked = true
  private readonly place: string
  private readonly closed = Promise.withResolvers<void>()
  private isClosed = false

  /** `probe` is a call that shows whether the script can run. `report` is called once for each loss and return. */
  constructor(
    private readonly url: string,
    private readonly script: string,
    private readonly probe: { key: string; args: readonly string[] },
    private readonly report: (event: string, works: boolean) => void,
    private readonly callMs = CALL_MS,
  ) {
    this.place = new URL(url).host
  }

  /** Connects, and reconnects whenever the connection is lost. Resolves after the first attempt. */
  async start(): Promise<void> {
    if (!(await this.connect())) void this.reconnect()
  }

  /** The result of the script, or null if Redis does not answer; no promise if that is already known. */
  run(key: string, args: readonly string[]): Promise<number | null> | null {
    const { client } = this
    if (!client) return null
    return new Promise((resolve) => {
      const settle = (result: number | null): void => {
        clearTimeout(timer)
        this.calls.delete(settle)
        resolve(result)
      }
      const giveUp = () => {
        if (this.calls.has(settle)) this.lose(client, TOO_LATE)
      }
      // If this program itself was late, the reply may be there but not read yet.
      const timer = setTimeout(() => setImmediate(giveUp), this.callMs)
      this.calls.add(settle)
      client.send('EVALSHA', [this.hash, '1', key, ...args]).then(
        // While Redis goes down, Bun may resolve a call with something else than the reply to it.
        (result) => (typeof result === 'number' ? settle(result) : this.lose(client, result)),
        (error) => this.lose(client, error),
      )
    })
  }

  close(): void {
    this.isClosed = true
    this.closed.resolve()
    this.giveUp()
  }

  /** Every failed or late call comes here: only the first closes the connection. */
  private lose(client: RedisClient, error: unknown): void {
    if (client !== this.client) return
    this.giveUp()
    this.reportLoss(reasonOf(error, 'it closed the connection'))
    void this.reconnect()
  }

  private giveUp(): void {
    const { client } = this
    this.client = null
    for (const settle of this.calls) settle(null)
    client?.close()
  }

  private async reconnect(): Promise<void> {
    while (!this.isClosed && !(await this.connect()))
      await Promise.race([pause(PAUSE_MS), this.closed.promise])
  }

  /** Connects, loads the script and runs it once. Returns whether that worked. */
  private async connect(): Promise<boolean> {
    const client = new RedisClient(this.url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: CONNECT_MS,
    })
    try {
      const hash = await inTime(CONNECT_MS, this.open(client), () => TOO_LATE)
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
      this.report(`Redis at ${this.place} works again. All servers share the rate limit.`, true)
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
        `Redis at ${this.place} failed (${reason}). Until it works again, each server has its own rate limit.`,
        false,
      )
    this.hasWorked = false
  }
}

/** The code of a Redis error, such as `NOPERM`. Never its text, which may repeat the password. */
function reasonOf(error: unknown, otherwise: string): string {
  if (error === TOO_LATE) return TOO_LATE.message
  return (error instanceof Error && /^[A-Z]{2,}(?= )/.exec(error.message)?.[0]) || otherwise
}
