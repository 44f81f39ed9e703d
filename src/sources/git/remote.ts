import { Refusal } from '../../domain/refusal.ts'
import { isLocalPath } from '../../domain/sources.ts'
import { commandWords } from '../../domain/text/shell.ts'
import { fileAt } from '../../files/lookup.ts'
import { type Destination, destinationOf } from '../../outgoing/destination.ts'
import type { Check } from '../check-context.ts'
import { fetchFor } from '../fetch.ts'
import { REFS } from '../origin.ts'
import { tokenFor } from '../tokens.ts'

/** How git reaches a remote: only by this protocol, and only at an address that was checked. */
export interface Remote {
  url: string
  protocol: 'https' | 'http' | 'ssh' | 'file'
  config: readonly (readonly [name: string, value: string])[]
  ssh?: string
  /** Secrets that a server may repeat: never in a message. The longest first. */
  secrets?: readonly string[]
}

/** Resolves and checks the address of a remote. Refuses ssh without a file of known hosts. */
export async function remoteOf(address: string, check: Check): Promise<Remote> {
  if (isLocalPath(address)) return { url: address, protocol: 'file', config: [] }
  if (/^https?:/.test(address)) return overHttp(address, check)
  return overSsh(address, check)
}

/**
 * Follows redirects and checks each: git itself follows none. GitLab redirects to the name that ends in `.git`.
 * The address itself if it answers no more than that something is wrong, which git says better.
 */
export async function redirectedRemote(address: string, check: Check): Promise<string> {
  if (!/^https?:/.test(address)) return address
  // The newer protocol does not list all refs here.
  const headers = (token: string | null) => ({ 'git-protocol': 'version=2', ...basic(token) })
  const { url } = await fetchFor(address + REFS, check, { headers })
  return url.endsWith(REFS) ? url.slice(0, -REFS.length) : address
}

/** Hosts take a token as the password of any user, GitHub and GitLab of this one. */
const basic = (token: string | null): Record<string, string> =>
  token === null
    ? {}
    : { authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}` }

const formsOf = (token: string): string[] => {
  const base64 = [`x-access-token:${token}`, token].map((text) => Buffer.from(text).toString('base64'))
  return [...base64, ...base64.map((text) => text.replace(/=+$/, '')), encodeURIComponent(token), token]
}

async function overHttp(address: string, check: Check): Promise<Remote> {
  const url = new URL(address)
  const destination = await destinationOf(url, check.allowPrivate, check.network)
  const token = tokenFor(check.source, url.origin, check.env)
  const header = basic(token).authorization
  return {
    url: address,
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    config: [
      ...resolved(destination),
      // Only for this origin, in the environment of git, where other users do not see it.
      ...(header === undefined
        ? []
        : ([[`http.${url.origin}/.extraHeader`, `Authorization: ${header}`]] as const)),
    ],
    ...(token !== null && { secrets: formsOf(token) }),
  }
}

function resolved({ url, name, addresses }: Destination): Remote['config'] {
  if (name === null) return []
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  const list = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',')
  return [['http.curloptResolve', `${url.hostname}:${port}:${list}`]]
}

/** `ssh://user@host:port/path`, or `user@host:path`. */
const SSH =
  /^(?:ssh:\/\/(?:[\w.-]+@)?(?<host>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>\d+))?\/|[\w.-]+@(?<scp>[\w.-]+):)/i

/** The host and port of an ssh address, as a URL that can be checked; null if it is none. */
export function sshDestination(address: string): URL | null {
  const { host, scp, port = '22' } = SSH.exec(address)?.groups ?? {}
  return URL.parse(`https://${host ?? scp}:${port}`)
}

async function overSsh(address: string, check: Check): Promise<Remote> {
  const parts = SSH.exec(address)?.groups
  const host = parts?.host ?? parts?.scp
  if (host === undefined || host.startsWith('-'))
    throw new Refusal(`${address} is not the address of a git remote.`)
  const { knownHosts, source, allowPrivate, network } = check
  if (knownHosts === null || !fileAt(knownHosts)?.isFile())
    throw new Refusal('ssh needs a known_hosts file.', {
      hint: `Create it with ssh-keyscan ${host}, and compare the keys with those that the host publishes. Then set FOLLOW_KNOWN_HOSTS to its path.`,
    })
  const port = parts?.port ?? '22'
  const { addresses } = await destinationOf(new URL(`https://${host}:${port}`), allowPrivate, network)
  const options = {
    HostName: addresses[0] ?? '',
    HostKeyAlias: port === '22' ? host : `[${host.replace(/^\[|\]$/g, '')}]:${port}`,
    UserKnownHostsFile: knownHosts,
    GlobalKnownHostsFile: 'none',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    CheckHostIP: 'no',
    BatchMode: 'yes',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    PermitLocalCommand: 'no',
    ConnectTimeout: '20',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '2',
    ...(source.tokenFile !== null && { IdentityFile: source.tokenFile, IdentitiesOnly: 'yes' }),
  }
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return { url: address, protocol: 'ssh', config: [], ssh: commandWords(['ssh', '-F', 'none', ...words]) }
}
