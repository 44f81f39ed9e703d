import {
  accessSync,
  closeSync,
  constants,
  fchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, orNull } from '../domain/errors.ts'
import type { Hint } from '../domain/refusal.ts'
import { shellWord } from '../domain/text/shell.ts'

export interface AccessFault {
  readonly path: string
  /** The fault, to follow its name. */
  readonly reason: string
  readonly hint: string | Hint
}

const READ = constants.R_OK
const WRITE = constants.R_OK | constants.W_OK
const SEARCH = constants.X_OK
const CREATE = constants.W_OK | constants.X_OK

/** Why this user cannot read the file, or null. */
export const readFault = (file: string): AccessFault | null =>
  firstFault([...ways(resolve(file)), [resolve(file), READ]])

/** Why this user cannot use these files, or create others next to the first; or null. */
export const writeFault = (file: string, ...others: readonly string[]): AccessFault | null =>
  firstFault([
    ...ways(resolve(file)),
    [dirname(resolve(file)), CREATE],
    ...[file, ...others].map((path) => [resolve(path), WRITE] as const),
  ])

/** The directories above an absolute path, from the root: each must be searchable. */
function ways(file: string): (readonly [string, number])[] {
  const directory = dirname(file)
  return directory === file ? [] : [...ways(directory), [directory, SEARCH]]
}

const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS'])

function firstFault(needs: (readonly [string, number])[]): AccessFault | null {
  for (const [path, mode] of needs)
    try {
      accessSync(path, mode)
    } catch (error) {
      // Other codes mean that the file is missing or unknown: its reader reports that.
      if (REFUSALS.has(codeOf(error))) return faultOf(path, codeOf(error))
    }
  return null
}

/** Null if it has gone since, or cannot be looked up. */
function faultOf(path: string, code: string): AccessFault | null {
  if (code === 'EROFS')
    return {
      path,
      reason: 'is on a read-only file system',
      hint: 'Use a file elsewhere, or mount it read-write.',
    }
  const found = orNull(() => statSync(path))
  if (!found) return null
  const self = process.geteuid?.() ?? -1
  if (found.uid === self)
    return {
      path,
      reason: `is not accessible for its owner, user ${userName(self)} (mode ${octal(found.mode)})`,
      hint: `To fix it: chmod u+rwX ${shellWord(path)}`,
    }
  return {
    path,
    reason: `belongs to user ${userName(found.uid)}, and user ${userName(self)} has no access`,
    hint: found.uid === 0 ? rootHint(path, found, self) : ownerHint(found, self),
  }
}

const ownerHint = ({ uid }: Stats, self: number): Hint => ({
  text: `Use a place that user ${userName(self)} can access, or run this as the owner`,
  command: `sudo -u ${loginOf(uid) ?? `'#${uid}'`} changelogd …`,
})

/** Advises against root: a service, which is another user, could not use what that creates. */
const rootHint = (path: string, found: Stats, self: number): string =>
  found.isDirectory()
    ? `Use a place that user ${userName(self)} can access.`
    : `To give it to ${userName(self)}: sudo chown ${userName(self)} ${shellWord(path)}`

/** Gives a new file of root to the owner of its directory, so that the service can use it. */
function ownLikeDirectory(path: string, descriptor: number): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  // Not every file system has owners.
  orNull(() => fchownSync(descriptor, uid, gid))
}

/** Creates an empty file, for the owner only. Throws if there is one. */
export function createOwnFile(path: string): void {
  const descriptor = openSync(path, 'wx', 0o600)
  ownLikeDirectory(path, descriptor)
  closeSync(descriptor)
}

/** Creates a directory and its parents, for the owner only; returns the first one it created. */
export function createDirectory(path: string): string | undefined {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first !== undefined) ownDirectories(path, first)
  return first
}

/** Gives each directory to the owner of its parent, from the top down. */
function ownDirectories(path: string, first: string): void {
  if (path.length > first.length) ownDirectories(dirname(path), first)
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  ownLikeDirectory(path, descriptor)
  closeSync(descriptor)
}

/** The name of a user, or the number if there is none. */
export const userName = (uid: number): string => loginOf(uid) ?? String(uid)

function loginOf(uid: number): string | undefined {
  const users = orNull(() => readFileSync('/etc/passwd', 'utf8'))?.split('\n') ?? []
  return users.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))?.[0]
}

/** Modes in the notation of chmod. */
export const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')
