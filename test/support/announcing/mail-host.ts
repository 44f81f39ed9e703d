import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import type { Network } from '../../../src/outgoing/destination.ts'
import type { MailServer } from '../../../src/outgoing/mail.ts'
import { scratch } from '../scratch.ts'
import { createCertificate } from '../servers/certificates.ts'

/** A message that a server took, with the recipients that it was told. */
export interface Taken {
  raw: string
  from: string
  recipients: string[]
  isEncrypted: boolean
  user: string | undefined
}

/** What a server answers in place of its usual reply: a code and words, by step. */
export interface Refusals {
  connect?: [number, string]
  from?: [number, string]
  recipient?: [number, string]
  data?: [number, string]
}

export interface HostOptions {
  /** Default: STARTTLS. */
  tls?: 'implicit' | 'starttls' | 'none'
  /** The name of the certificate, which nobody signed if it is null. */
  certified?: string | null
  password?: string
}

/** Not on loopback for the program: TLS is required there. */
export const FAR_ADDRESS = '10.20.30.40'
export const NAME = 'mail.test'

/** A real mail server. It seems far away, unless it is asked for at its own address. Needs `openssl`. */
export class MailHost implements AsyncDisposable {
  readonly taken: Taken[] = []
  refusals: Refusals = {}
  /** Runs with a message before the server says that it has it. */
  beforeTaking: () => void | Promise<void> = () => {}
  private constructor(
    private readonly server: SMTPServer,
    private readonly directory: ReturnType<typeof scratch>,
    readonly network: Network,
    private readonly options: HostOptions,
  ) {}

  static async start(options: HostOptions = {}): Promise<MailHost> {
    const { tls = 'starttls', certified = NAME, password } = options
    const directory = scratch()
    const authority = createCertificate(directory.path, 'authority', ['-subj', '/CN=tests'])
    const name = certified ?? NAME
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    const made = createCertificate(
      directory.path,
      'server',
      subject,
      certified === null ? undefined : authority,
    )
    const network = {
      ca: await Bun.file(join(directory.path, 'authority.crt')).text(),
      resolve: async () => [FAR_ADDRESS],
      dial: () => '127.0.0.1',
    }
    let host: MailHost | undefined
    const recipients = new Map<string, string[]>()
    const senders = new Map<string, string>()
    const answer = (step: keyof Refusals, done: (error?: Error) => void) => {
      const refusal = host?.refusals[step]
      if (!refusal) return done()
      done(Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }))
    }
    const server = new SMTPServer({
      ...{ secure: tls === 'implicit', logger: false, closeTimeout: 1 },
      ...{ key: await Bun.file(made.key).text(), cert: await Bun.file(made.certificate).text() },
      disabledCommands: [
        ...(tls === 'none' ? ['STARTTLS'] : []),
        ...(password === undefined ? ['AUTH'] : []),
      ],
      onConnect: (_, done) => answer('connect', done),
      onAuth: (auth, _, done) =>
        auth.password === password
          ? done(null, { user: auth.username })
          : done(new Error(`Wrong password ${auth.password} of ${auth.username}`)),
      onMailFrom: ({ address }, { id }, done) => {
        senders.set(id, address)
        recipients.set(id, [])
        answer('from', done)
      },
      onRcptTo: ({ address }, { id }, done) => {
        recipients.get(id)?.push(address)
        answer('recipient', done)
      },
      onData: async (stream, { id, secure, user }, done) => {
        const raw = Buffer.concat(await Array.fromAsync(stream)).toString('utf8')
        if (host?.refusals.data) return answer('data', done)
        await host?.beforeTaking()
        const from = senders.get(id) ?? ''
        host?.taken.push({ raw, from, recipients: recipients.get(id) ?? [], isEncrypted: secure, user })
        done()
      },
    })
    server.on('error', () => {})
    host = new MailHost(server, directory, network, options)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return host
  }

  /** Settings that lead here; `url` is that of the name unless it is given. */
  settings(settings: Partial<MailServer> & { host?: string; user?: string } = {}): MailServer {
    const { host = NAME, user, ...others } = settings
    const scheme = this.options.tls === 'implicit' ? 'smtps' : 'smtp'
    const url = `${scheme}://${user === undefined ? '' : `${user}@`}${host}:${this.port}`
    return { url, password: '', from: 'Acme News <news@acme.test>', replyTo: '', ...others }
  }

  get port(): number {
    return this.server.server.address().port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve))
    this.directory[Symbol.dispose]()
  }
}

/** A server that answers each line as it is told; null hangs. `heard` has what came. */
export async function scriptedHost(answer: (line: string, socket: Socket) => string | null) {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let rest = ''
    const reply = (line: string) => {
      const said = answer(line, socket)
      if (said !== null) socket.write(`${said}\r\n`)
    }
    reply('')
    socket.on('data', (data) => {
      const lines = (rest + data.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        heard.push(line)
        reply(line)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    port: (server.address() as { port: number }).port,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
