import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Network } from '../../../src/outgoing/destination.ts'
import { scratch } from '../scratch.ts'
import { createCertificate } from './certificates.ts'

/** Servers on loopback that stand for ones far away: named by a resolver, certified by an authority of the tests. */
export interface Far extends AsyncDisposable {
  network: Network
  /** How often each name was asked for. */
  asked: Map<string, number>
  /** An https server for a name, at an address of loopback of its own. Gives its origin. */
  https(name: string, handler: (request: Request) => Response | Promise<Response>): string
  http(name: string, handler: (request: Request) => Response | Promise<Response>): string
  /** A server that writes bytes as it likes once it has received any. */
  raw(name: string, answer: (socket: Socket) => void): Promise<string>
  /** What a name resolves to from now on: one list for each time, the last one for good. */
  names(name: string, ...answers: string[][]): void
  addressOf(name: string): string
}

/** Needs `openssl`. */
export async function far(): Promise<Far> {
  const directory = scratch()
  const authority = createCertificate(directory.path, 'authority', ['-subj', '/CN=tests'])
  const asked = new Map<string, number>()
  const answers = new Map<string, string[][]>()
  const closing: (() => unknown)[] = []
  const names = (name: string, ...lists: string[][]) => void answers.set(name, lists)
  let used = 0
  const place = (name: string): string => {
    const address = `127.0.7.${++used}`
    names(name, [address])
    return address
  }
  const serve = (
    name: string,
    handler: (request: Request) => Response | Promise<Response>,
    tls?: Bun.TLSOptions,
  ) => {
    const server = Bun.serve({
      ...{ hostname: place(name), port: 0, fetch: handler, development: false, idleTimeout: 0 },
      ...(tls && { tls }),
    })
    closing.push(() => server.stop(true))
    return `${tls ? 'https' : 'http'}://${name}:${server.port}`
  }
  const file = (path: string) => Bun.file(path)
  const certificates = new Map<string, Bun.TLSOptions>()
  const certified = (name: string): Bun.TLSOptions => {
    const known = certificates.get(name)
    if (known) return known
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    const made = createCertificate(directory.path, name, subject, authority)
    const certificate = { cert: file(made.certificate), key: file(made.key) }
    certificates.set(name, certificate)
    return certificate
  }
  return {
    asked,
    names,
    addressOf: (name) => answers.get(name)?.[0]?.[0] ?? '',
    network: {
      ca: await file(join(directory.path, 'authority.crt')).text(),
      resolve: async (name) => {
        asked.set(name, (asked.get(name) ?? 0) + 1)
        const lists = answers.get(name)
        const [first] = lists ?? []
        if (!lists || !first) throw new Error(`${name} is not known`)
        return lists.length > 1 ? (lists.shift() as string[]) : first
      },
    },
    https: (name, handler) => serve(name, handler, certified(name)),
    http: (name, handler) => serve(name, handler),
    raw: (name, answer) =>
      new Promise((resolve) => {
        const sockets = new Set<Socket>()
        const server = createServer((socket) => {
          sockets.add(socket)
          socket.on('error', () => {})
          socket.once('data', () => answer(socket))
        }).listen(0, place(name), () => {
          const { port } = server.address() as { port: number }
          resolve(`http://${name}:${port}`)
        })
        closing.push(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
      }),
    async [Symbol.asyncDispose]() {
      for (const close of closing) await close()
      directory[Symbol.dispose]()
    },
  }
}
