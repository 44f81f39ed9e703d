import { parseAddress } from '../../domain/addresses/ip-address.ts'

const V6 = /^\[([\da-f:.]+)\]$/i
const LABEL = /^\w(?:[\w-]{0,61}\w)?$/
const NUMBER = /^\d+$/
const MAX_NAME = 253
const MAX_PORT = 65_535

/** True if a `Host` header is empty, or one host name or address, perhaps with a port. */
export function isHost(header: string): boolean {
  if (header === '') return true
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(header) ?? []
  if (Number(port) > MAX_PORT) return false
  const v6 = V6.exec(host)?.[1]
  return v6 === undefined ? isName(host) : v6.includes(':') && parseAddress(v6) !== null
}

/** A name, perhaps with a dot at its end; or an IPv4 address, if its last part is a number. */
function isName(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.')
  if (host.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return false
  return !NUMBER.test(labels.at(-1) ?? '') || parseAddress(host) !== null
}
