import type { Socket } from 'bun'

/** One of the two ends of a connection, and what its other end could not take yet. */
interface End {
  other: Socket<End> | null
  waiting: Buffer[]
}

/**
 * An address in front of another, as a load balancer or a virtual address is: its connections can be cut, and it can
 * be led to another place.
 */
export class Forwarder {
  private readonly open = new Set<Socket<End>>()
  private readonly server: ReturnType<typeof this.listen>

  constructor(private target: number) {
    this.server = this.listen()
  }

  get port(): number {
    return this.server.port
  }

  /** Ends all connections. New ones work. */
  cut(): void {
    for (const socket of this.open) socket.terminate()
  }

  /** Leads new connections to another port, and cuts the others. */
  lead(port: number): void {
    this.target = port
    this.cut()
  }

  [Symbol.dispose](): void {
    this.server.stop(true)
    this.cut()
  }

  private listen() {
    const handlers = {
      data: ({ data }: Socket<End>, chunk: Buffer) => pass(data, Buffer.from(chunk)),
      drain: ({ data: { other } }: Socket<End>) => {
        if (other) for (const chunk of other.data.waiting.splice(0)) pass(other.data, chunk)
      },
      close: (socket: Socket<End>) => {
        this.open.delete(socket)
        socket.data.other?.end()
      },
      error: () => {},
    }
    return Bun.listen<End>({
      hostname: '127.0.0.1',
      port: 0,
      data: undefined as unknown as End,
      socket: {
        ...handlers,
        open: async (client) => {
          client.data = { other: null, waiting: [] }
          this.open.add(client)
          try {
            const server = await Bun.connect<End>({
              hostname: '127.0.0.1',
              port: this.target,
              data: { other: client, waiting: [] },
              socket: handlers,
            })
            this.open.add(server)
            client.data.other = server
            for (const chunk of client.data.waiting.splice(0)) pass(client.data, chunk)
          } catch {
            client.terminate()
          }
        },
      },
    })
  }
}

/** Sends a piece to the other end, or keeps what that cannot take now. */
function pass(end: End, chunk: Buffer): void {
  if (!end.other || end.waiting.length > 0) {
    end.waiting.push(chunk)
    return
  }
  const written = end.other.write(chunk)
  if (written < chunk.length) end.waiting.push(chunk.subarray(Math.max(0, written)))
}
