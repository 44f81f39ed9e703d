import { shellWord } from '../../../domain/text/shell.ts'
import { exactStat, isSame, resolvedPath } from '../../../files/lookup.ts'

/** A change to the files of an open database. */
interface Loss {
  readonly message: string
  readonly hint?: string
  /**
   * The step for the connection before opening the path again:
   * - `wait`: nothing can be opened yet. The connection may have the only copy of something.
   * - `empty the log`: copy it to the connection's file. Otherwise SQLite would add it to the new one.
   * - `release`: close it and leave every file as it is.
   */
  readonly step: 'wait' | 'empty the log' | 'release'
}

/**
 * Watches the files of the database at `path`, which has just been opened at its real path. The result returns how
 * they were lost, or null; it takes microseconds, and throws if this user may not look. `isMoved` is true if SQLite's
 * open file is no longer the one at that path. A file whose content is overwritten is not noticed.
 */
export function watchFiles(path: string, real: string, isMoved: () => boolean): () => Loss | null {
  const logChange = watchFile(`${real}-wal`)
  const indexChange = watchFile(`${real}-shm`)
  const databaseChange = watchFile(real)
  return () => {
    const removed = removalOf(path)
    if (removed) return removed
    const step = databaseChange() && !logChange() ? 'empty the log' : 'release'
    // A database at another real path has another log.
    if (resolvedPath(path) !== real) return { message: `${path} is now another file.`, step }
    if (databaseChange() || isMoved()) return { message: `${path} was replaced by another file.`, step }
    const message = logChange() ?? indexChange()
    return message ? { message, step: 'release' } : null
  }
}

export const removalOf = (path: string): Loss | null =>
  exactStat(path) ? null : { message: `${path} was removed.`, hint: putBack(path), step: 'wait' }

/** The change to a file, or null. It may be missing, as it is without a log. */
function watchFile(path: string): () => string | null {
  const opened = exactStat(path)
  return () => {
    const found = exactStat(path)
    if (found === opened || isSame(found, opened)) return null
    return `${path} was ${found ? 'replaced' : 'removed'}.`
  }
}

/** A database cannot be restored while its log is there: a server might be using it. */
function putBack(path: string): string {
  const left = ['-wal', '-shm'].map((suffix) => path + suffix).filter(exactStat)
  const first = left.length > 0 ? `rm ${left.map(shellWord).join(' ')} && ` : ''
  return `Put it back, or restore a backup: ${first}changelogd restore FILE --db ${shellWord(path)}`
}
