import { statSync } from 'node:fs'
import { orNull } from '../domain/errors.ts'

/** The running executable, where the system knows it, even if its file was upgraded or removed. */
const RUNNING = '/proc/self/exe'

/** Starts this very program. It has its usual name in lists of processes unless its file was replaced. */
export function ownProgram(): string {
  const [running, found] = [RUNNING, process.execPath].map((path) => orNull(() => statSync(path).ino))
  return running == null || running === found ? process.execPath : RUNNING
}
