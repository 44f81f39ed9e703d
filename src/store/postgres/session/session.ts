import type { SQL } from 'bun'
import type { Instant } from '../../../domain/records.ts'
import type { Unavailable } from '../../../domain/refusal.ts'
import type { Waiting } from '../../engines/wait.ts'
import { close, connect } from '../connect.ts'

/** The one connection of a command. */
export interface Session {
  address: string
  waiting: Waiting
  clock: () => Instant
  sql: SQL
  isInTransaction: boolean
  /** Why it was closed, if the engine went silent. */
  silence: Unavailable | null
}

export const openSession = (address: string, waiting: Waiting, clock: () => Instant): Session => ({
  address,
  waiting,
  clock,
  sql: connect(address, { max: 1 }),
  isInTransaction: false,
  silence: null,
})

/** Replaces the connection. */
export function renew(session: Session): void {
  close(session.sql)
  session.sql = connect(session.address, { max: 1 })
}
