import { Unavailable } from '../../domain/refusal.ts'
import type { Store } from '../port.ts'
import { prepareReads } from '../queries/reads.ts'
import { translateErrors } from './errors.ts'
import { fileAt } from './files.ts'
import { openMigrated } from './open.ts'
import { watchCommits } from './revision.ts'

/** How long a read may wait for a recovery. */
const READER_PATIENCE_MS = 1_000

/**
 * Opens the store for serving: creates and migrates the file first if need be; from then on its one connection
 * cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 */
export function openForServing(path: string): Store {
  const { client } = openMigrated(path)
  client.run(`PRAGMA busy_timeout = ${READER_PATIENCE_MS}`)
  client.run('PRAGMA query_only = ON')
  const opened = fileAt(path)
  const reads = prepareReads((sql) => {
    const statement = client.prepare(sql)
    return (values) => statement.values(...values)
  })
  const revision = watchCommits(path, client)
  const transaction = client.transaction((work: () => unknown) => work())
  /** All that `work` reads is read from one state of the data, and an engine failure becomes a refusal. */
  const snapshot = <T>(work: () => T): T => translateErrors(() => transaction(work) as T)

  return {
    revision,
    ping: async () => {
      if (fileAt(path)?.ino !== opened?.ino)
        throw new Unavailable(`${path} has been replaced or removed: restart the server.`)
      snapshot(() => reads.ping())
    },
    findGrant: async (hash, now) => snapshot(() => reads.grant(hash, now)),
    readChangelog: async (audience, team, product, page) =>
      snapshot(() => reads.changelog(audience, team, product, page)),
    readVersion: async (audience, team, product, id) =>
      snapshot(() => reads.version(audience, team, product, id)),
    close: () => client.close(),
  }
}
