import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a PostgreSQL that can be cut, or that lets nothing through, as when the engine is killed or stopped. */
export interface Passage extends Disposable {
  /** The address of the same database through it. */
  readonly address: string
  /** Lets only so many more connections through, and ends those after them at once. */
  allow(count: number): void
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /** Keeps connections, and accepts new ones, but lets nothing through. */
  stall(): void
  /** Keeps the connections that there are, or the oldest of them, but lets nothing through them ever again; new ones work. */
  deafen(count?: number): void
  /** Lets everything through later, as from far away. */
  delay(ms: number): void
  /** Ends what `cut` and `stall` did. */
  resume(): Promise<void>
  /** Leads to another port from now on, as an address that moves to another machine. Ends every connection. */
  lead(port: number): void
}

/** Decides for each part of a connection, whose ends these are, whether it is let through. */
export type Filter = (near: Socket, far: Socket) => (from: Socket, chunk: Buffer | string) => boolean

export async function proxyTo(target: string, filter: Filter = () => () => true): Promise<Passage> {
  const url = new URL(target)
  const { hostname } = url
  let engine = Number(url.port)
  const sockets = new Set<Socket>()
  const deaf = new WeakSet<Socket>()
  let delayMs = 0
  let isStalled = false
  let allowed = Number.POSITIVE_INFINITY
  let server: Server | undefined
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server = createServer((near) => {
        if (allowed-- <= 0) return near.destroy()
        const far = connect(engine, hostname)
        const isLet = filter(near, far)
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one)
          one.on('data', (chunk) => {
            if (isStalled || deaf.has(one) || !isLet(one, chunk)) return
            if (delayMs === 0) other.write(chunk)
            else setTimeout(() => other.write(chunk), delayMs)
          })
          one.on('error', () => {})
          one.on('close', () => {
            sockets.delete(one)
            other.destroy()
          })
        }
      }).listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const bound = server?.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  url.port = String(port)
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: url.href,
    allow: (count) => {
      allowed = count
    },
    cut: () =>
      new Promise((resolve) => {
        server?.close(() => resolve())
        end()
      }),
    stall: () => {
      isStalled = true
    },
    deafen: (count = sockets.size) => {
      // Each connection is two sockets.
      for (const socket of [...sockets].slice(0, 2 * count)) deaf.add(socket)
    },
    delay: (ms) => {
      delayMs = ms
    },
    resume: async () => {
      // What was held back is lost, so the connections are too.
      if (isStalled) end()
      isStalled = false
      if (!server?.listening) await listen(port)
    },
    lead: (port) => {
      engine = port
      end()
    },
    [Symbol.dispose]: () => {
      server?.close()
      end()
    },
  }
}
