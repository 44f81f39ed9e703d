import type { Socket } from 'bun'

/** One request as every candidate is asked it. */
export interface Ask {
  path: string
  headers?: Record<string, string>
  /** With one, it is a POST. */
  body?: string
}

/** An answer as it came over the wire. */
export interface Answer {
  status: number
  /** As written, in the order in which they came. */
  headers: [name: string, value: string][]
  body: string
}

/** The text of a request, as wrk would send it. */
export const requestText = (port: number, { path, headers = {}, body }: Ask): string => {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const method = body === undefined ? 'GET' : 'POST'
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/**
 * One keep-alive connection on a bare socket, for what has to be timed more exactly than `fetch` allows: an
 * exchange is over when the last byte has been read, and nothing is parsed before that but the length.
 */
export class Connection {
  private constructor(
    private readonly port: number,
    private readonly socket: Socket<Incoming>,
  ) {}

  /** Throws at once if nobody listens. */
  static async open(port: number): Promise<Connection> {
    const socket = await Bun.connect<Incoming>({
      hostname: '127.0.0.1',
      port,
      data: { chunks: [], missing: null, isLast: false, resolve: () => {}, reject: () => {} },
      socket: {
        data: ({ data }, chunk) => receive(data, chunk),
        close: ({ data }) => data.reject(new Error('The server closed the connection.')),
        error: ({ data }, error) => data.reject(error),
      },
    })
    return new Connection(port, socket)
  }

  /** The answer's bytes, head and all. */
  exchange(ask: Ask): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const incoming: Incoming = { chunks: [], missing: null, isLast: false, resolve, reject }
      Object.assign(this.socket.data, incoming)
      this.socket.write(requestText(this.port, ask))
    })
  }

  /** Whether the last answer said that the server closes the connection after it. */
  get isOver(): boolean {
    return this.socket.data.isLast
  }

  async get(ask: Ask): Promise<Answer> {
    const bytes = await this.exchange(ask)
    // A character for each byte of what is no text.
    const text = bytes.toString(bytes.includes('\r\nContent-Type: image/') ? 'latin1' : 'utf8')
    const end = text.indexOf('\r\n\r\n')
    const [first = '', ...lines] = text.slice(0, end).split('\r\n')
    return {
      status: Number(first.split(' ')[1]),
      headers: lines.map((line) => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
      body: text.slice(end + 4),
    }
  }

  close(): void {
    this.socket.end()
  }
}

interface Incoming {
  chunks: Buffer[]
  /** How many bytes are still to come; null until the head has been read. */
  missing: number | null
  /** Whether its head says that nothing comes after it. */
  isLast: boolean
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

function receive(incoming: Incoming, chunk: Buffer): void {
  incoming.chunks.push(Buffer.from(chunk))
  if (incoming.missing === null) {
    const sofar = Buffer.concat(incoming.chunks)
    const end = sofar.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = sofar.toString('latin1', 0, end)
    if (isChunked(head) && !sofar.subarray(end).toString('latin1').endsWith('\r\n0\r\n\r\n')) return
    incoming.isLast = /^connection: *close/im.test(head)
    incoming.missing = end + 4 + bodyLength(head) - sofar.length
  } else incoming.missing -= chunk.length
  if (incoming.missing <= 0) incoming.resolve(Buffer.concat(incoming.chunks))
}

/** A 304 has no body, also where it tells how long the body would be. */
const bodyLength = (head: string): number =>
  head.startsWith('HTTP/1.1 304') ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)

/** Such a body stays as it came, and ends with an empty chunk. */
const isChunked = (head: string): boolean => /^transfer-encoding: *chunked/im.test(head)
