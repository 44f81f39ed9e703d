import { fstatSync } from 'node:fs'
import type { Environment } from '../../config/config.ts'
import { orNull } from '../../domain/errors.ts'
import { Refusal } from '../../domain/refusal.ts'
import { cFunctions } from '../../files/c-library.ts'

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

/** True if standard error is the journal, which has the time of each line. */
export function isJournal({ JOURNAL_STREAM }: Environment): boolean {
  const found = JOURNAL_STREAM && orNull(() => fstatSync(STANDARD_ERROR, { bigint: true }))
  return found ? JOURNAL_STREAM === `${found.dev}:${found.ino}` : false
}

/** Sends a datagram to a socket with a path, which Bun cannot do. `@` marks an abstract name. */
function isSent(path: string, text: string): boolean {
  const functions = cFunctions({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  })
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
