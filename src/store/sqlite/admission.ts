import { Database } from 'bun:sqlite'
import { chmodSync, copyFileSync } from 'node:fs'
import { Refusal } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/shell.ts'
import { isDamage } from './errors.ts'
import { fileAt } from './files.ts'
import { type Contents, contentsOf, foreignKeyFaults, integrityFaults, schemaFaults } from './inspect.ts'
import { APPLICATION_ID, applicationId, checkOwnership, migrate } from './migrations.ts'

/** Which files may be restored: the backup itself is only read, everything else happens to a copy of it. */

/**
 * Copies a backup, and the log that belongs to it if it was copied together with one. Refuses one that changes
 * meanwhile: its parts would be of different moments.
 */
export function copyFiles(source: string, name: string, copy: string): void {
  const parts = ['', '-wal', '-journal'].map((suffix) => ({ from: source + suffix, to: copy + suffix }))
  const state = () =>
    parts.map(({ from }) => {
      const found = fileAt(from)
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'
    })
  const before = state()
  for (const { from, to } of parts)
    if (fileAt(from)?.size) {
      copyFileSync(from, to)
      chmodSync(to, 0o600)
    }
  if (state().join() !== before.join())
    throw new Refusal(
      `${name} is being written to. Restore a backup of it instead: changelogd backup --db ${shellWord(name)} ${shellWord(`${name}.backup`)}`,
    )
}

/** Admits a copied backup, called `name`, if it is ours and whole, and brings it to this program's schema. */
export function admit(copy: string, name: string): { steps: number; after: Contents } {
  const client = new Database(copy, { readwrite: true, create: false, strict: true })
  try {
    checkOwnership(client, name)
    if (applicationId(client) !== APPLICATION_ID) throw new Refusal(`${name} is empty, so it is no backup.`)
    refuseFaults(name, integrityFaults(client))
    refuseFaults(name, foreignKeyFaults(client))
    const steps = migrate(client)
    refuseFaults(name, schemaFaults(client))
    // All of it in the one file, which is about to be attached or renamed.
    client.run('PRAGMA journal_mode = DELETE')
    return { steps, after: contentsOf(client) }
  } catch (error) {
    if (!isDamage(error)) throw error
    throw error.code === 'SQLITE_NOTADB'
      ? new Refusal(`${name} is not a SQLite database, so it is no backup.`)
      : damagedBackup(name, error.message)
  } finally {
    client.close()
  }
}

function refuseFaults(name: string, faults: string[]): void {
  if (faults[0] !== undefined) throw damagedBackup(name, faults[0])
}

const damagedBackup = (name: string, fault: string): Refusal =>
  new Refusal(`${name} is damaged: ${fault}. Restore another backup.`)
