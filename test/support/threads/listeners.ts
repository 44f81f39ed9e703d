import { readFileSync } from 'node:fs'

/** The state of a socket that listens, in the table of the kernel. */
const LISTENING = '0A'

/**
 * How many sockets of this machine listen on an IPv4 address with this port. Told apart by their inodes: a table that
 * changes while it is read may list a socket more than once.
 */
export function listenersOn(port: number): number {
  const place = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(place) && state === LISTENING)
    .map(([, , , , , , , , , inode]) => inode)
  return new Set(inodes).size
}
