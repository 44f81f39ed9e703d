import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { fileError } from '../../../files/errors.ts'
import { moveIntoPlace, temporaryFileBeside } from '../../../files/temporary.ts'
import { ClosingDatabase } from '../database.ts'
import { engineError, isDamage } from '../errors.ts'
import { verify } from '../verify.ts'

/**
 * Copies what `client` sees to `target`: one state of the data, on disk, readable by its owner only. Refuses a copy
 * with faults. Replaces an existing file only with `overwrite`. On failure nothing of it remains. The client must not
 * be in a transaction. `found` is the result of `inspect`.
 */
export function copyDatabase<T>(
  client: Database,
  target: string,
  overwrite: boolean,
  inspect: (copy: Database) => T,
): { file: string; bytes: number; found: T } {
  try {
    using temporary = temporaryFileBeside(target)
    client.query('VACUUM INTO ?').run(temporary.path)
    const found = verified(temporary.path, client.filename, inspect)
    const bytes = statSync(temporary.path).size
    moveIntoPlace(temporary.path, target, overwrite)
    return { file: target, bytes, found }
  } catch (error) {
    if (isDamage(error)) throw damaged(client.filename, error.message)
    throw fileError(engineError(error, target, `Cannot write ${target}`), target, `Cannot write ${target}`)
  }
}

function verified<T>(path: string, database: string, inspect: (copy: Database) => T): T {
  using copy = new ClosingDatabase(path, { readonly: true, strict: true })
  // A foreign index is no reason to go without a backup: doctor and restore name it.
  const fault = verify(copy).find(({ check }) => check !== 'schema')
  if (fault) throw damaged(database, fault.message)
  return inspect(copy)
}

const damaged = (database: string, fault: string): Refusal =>
  new Refusal(`${database} is damaged (${fault}), so no copy of it was kept.`, {
    hint: toRun('To see what to do', `changelogd doctor --db ${shellWord(database)}`),
  })
