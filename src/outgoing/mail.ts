import { PassThrough } from 'node:stream'
import { type Address, isLoopback, parseAddress } from '../domain/addresses/ip-address.ts'
import { type Mailbox, mailAddressOf, mailboxOf } from '../domain/addresses/mail-address.ts'
import { codeOf, withPeriod } from '../domain/errors.ts'
import { mapRows } from '../domain/objects.ts'
import { plain } from '../domain/text/controls.ts'
import { pause } from '../domain/time/waiting.ts'
import { type Destination, type Network, operatedDestination, SYSTEM } from './destination.ts'
import { OutgoingError } from './errors.ts'
import { connectionFault, MOST_ADDRESSES, stoppable, UNREACHABLE } from './request.ts'

/** The operator's mail server, and who sends. */
export interface MailServer {
  /** `smtps://user@host:465`, or `smtp://` for STARTTLS. */
  url: string
  password: string
  from: string
  /** Empty for the sender. */
  replyTo: string
}

export interface Mail {
  to: string
  /** Message id and date stay the same for each try. */
  messageId: string
  date: Date
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** What the server said: a 2yz status if it took the message. */
interface MailReply {
  status: number
  words: string
  /** True if the server refused the recipient or the message for good. */
  isFinal: boolean
}

/** Limits of a connection, an answer and the whole conversation: less than a worker's claim on a delivery. */
export const MAIL_TIMEOUTS_MS = { step: 15_000, answer: 30_000, all: 45_000 }

/** Text and HTML together. A server may say only after the whole message that it is too large. */
const MOST_SENT_BYTES = 1_000_000
const PORTS: Readonly<Record<string, string>> = { 'smtp:': '587', 'smtps:': '465' }

/**
 * Hands a message to the server, for one recipient. Certificates are checked, and TLS is required unless the server is on this
 * machine. Without a message, it only signs in. Throws an OutgoingError if the server could not be
 * asked; or the reason of `signal`, once that is aborted. A server that has the whole message by then may deliver it, so its answer is waited for.
 */
export async function sendMail(
  server: MailServer,
  mail: Mail | null,
  signal?: AbortSignal,
  network: Network = SYSTEM,
): Promise<MailReply> {
  const url = new URL(server.url)
  url.port ||= PORTS[url.protocol] ?? ''
  const timeout = AbortSignal.timeout(MAIL_TIMEOUTS_MS.all)
  const stopping = new AbortController()
  let isSent = false
  const end = async () => {
    if (isSent) await pause(MAIL_TIMEOUTS_MS.answer)
    stopping.abort(signal?.reason)
  }
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) await end()
  const stop = AbortSignal.any([timeout, stopping.signal])
  const onSent = () => {
    isSent = true
  }
  try {
    const destination = await stoppable(operatedDestination(url, network), stop)
    let last: unknown
    for (const address of destination.addresses.slice(0, MOST_ADDRESSES)) {
      try {
        return await converse(server, mail, destination, address, stop, onSent, network)
      } catch (error) {
        last = error
        if (!UNREACHABLE.has(causeOf(error))) break
      }
    }
    throw last
  } catch (error) {
    stopping.signal.throwIfAborted()
    return replyIn(error) ?? refuse(url, error, timeout.aborted)
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Talks to an address that was checked: the name is only that of its certificate. */
async function converse(
  server: MailServer,
  mail: Mail | null,
  { url, name }: Destination,
  address: string,
  signal: AbortSignal,
  onSent: () => void,
  { ca, dial = (to) => to }: Network,
): Promise<MailReply> {
  const [from, replyTo] = [mailboxOf(server.from), mailboxOf(server.replyTo)]
  const to = mail && mailAddressOf(mail.to)
  // The library would take what follows a line break in an address for another recipient.
  if (!from || (mail && to === null))
    throw new OutgoingError('address', 'The sender or the recipient is not an address.')
  if (mail && Buffer.byteLength(mail.html + mail.text) > MOST_SENT_BYTES)
    throw new OutgoingError(
      'size',
      `The message is larger than ${MOST_SENT_BYTES.toLocaleString('en')} bytes.`,
    )
  const isLocal = isLoopback(parseAddress(address) as Address)
  const { step, answer } = MAIL_TIMEOUTS_MS
  const { createTransport } = await library()
  const transport = createTransport({
    host: dial(address),
    port: Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: !isLocal,
    tls: {
      ...(name !== null && { servername: name }),
      ...(ca !== undefined && { ca }),
      // Packages give a server of this machine a certificate that nobody signed, and no TLS would do too.
      rejectUnauthorized: !isLocal || url.protocol === 'smtps:',
    },
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: server.password } }),
    name: from.address.slice(from.address.indexOf('@') + 1),
    connectionTimeout: step,
    greetingTimeout: step,
    socketTimeout: answer,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (!mail || to === null) {
    await stoppable(transport.verify(), signal)
    return { status: 250, words: '', isFinal: false }
  }
  transport.use('stream', ({ message }, done) => {
    message?.transform(
      () =>
        new PassThrough({
          flush: (flushed) => {
            onSent()
            flushed()
          },
        }),
    )
    done()
  })
  const { response } = await transport.sendMail({
    envelope: { from: from.address, to: [to] },
    from: named(from),
    to,
    ...(replyTo && { replyTo: named(replyTo) }),
    subject: withoutEncodedWords(plain(mail.subject)),
    messageId: plain(mail.messageId),
    date: mail.date,
    headers: mapRows(mail.headers, plain),
    text: mail.text,
    html: mail.html,
    textEncoding: encodingOf(mail.text + mail.html).name,
    signal,
  })
  return { status: 250, words: wordsOf(response), isFinal: false }
}

/** Most processes send no mail. */
const library = () => import('nodemailer')

const named = ({ name, address }: Mailbox) => ({ name: plain(name), address })

/** Clients would decode what an author wrote in this form, line breaks too. */
const withoutEncodedWords = (text: string): string => text.replaceAll('=?', '=\u200b?')

/** The shorter encoding of a text in a message, and at most how many bytes it then has. */
export function encodingOf(text: string): { name: 'base64' | 'quoted-printable'; bytes: number } {
  const bytes = Buffer.byteLength(text)
  const breaks = text.split('\n').length
  const escaped = Buffer.byteLength(text.replace(/[\t\n -<>-~]/g, ''))
  const quoted = (bytes + 2 * escaped) * 1.06
  const base64 = bytes * 1.38
  return {
    name: quoted < base64 ? 'quoted-printable' : 'base64',
    bytes: breaks + Math.min(quoted, base64),
  }
}

const wordsOf = (response: string): string => response.replace(/^\d{3}[ -]/, '')

/** What the library knows of a failure. */
interface Failure {
  code?: string
  /** The code of the system, if its own took the place of that. */
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
  permanent?: boolean
}

const failureOf = (error: unknown): Failure => (error instanceof Error ? (error as Error & Failure) : {})

const causeOf = (error: unknown): string => failureOf(error).originalCode ?? codeOf(error)

/** The reply of a server that did not take the message; null if the conversation never came to it. */
function replyIn(error: unknown): MailReply | null {
  const { code, command = '', response = '', responseCode: status, permanent = false } = failureOf(error)
  if (!status || code === 'EAUTH' || code === 'ETLS') return null
  return { status, words: wordsOf(response), isFinal: permanent && ['RCPT TO', 'DATA'].includes(command) }
}

function refuse(url: URL, cause: unknown, isLate: boolean): never {
  if (cause instanceof OutgoingError) throw cause
  const { code, command, response = '' } = failureOf(cause)
  const known = connectionFault(url, causeOf(cause), cause)
  if (known) throw known
  if (code === 'EAUTH')
    throw new OutgoingError(
      'refused',
      `${url.host} refused the user name or password: ${withPeriod(response || code)}`,
      {
        hint: 'Check the user in SMTP_URL, and SMTP_PASSWORD.',
        cause,
      },
    )
  if (isLate || code === 'ETIMEDOUT')
    throw new OutgoingError('timeout', `${url.host} did not take the message in time.`, {
      hint: 'Check the port in SMTP_URL, and whether it needs smtps://, then the log of the mail server.',
      cause,
    })
  if (command === 'STARTTLS')
    throw new OutgoingError('plain', `${url.host} does not offer STARTTLS, so nothing was sent.`, {
      hint: 'Use a port with TLS: smtps:// and usually 465.',
      cause,
    })
  throw new OutgoingError(
    'broken',
    `${url.host} ended the conversation (${response || causeOf(cause) || 'no reply'}).`,
    {
      hint:
        url.protocol === 'smtps:'
          ? 'If it expects STARTTLS on this port, use smtp://.'
          : 'If it expects TLS on this port, use smtps://.',
      cause,
    },
  )
}
