import type { ReservedSQL } from 'bun'
import { databaseName } from '../../../domain/addresses/database.ts'
import { isRefusal, OutcomeUnknown, Unavailable } from '../../../domain/refusal.ts'
import { pause } from '../../../domain/time/waiting.ts'
import { before, type Client, OPEN_MS, valuesOf } from '../connect.ts'
import { engineError, postgresError } from '../errors.ts'
import { type Backend, endIdle, renew, type Session } from './session.ts'

/** Tells later whether a transaction was committed: a random id that it wrote, and its own id. */
interface CommandRecord {
  id: string
  transaction: string
}

/** If this transaction has raised the revision, it wrote something: then its id is written, and old ones removed. */
const RECORD = `with marked as (
    insert into changelogd_command (id)
    select $1::uuid from changelogd where raised_by = pg_current_xact_id() returning id
  ), pruned as (
    delete from changelogd_command where written_at < now() - interval '1 day' and exists (select from marked)
  )
  select pg_current_xact_id()::text from marked`

/** To be called last in a transaction; null if it wrote nothing, so that its outcome does not matter. */
export async function recordCommand(client: Client): Promise<CommandRecord | null> {
  const id = crypto.randomUUID()
  const [row] = await valuesOf(client, RECORD, [id])
  return row ? { id, transaction: String(row[0]) } : null
}

/** The pause between queries for the outcome. */
const RETRY_MS = 200
/** After this time, the wait for the outcome is announced. */
const NOTICE_MS = 1_000

/**
 * Commits. If the reply is lost, asks for the outcome on another connection. Throws `Unavailable` if it was not
 * committed, and `OutcomeUnknown` if that cannot be learned in time.
 */
export async function commit(
  session: Session,
  client: ReservedSQL,
  backend: Backend,
  recorded: CommandRecord,
): Promise<void> {
  const { address, waiting } = session
  const name = databaseName(address)
  const sentAt = performance.now()
  try {
    await before(OPEN_MS, address, client.unsafe('commit'))
  } catch (error) {
    const outcome = await outcomeInTime(session, backend, recorded, sentAt)
    if (outcome === 'committed') return
    if (outcome === null) {
      const within = waiting.answerMs > 0 ? ` within ${waiting.answerMs / 1_000} s` : ''
      throw new OutcomeUnknown(
        `The database ${name} did not confirm the change${within}. It may be committed.`,
        { hint: 'Check whether it was made before you run the command again.', cause: error },
      )
    }
    const failure = engineError(error, address)
    throw isRefusal(failure)
      ? failure
      : new Unavailable(
          `The connection to the database ${name} was lost before the change was committed. Nothing was changed.`,
          { hint: 'Try again.', cause: error },
        )
  }
}

type Outcome = 'committed' | 'aborted'

/**
 * Asks for the outcome until it is known, or the command may wait no longer; at least once. The last time, a
 * transaction that still waits for its COMMIT is ended, so that it does not keep its locks.
 */
async function outcomeInTime(
  session: Session,
  backend: Backend,
  recorded: CommandRecord,
  sentAt: number,
): Promise<Outcome | null> {
  const { address, waiting } = session
  for (;;) {
    renew(session)
    const waited = performance.now() - sentAt
    const isLast = waited >= waiting.answerMs
    const answer = readOutcome(session, isLast || waited >= OPEN_MS, backend, recorded)
    const outcome = await before(OPEN_MS, address, answer).catch(() => null)
    if (outcome !== null) return outcome
    if (isLast) return null
    if (waited >= NOTICE_MS)
      await waiting.announce(`the database ${databaseName(address)} to say whether the change is committed`)
    await pause(RETRY_MS)
  }
}

/**
 * The outcome, or null if it is not known yet. The written id decides: the transaction's own id may be that of another
 * one, after a failover to a standby without it, or a crash. It only tells, on its own server, whether the transaction
 * is still open.
 */
async function readOutcome(
  { sql }: Session,
  isGivenUp: boolean,
  backend: Backend,
  { id, transaction }: CommandRecord,
): Promise<Outcome | null> {
  using client = await sql.reserve()
  // A COMMIT that has not arrived by now is no longer wanted.
  if (isGivenUp) await endIdle(client, backend)
  // First, because a standby may be behind a primary.
  const [[isStandby] = []] = await valuesOf(client, 'select pg_is_in_recovery()')
  const status = await unlessRefused('22023', () =>
    valuesOf(
      client,
      'select case when pg_postmaster_start_time()::text = $1 then pg_xact_status($2::xid8) end',
      [backend.server, transaction],
    ),
  )
  if (status?.[0]?.[0] === 'in progress') return null
  // The table is missing if this transaction should have created it.
  const found = await unlessRefused('42P01', () =>
    valuesOf(client, 'select from changelogd_command where id = $1::uuid', [id]),
  )
  if (found && found.length > 0) return 'committed'
  return isStandby ? null : 'aborted'
}

/** The rows of a query, or null if the engine refuses it with this SQLSTATE. */
async function unlessRefused(
  state: string,
  question: () => Promise<unknown[][]>,
): Promise<unknown[][] | null> {
  try {
    return await question()
  } catch (error) {
    if (postgresError(error)?.errno === state) return null
    throw error
  }
}
