import { bearer, keyedPath } from '../../../../test/support/servers/server.ts'
import type { Server } from '../place.ts'
import { RawConnection, type Response, request } from '../socket.ts'
import { stateOf, WRITTEN } from '../written.ts'

/** A response as a reader saw it. */
export interface Seen {
  node: number
  kind: Kind
  /** When it was asked for, and how long it took. */
  sentAt: number
  tookMs: number
  /** 0 if there was no response. */
  status: number
  /** The number of the state; null if it is no state at all. */
  state: number | null
  response: Response | null
}

/** From the cache, past it, or with a key. */
export type Kind = 'cached' | 'uncached' | 'keyed'

const KINDS: readonly Kind[] = ['cached', 'cached', 'uncached', 'keyed']
const PAUSE_MS = 5

export interface Readers {
  stop(): Promise<void>
}

/** Reads from every node over several connections, and hands over all that was seen. */
export function startReaders(nodes: readonly Server[], token: string, onSeen: (seen: Seen) => void): Readers {
  let isEnding = false
  let count = 0
  const read = async (node: number, port: number, kind: Kind): Promise<void> => {
    let connection: RawConnection | null = null
    while (!isEnding) {
      const text =
        kind === 'keyed'
          ? request(keyedPath('written', 'app'), bearer(token))
          : // No two have the same address, so none is cached.
            request(kind === 'cached' ? WRITTEN : `${WRITTEN}?since=${isoOf(++count)}`)
      const sentAt = performance.now()
      let response: Response | null = null
      try {
        connection ??= await RawConnection.open(port)
        response = await connection.send(text)
      } catch {
        // Lost: it is seen as no response.
      }
      if (response === null || response.headers.get('connection') === 'close') {
        connection?.close()
        connection = null
      }
      const state = response?.status === 200 ? stateOf(response) : null
      onSeen({
        node,
        kind,
        sentAt,
        tookMs: performance.now() - sentAt,
        status: response?.status ?? 0,
        state,
        response,
      })
      await Bun.sleep(PAUSE_MS)
    }
    connection?.close()
  }
  const all = Promise.all(nodes.flatMap(({ port }, node) => KINDS.map((kind) => read(node, port, kind))))
  all.catch(() => {})
  return {
    async stop() {
      isEnding = true
      await all
    },
  }
}

/** A moment before every version. */
const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
