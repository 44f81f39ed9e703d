import { existsSync, statSync } from 'node:fs'

const RUNNING = '/proc/self/exe'
const inode = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** The running executable, even if its file was upgraded or removed. Lists of processes show its path if they can. */
export const ownProgram = (): string =>
  existsSync(RUNNING) && inode(RUNNING) !== inode(process.execPath) ? RUNNING : process.execPath
