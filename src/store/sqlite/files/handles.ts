import { closeSync, fstatSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Closes a handle of a file that belongs to a database. That ends the locks of the whole process on the file. In a
 * thread it therefore stays open until the process ends, unless the file has no name any more: other threads may have
 * the same database open.
 */
export function closeHandle(file: number): void {
  if (isMainThread || fstatSync(file).nlink === 0) closeSync(file)
}
