import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isBinary } from '../build-info.ts'

const RUNNING = '/proc/self/exe'
const inode = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** The command that starts this program again, even if its file was upgraded or removed. */
export const ownCommand = (): string[] => {
  // Lists of processes show the path of the program if they can.
  const isMoved = existsSync(RUNNING) && inode(RUNNING) !== inode(process.execPath)
  const program = isMoved ? RUNNING : process.execPath
  return isBinary ? [program] : [program, entryPoint('main.ts')]
}

/** Runs a script of package.json in a checkout, where nothing is installed. */
export const inCheckout = (script: string): string => `npx -y bun@1.4.4 run ${script}`

/** A file that a process or a thread of this program begins with, by its path from `src`: a binary knows it by that. */
export const entryPoint = (path: string): string =>
  isBinary ? `./${path}` : join(import.meta.dir, '..', path)
