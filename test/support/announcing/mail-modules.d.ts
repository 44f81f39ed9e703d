/** What the tests use of packages without types. */
declare module 'smtp-server' {
  interface Session {
    id: string
    secure: boolean
    user?: string
  }
  type Done = (error?: Error | null, reply?: unknown) => void
  interface Options {
    secure?: boolean
    key?: string
    cert?: string
    authOptional?: boolean
    disabledCommands?: string[]
    logger?: boolean
    closeTimeout?: number
    onConnect?(session: Session, done: Done): void
    onAuth?(auth: { username: string; password: string }, session: Session, done: Done): void
    onMailFrom?(address: { address: string }, session: Session, done: Done): void
    onRcptTo?(address: { address: string }, session: Session, done: Done): void
    onData?(stream: AsyncIterable<Uint8Array>, session: Session, done: Done): void
  }
  export class SMTPServer {
    constructor(options: Options)
    readonly server: { address(): { port: number } }
    listen(port: number, host: string, done: () => void): void
    on(event: 'error', listener: (error: Error) => void): void
    close(done: () => void): void
  }
}
declare module 'mailparser' {
  interface Parsed {
    subject: string
    messageId: string
    date: Date
    text: string
    html: string
    headerLines: { key: string; line: string }[]
    from: { value: { name: string; address: string }[] }
    to: { value: { name: string; address: string }[] }
    replyTo?: { value: { name: string; address: string }[] }
  }
  export function simpleParser(source: string | Uint8Array): Promise<Parsed>
}
