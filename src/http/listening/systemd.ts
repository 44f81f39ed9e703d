import { fstatSync } from 'node:fs'
import type { Environment } from '../../config/config.ts'
import { Refusal } from '../../domain/refusal.ts'

/** glibc, and musl on both architectures. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

/** From `socket.h` of Linux: a local datagram socket that children do not inherit. */
const LOCAL = 1
const DATAGRAM = 2 | 0o2000000

const STANDARD_ERROR = 2

/** Notifies systemd, if it asks for that with `Type=notify`. A failure is only reported. */
export function notifySystemd(
  env: Environment,
  state: 'READY=1' | 'STOPPING=1',
  report: (event: unknown) => void,
): void {
  const path = env.NOTIFY_SOCKET
  if (!path) return
  if (!isSent(path, state)) report(new Refusal(`Cannot send ${state} to systemd at ${path}.`))
}

/** Whether standard error is the journal, which has the time of each line. */
export function isJournal({ JOURNAL_STREAM }: Environment): boolean {
  if (!JOURNAL_STREAM) return false
  try {
    const { dev, ino } = fstatSync(STANDARD_ERROR, { bigint: true })
    return JOURNAL_STREAM === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** Sends a datagram to a socket with a path, which Bun cannot do. `@` marks an abstract name. */
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
  // Not with `import`, which would delay the start of every command.
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
