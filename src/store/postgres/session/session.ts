import type { SQL } from 'bun'
import type { Instant } from '../../../domain/records.ts'
import type { Waiting } from '../../wait.ts'
import { type Client, close, connect } from '../connect.ts'
import { engineError } from '../errors.ts'

/** The one connection of a command. */
export interface Session {
  address: string
  waiting: Waiting
  clock: () => Instant
  sql: SQL
  isInTransaction: boolean
  /** Statements sent, and answered. While they are equal, the engine waits for the command. */
  sent: number
  answered: number
}

export const openSession = (address: string, waiting: Waiting, clock: () => Instant): Session => ({
  address,
  waiting,
  clock,
  sql: connect(address, { max: 1 }),
  isInTransaction: false,
  sent: 0,
  answered: 0,
})

/** Counts a statement as sent, and as answered with its result. */
export async function counted<T>(session: Session, result: PromiseLike<T>): Promise<T> {
  session.sent++
  try {
    return await result
  } finally {
    session.answered++
  }
}

/** A client that counts its statements. They begin when they are awaited, as ever. */
export function counting<C extends Client>(session: Session, client: C): C {
  const unsafe: Client['unsafe'] = (text, values) => {
    const query = client.unsafe(text, values)
    const begin: typeof query.then = query.then.bind(query)
    // biome-ignore lint/suspicious/noThenProperty: a query begins when it is awaited.
    query.then = (done, failed) => counted(session, begin()).then(done, failed)
    return query
  }
  return new Proxy(client, { get: (own, name) => (name === 'unsafe' ? unsafe : Reflect.get(own, name)) })
}

/** Replaces the connection. */
export function renew(session: Session): void {
  close(session.sql)
  session.sql = connect(session.address, { max: 1 })
}

/** Closes the session if `work` fails. */
export async function orClose<T>({ address, sql }: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await sql.close({ timeout: 0 })
    throw engineError(error, address)
  }
}
