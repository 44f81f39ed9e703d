import { RawConnection, type Response } from './socket.ts'

export interface Load {
  /** Responses so far. */
  readonly responses: number
  /** Ends the load and resolves when every connection has its last response. */
  stop(): Promise<void>
}

/**
 * Asks for the same path over several connections, on each again as soon as the response has come, or on a new one if the server ends it. `check` sees every
 * response, and what `before` gave when its request was sent. With `renew`, each request has a connection of its own.
 */
export function startLoad<T>(
  port: number,
  path: string,
  connections: number,
  check: (response: Response, before: T) => void,
  { before, renew = false, onLost = () => {} }: LoadOptions<T>,
): Load {
  let ending = false
  let responses = 0
  const work = async () => {
    let connection: RawConnection | null = null
    while (!ending) {
      const known = before()
      let response: Response
      try {
        connection ??= await RawConnection.open(port)
        response = await connection.get(path)
      } catch (error) {
        if (!ending) onLost(error as Error)
        connection?.close()
        connection = null
        await Bun.sleep(5)
        continue
      }
      responses++
      check(response, known)
      if (renew || response.headers.get('connection') === 'close') {
        connection.close()
        connection = null
      }
    }
    connection?.close()
  }
  const all = Promise.all(Array.from({ length: connections }, work))
  // What `check` throws is thrown by `stop`.
  all.catch(() => {})
  return {
    get responses() {
      return responses
    },
    async stop() {
      ending = true
      await all
    },
  }
}

interface LoadOptions<T> {
  before: () => T
  renew?: boolean
  /** A connection was refused or closed before its response. */
  onLost?: (error: Error) => void
}
