import { connect, type Socket } from 'node:net'

export interface Response {
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  /** Bytes as Latin-1 text. */
  body: string
}

export const json = <T>({ body }: Response): T => JSON.parse(Buffer.from(body, 'latin1').toString()) as T

/** The text of a GET request. */
export const request = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** How long a response may take before the connection counts as dead. */
const TIMEOUT_MS = 30_000

interface Waiting {
  toHead: boolean
  resolve(response: Response): void
  reject(error: Error): void
}

/** One keep-alive connection, to which any bytes can be written. */
export class RawConnection {
  private chunks: string[] = []
  private length = 0
  /** How many bytes the next response needs at least. */
  private needed = 0
  private readonly waiting: Waiting[] = []
  private closed = false

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.chunks.push(`${chunk}`)
      this.length += chunk.length
      this.deliver()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.closed = true
      for (const { reject } of this.waiting.splice(0)) reject(new Error('the connection was closed'))
    })
  }

  static open(port: number, allowHalfOpen = false): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new RawConnection(socket)))
    })
  }

  get isOpen(): boolean {
    return !this.closed
  }

  /** The bytes that came and belong to no complete response. */
  get rest(): string {
    return this.chunks.join('')
  }

  write(text: string): void {
    this.socket.write(text, 'latin1')
  }

  /** The next response. Rejects if the connection ends first, or after `timeout` milliseconds. */
  response({ toHead = false, timeout = TIMEOUT_MS } = {}): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Error('the connection was closed'))
      const timer = setTimeout(() => {
        reject(new Error(`no response within ${timeout} ms`))
        this.close()
      }, timeout)
      this.waiting.push({
        toHead,
        resolve: (response) => {
          clearTimeout(timer)
          resolve(response)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      })
      this.deliver()
    })
  }

  /** Sends a request and gives its response. */
  send(text: string, options: { toHead?: boolean; timeout?: number } = {}): Promise<Response> {
    const response = this.response({ toHead: text.startsWith('HEAD '), ...options })
    this.write(text)
    return response
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(request(path, headers))
  }

  close(): void {
    this.socket.destroy()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  private deliver(): void {
    for (
      let next = this.waiting[0];
      next && this.length > 0 && this.length >= this.needed;
      next = this.waiting[0]
    ) {
      const received = this.rest
      const { response, length } = parse(received, next.toHead)
      this.chunks = [response ? received.slice(length) : received]
      this.length = this.chunks[0]?.length ?? 0
      this.needed = response ? 0 : length
      if (!response) return
      this.waiting.shift()
      next.resolve(response)
    }
  }
}

/** Sends these bytes on a connection of their own, and gives the first response, or null if there is none. */
export async function once(port: number, text: string, timeout = TIMEOUT_MS): Promise<Response | null> {
  using connection = await RawConnection.open(port)
  return await connection.send(text, { timeout }).catch(() => null)
}

export const getOnce = (port: number, path: string, headers: Record<string, string> = {}) =>
  once(port, request(path, headers))

/**
 * The first response in these bytes, null while it is not complete, and the length of it or as much of that as is known. The
 * server states the length of every body.
 */
function parse(text: string, toHead: boolean): { response: Response | null; length: number } {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return { response: null, length: text.length + 1 }
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const status = Number(first.split(' ')[1])
  const start = end + 4
  const hasBody = !toHead && status >= 200 && status !== 204 && status !== 304
  const length = start + (hasBody ? Number(headers.get('content-length') ?? 0) : 0)
  return {
    response: text.length < length ? null : { status, headers, body: text.slice(start, length) },
    length,
  }
}
