/** Runs statements for `blocking.ts`. */
import { type ReservedSQL, SQL } from 'bun'
import { CLOSE, SETTLE, type SqlText, type Statement } from './blocking.ts'

declare const self: Worker

interface Connection {
  client: ReservedSQL
  /** Another one: within a transaction the first would not see what others do meanwhile. */
  observer: SQL
}

const connections = new Map<string, Connection>()

self.onmessage = async ({ data }: MessageEvent<Statement>) => {
  const error = await run(data).then(
    () => '',
    (error: unknown) => String(error),
  )
  const [flag, content] = [new Int32Array(data.answer, 0, 2), new Uint8Array(data.answer, 8)]
  flag[1] = new TextEncoder().encodeInto(error, content).written
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}

async function run({ address, work }: Statement): Promise<void> {
  const known = connections.get(address) ?? (await connect(address))
  if (work === SETTLE) return untilSeen(known)
  if (work === CLOSE) {
    connections.delete(address)
    await Promise.all([known.client.close({ timeout: 0 }), known.observer.close({ timeout: 0 })])
    return
  }
  if (work.length === 1) for (const [text, values] of work) await known.client.unsafe(text, values)
  else await inTurn(known.client, work)
}

/** All of a transaction. Nothing waits for the answer to the one before. */
async function inTurn(client: ReservedSQL, work: readonly SqlText[]): Promise<void> {
  const ended = await Promise.allSettled(work.map(([text, values]) => client.unsafe(text, values).execute()))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status !== 'rejected') return
  await client.unsafe('ROLLBACK')
  throw failed.reason
}

async function connect(address: string): Promise<Connection> {
  const client = await new SQL(address, { max: 1 }).reserve()
  const connection = { client, observer: new SQL(address, { max: 1 }) }
  connections.set(address, connection)
  return connection
}

/**
 * Resolves when every server of the database has asked for its revision since: then the next request sees what was
 * written, as it does with SQLite. `ClientRead` means that the answer was sent. A server on a busy machine may be about to
 * connect again: without any that has asked, none has seen it.
 */
async function untilSeen({ observer }: Connection): Promise<void> {
  const [[now]] = await observer.unsafe('select clock_timestamp()::text').values()
  await observer.notify('changelogd')
  const asked = `select query_start > $1::timestamptz and state = 'idle' and wait_event = 'ClientRead'
    from pg_stat_activity where datname = current_database() and query like 'select revision, schema%'`
  for (;;) {
    const servers: boolean[][] = await observer.unsafe(asked, [now]).values()
    if (servers.length > 0 && servers.every(([hasAsked]) => hasAsked)) return
    await Bun.sleep(1)
  }
}
