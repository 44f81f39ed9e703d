import { lstatSync, rmSync } from 'node:fs'
import { codeOf } from '../../domain/errors.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { claim } from './claimed-port.ts'

export interface ClaimedSocket {
  /** Runs `start`, which listens. Only owner and group of the new socket may connect. */
  listen<S>(start: () => S): S
  /** To be called once nothing listens. */
  release(): void
}

/** Otherwise every user might connect, depending on how the server was started. */
const OWNER_AND_GROUP = 0o117

/** Removes the socket of a dead server; throws a `Refusal` if a server listens on it, or if it is no socket. */
export async function claimSocket(path: string): Promise<ClaimedSocket> {
  // If two servers start together, the second might otherwise remove the socket of the first.
  let release = () => {}
  try {
    release = claim(path)
    await removeAbandoned(path)
  } catch (error) {
    release()
    throw codeOf(error) === 'EADDRINUSE' ? inUse(path, error) : error
  }
  return {
    listen: (start) => {
      const before = process.umask(OWNER_AND_GROUP)
      try {
        return start()
      } finally {
        process.umask(before)
      }
    },
    release,
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket())
    throw new Refusal(`Cannot listen on unix:${path}: it exists and is not a socket.`, {
      hint: 'Choose another path, or remove it.',
    })
  const code = await connectionError(path)
  if (code === null) throw inUse(path)
  if (code !== 'ECONNREFUSED')
    throw new Refusal(`Cannot listen on unix:${path}: cannot check the existing socket (${code}).`, {
      hint: 'Choose another path, or remove it if no server uses it.',
    })
  rmSync(path, { force: true })
}

/** The error of a connection attempt, or null if something listens. */
async function connectionError(path: string): Promise<string | null> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data: () => {} } })
    connection.end()
    return null
  } catch (error) {
    return codeOf(error) || 'unknown'
  }
}

const inUse = (path: string, cause?: unknown): Refusal =>
  new Refusal(`Cannot listen on unix:${path}: another server is listening on it.`, {
    hint: toRun('To use another path', 'serve', [], { host: 'unix:PATH' }),
    cause,
  })
