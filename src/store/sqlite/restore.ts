import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Instant } from '../../domain/records.ts'
import { Refusal, Unavailable } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/shell.ts'
import { admit, copyFiles } from './admission.ts'
import type { Copy } from './backup.ts'
import { engineError, fileError, isDamage } from './errors.ts'
import {
  auxiliaryFiles,
  checkNotRemoved,
  fileAt,
  isLink,
  isSame,
  moveIntoPlace,
  type TemporaryFile,
  temporaryFileBeside,
} from './files.ts'
import { type Contents, contentsOf, foreignKeyFaults, integrityFaults, schemaFaults } from './inspect.ts'
import { SCHEMA_VERSION, schemaVersion } from './migrations.ts'
import { connect, WRITER_PATIENCE_MS } from './open.ts'
import { replaceContent } from './replace.ts'

/** A backup that has been checked and waits beside the database to take its place. */
export interface Restoration extends Disposable {
  /** What the database holds now, or null if there is none. */
  readonly before: Contents | null
  /** What it will hold. */
  readonly after: Contents
  /** How many migrations the backup needed. */
  readonly steps: number
  /**
   * Makes the backup's content the database's, wholly or not at all. A database that is there keeps its file:
   * its content changes in one transaction, which a running server sees at its next request, and what it held
   * is copied to a file beside it first, which is returned. Where none is there, the backup becomes one.
   */
  apply(now: Instant): Copy | null
}

/**
 * Checks a backup and the database that it is to replace, and changes neither: the backup is examined, and
 * brought to this program's schema, as a copy. Refuses a backup that is not changelogd's, not whole or from a
 * newer program; and a database whose content cannot be replaced in place.
 */
export function prepareRestore(file: string, database: string): Restoration {
  const undo = new DisposableStack()
  try {
    const source = sourceFile(file, database)
    const target = databaseAt(database)
    const before = target ? readable(target, database) : null
    undo.defer(makeDirectory(dirname(target ?? database)))
    const temporary = undo.use(temporaryFileBeside(target ?? database))
    copyFiles(source, file, temporary.path)
    const { steps, after } = admit(temporary.path, file)
    return {
      before,
      after,
      steps,
      apply: (now) =>
        target ? replaceContent(target, temporary.path, now) : becomeDatabase(temporary, database),
      [Symbol.dispose]: () => undo.dispose(),
    }
  } catch (error) {
    undo.dispose()
    throw fileError(engineError(error, `Cannot restore ${file}`), `Cannot restore ${file}`)
  }
}

/** The backup's real path, where what belongs to it stands beside it. */
function sourceFile(file: string, database: string): string {
  const found = fileAt(file)
  if (!found) throw new Refusal(`There is no file ${file} to restore.`)
  if (!found.isFile()) throw new Refusal(`${file} is not a file, so it is no backup.`)
  if (isSame(found, fileAt(database)))
    throw new Refusal(`${file} is the database itself: name a backup of it.`)
  return realpathSync(file)
}

/** The real path of the database, or null if there is none. Refuses where a server may still have one. */
function databaseAt(database: string): string | null {
  if (fileAt(database)) return realpathSync(database)
  if (isLink(database))
    throw new Refusal(`${database} is a link that leads nowhere: remove it, and restore again.`)
  checkNotRemoved(database)
  return null
}

/** What the database holds. Refuses one that is damaged or not this program's: it cannot be written into. */
function readable(path: string, name: string): Contents {
  try {
    return examined(path, name)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error instanceof Unavailable && !isDamage(error.cause)) throw error
    const parts = [path, ...auxiliaryFiles(path)].filter(fileAt)
    const away = shellWord(`${path}.unreadable`)
    throw new Refusal(
      `${error.message} So its content cannot be replaced. Stop the server, and restore again after: mkdir ${away} && mv ${parts.map(shellWord).join(' ')} ${away}`,
    )
  }
}

function examined(path: string, name: string): Contents {
  const client = connect(path, WRITER_PATIENCE_MS)
  try {
    const fault =
      integrityFaults(client)[0] ??
      foreignKeyFaults(client)[0] ??
      (schemaVersion(client) === SCHEMA_VERSION ? schemaFaults(client)[0] : undefined)
    if (fault !== undefined) throw new Refusal(`${name} is damaged: ${fault}.`)
    return contentsOf(client)
  } finally {
    client.close()
  }
}

/** Makes the directory as a new database's is, and says how to be rid of it again while it is empty. */
function makeDirectory(path: string): () => void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  return () => {
    if (first === undefined) return
    try {
      for (let each = path; each.length >= first.length; each = dirname(each)) rmdirSync(each)
    } catch {
      // It is in use by now, as it should be.
    }
  }
}

function becomeDatabase(temporary: TemporaryFile, database: string): null {
  try {
    moveIntoPlace(temporary.path, database, false)
    return null
  } catch (error) {
    throw fileError(error, `Cannot create the database ${database}`)
  }
}
