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
  /** How many statements were sent, and how many of them have been answered. While all are, the engine waits for the command. */
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

/** Counts a statement as sent, and as answered when its result is there. */
export async function counted<T>(session: Session, result: PromiseLike<T>): Promise<T> {
  session.sent++
  try {
    return await result
  } finally {
    session.answered++
  }
}

/** The client with all its statements counted; one begins, as ever, when it is awaited. */
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

/** Gives the session another connection. */
export function renew(session: Session): void {
  close(session.sql)
  session.sql = connect(session.address, { max: 1 })
}

/** Ends the session if `work`, which goes on with it, fails. */
export async function orClose<T>({ address, sql }: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await sql.close({ timeout: 0 })
    throw engineError(error, address)
  }
}
