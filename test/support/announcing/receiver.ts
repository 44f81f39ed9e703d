/** A message as a receiver gets it. */
export interface Received {
  path: string
  search: string
  headers: Headers
  body: string
  json: {
    type: string
    timestamp: string
    data: Record<string, unknown> & { versions?: { version: string }[] }
  }
}

/** What a receiver answers; null hangs. */
export type Answer = (received: Received, count: number) => Response | Promise<Response> | null

/** A real server for messages. */
export class Receiver implements Disposable {
  readonly received: Received[] = []
  answer: Answer = () => new Response('ok')
  private readonly server: ReturnType<typeof Bun.serve>

  constructor(port = 0) {
    this.server = Bun.serve({
      port,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: async (request) => {
        const body = await request.text()
        const { pathname, search } = new URL(request.url)
        const json = body.startsWith('{') ? JSON.parse(body) : {}
        const received = { path: pathname, search, headers: request.headers, body, json }
        this.received.push(received)
        return this.answer(received, this.received.length) ?? new Promise<Response>(() => {})
      },
    })
  }

  get port(): number {
    return this.server.port ?? 0
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  /** `version.published 1.0` and so on, in the order in which they came. */
  get told(): string[] {
    return this.received.map(({ json }) => `${json.type} ${json.data?.version ?? json.data?.versionCount}`)
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }
}
