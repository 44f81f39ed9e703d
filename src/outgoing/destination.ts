import { lookup } from 'node:dns/promises'
import { type Address, addressText, parseAddress } from '../domain/addresses/ip-address.ts'
import { withHint } from '../domain/refusal.ts'
import { OutgoingError } from './errors.ts'
import { isOperable, isPublic } from './public-address.ts'

/** The effects of a request: tests give names other addresses, and trust an authority of their own. */
export interface Network {
  /** The addresses of a name, in the order to try them. Rejects for a name without any. */
  resolve(name: string): Promise<readonly string[]>
  /** Certificates of authorities in PEM; those of the system without it. */
  ca?: string
  /** Where to connect in place of an address. */
  dial?(address: string): string
}

export const SYSTEM: Network = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
}

/** Where a request may go: `addresses` were checked, and only these are connected to. */
export interface Destination {
  url: URL
  /** The certificate's; null if the URL has an IP address. */
  name: string | null
  addresses: readonly string[]
}

/**
 * Resolves the host of a URL and checks its addresses. Throws an OutgoingError if none is allowed: private ones are with
 * `allowPrivate`, and only to these plain http is.
 */
export async function destinationOf(
  url: URL,
  allowPrivate: boolean,
  network: Network = SYSTEM,
): Promise<Destination> {
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('address', `The address of ${url.host} contains a user name or password.`, {
      hint: 'Remove them from the address.',
    })
  return resolved(url, network, (all) => usableOf(url, all, allowPrivate))
}

/** The destination of a server that the operator named. Refuses addresses that none has. */
export const operatedDestination = (url: URL, network: Network = SYSTEM): Promise<Destination> =>
  resolved(url, network, (all) => {
    const addresses = all.filter(isOperable)
    if (addresses.length > 0) return addresses
    const reason = 'is a link-local or metadata address, where no mail server is.'
    throw new OutgoingError('address', `${hostOf(url)} ${reason}`)
  })

async function resolved(
  url: URL,
  network: Network,
  usable: (all: readonly Address[]) => readonly Address[],
): Promise<Destination> {
  const host = hostOf(url)
  const literal = parseAddress(host)
  const addresses = usable(literal ? [literal] : await addressesOf(host, network))
  return { url, name: literal ? null : host, addresses: addresses.map(addressText) }
}

/**
 * Refuses a request that is wrong whatever the name resolves to, without resolving it, with the remedy of `remedyOf`.
 */
export function refuseDestination(
  url: URL,
  allowPrivate: boolean,
  remedyOf: (error: OutgoingError) => string | null | undefined,
): void {
  const host = hostOf(url)
  const known = parseAddress(host) ?? (LOCAL.test(host) ? LOOPBACK : null)
  try {
    if (known) usableOf(url, [known], allowPrivate)
    else if (url.protocol === 'http:' && !allowPrivate)
      throw plainHttp(`Plain http to ${url.host} is not allowed, because it is not encrypted.`)
  } catch (error) {
    throw error instanceof OutgoingError ? withHint(error, remedyOf(error) ?? '') : error
  }
}

const LOCAL = /(^|\.)localhost$/i
const LOOPBACK = parseAddress('127.0.0.1')

const plainHttp = (message: string): OutgoingError =>
  new OutgoingError('plain', message, { hint: 'Use an https:// address.' })

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** The allowed addresses: at least one. */
function usableOf(url: URL, all: readonly Address[], allowPrivate: boolean): readonly Address[] {
  const allowed = allowPrivate ? all : all.filter(isPublic)
  const [first] = all
  if (allowed.length === 0 && first) {
    const host = hostOf(url)
    const which = parseAddress(host) ? host : `${host} (${addressText(first)})`
    throw new OutgoingError('private', `${which} is a private address.`)
  }
  const isPlain = url.protocol === 'http:'
  const usable = isPlain ? allowed.filter((address) => !isPublic(address)) : allowed
  if (usable.length === 0) throw plainHttp(`${url.host} is on the internet, and plain http is not encrypted.`)
  return usable
}

async function addressesOf(host: string, network: Network): Promise<Address[]> {
  let found: readonly string[]
  try {
    found = await network.resolve(host)
  } catch (cause) {
    throw unknownName(host, cause)
  }
  const addresses = found.map(parseAddress).filter((address) => address !== null)
  if (addresses.length === 0) throw unknownName(host)
  return addresses
}

const unknownName = (host: string, cause?: unknown): OutgoingError =>
  new OutgoingError('name', `Cannot resolve ${host}.`, {
    hint: 'Check the spelling and your DNS.',
    cause,
  })
