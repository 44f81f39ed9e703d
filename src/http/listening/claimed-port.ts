import type { Config } from '../../config/config.ts'
import { codeOf } from '../../domain/errors.ts'
import { cannotListen } from './listen-error.ts'

export interface ClaimedPort {
  readonly port: number
  /** To be called once all threads listen. */
  handOver(): Promise<void>
  /** To be called once no thread listens. */
  release(): void
}

/** Throws a `Refusal` if another program listens: threads would share the port, and clients have two buckets. */
export function claimPort(config: Config): ClaimedPort {
  try {
    const { port, handOver } = findPort(config)
    const unclaim = claim(`${config.host}:${port}`)
    const release = () => {
      void handOver()
      unclaim()
    }
    return { port, handOver, release }
  } catch (error) {
    throw cannotListen(config, error)
  }
}

/** A port that the system chose must be kept open until a thread listens, or the system might choose it again. */
function findPort({ host: hostname, port }: Config): Pick<ClaimedPort, 'port' | 'handOver'> {
  const isChosen = port === 0
  const probe = Bun.serve({
    hostname,
    port,
    reusePort: isChosen,
    development: false,
    fetch: () => new Response(),
  })
  if (!isChosen) void probe.stop(true)
  return { port: probe.port ?? port, handOver: () => probe.stop(true) }
}

/**
 * Claims the address by an abstract socket, because until a thread listens, another server would find the port free.
 * Only one process per network namespace can have it, and it ends with the process. Throws if another process has it.
 * Systems without abstract sockets skip the claim.
 */
export function claim(address: string): () => void {
  try {
    const socket = Bun.listen({
      unix: `\0changelogd ${address}`,
      socket: { open: (connection) => void connection.end(), data: () => {} },
    })
    socket.unref()
    return () => socket.stop(true)
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw error
    return () => {}
  }
}
