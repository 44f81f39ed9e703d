import { fstatSync } from 'node:fs'
import type { Environment } from '../../config/config.ts'
import { Refusal } from '../../domain/refusal.ts'

/** glibc, and musl on both architectures. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

/** Of `socket.h` on Linux: a local socket; for datagrams, and not inherited by children. */
const LOCAL = 1
const DATAGRAM = 2 | 0o2000000

const STANDARD_ERROR = 2

/**
 * Tells systemd what it waits for with `Type=notify`, if it has started this process and asked for that. A server that
 * cannot tell it serves nevertheless, and reports that.
 */
export function notifySystemd(
  env: Environment,
  state: 'READY=1' | 'STOPPING=1',
  report: (event: unknown) => void,
): void {
  const path = env.NOTIFY_SOCKET
  if (!path) return
  if (!isSent(path, state)) report(new Refusal(`Cannot send ${state} to systemd at ${path}.`))
}

/** Whether standard error is the journal, which notes the time of each line itself. */
export function isJournal({ JOURNAL_STREAM }: Environment): boolean {
  if (!JOURNAL_STREAM) return false
  try {
    const { dev, ino } = fstatSync(STANDARD_ERROR, { bigint: true })
    return JOURNAL_STREAM === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** Sends a datagram to a socket with a path, which Bun cannot do. An `@` marks a name that is not in the file system. */
function isSent(path: string, text: string): boolean {
  const functions = socketFunctions()
  if (!functions) return false
  const { ptr, socket, sendto, close } = functions
  const address = Buffer.from(`\0\0${path.replace(/^@/, '\0')}`)
  address.writeUInt16LE(LOCAL)
  const message = Buffer.from(text)
  const file = socket(LOCAL, DATAGRAM, 0)
  const sent = sendto(file, ptr(message), message.length, 0, ptr(address), address.length)
  close(file)
  return Number(sent) === message.length
}

function socketFunctions() {
  // Not with `import`, which every command would wait for at its start.
  const { dlopen, ptr } = require('bun:ffi') as typeof import('bun:ffi')
  const functions = {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  } as const
  for (const library of LIBRARIES)
    try {
      return { ptr, ...dlopen(library, functions).symbols }
    } catch {}
  return null
}
