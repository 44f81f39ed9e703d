import { type Address, type Cidr, inCidr, isV4, parseCidr } from '../domain/addresses/ip-address.ts'

/**
 * True for an address of the internet: not of this machine, a private network or a cloud's metadata service, and not
 * reserved. In IPv6, only global unicast is; NAT64 is judged by the IPv4 address in it.
 */
export function isPublic(address: Address): boolean {
  if (isV4(address)) return !NOT_PUBLIC_V4.some((range) => inCidr(address, range))
  if (inCidr(address, NAT64)) return isPublic([0, 0, 0xffff, address[3]])
  return inCidr(address, GLOBAL_UNICAST) && !NOT_PUBLIC_V6.some((range) => inCidr(address, range))
}

const range = (text: string): Cidr => {
  const cidr = parseCidr(text)
  if (!cidr) throw new Error(`${text} is no range`)
  return cidr
}

/**
 * True for an address that a server of the operator may have, who named it: of this machine or a private network too, but not of
 * the link, of a cloud's metadata service, or of several machines.
 */
export function isOperable(address: Address): boolean {
  if (!isV4(address) && inCidr(address, NAT64)) return isOperable([0, 0, 0xffff, address[3]])
  return !INOPERABLE.some((range) => inCidr(address, range))
}

/** From the special-purpose registry of IANA, with what clouds use for metadata outside of it. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and the metadata of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata of Azure
  '169.254.0.0/16', // link-local, and the metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, and the metadata of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(range)

const INOPERABLE = [
  ...['0.0.0.0/8', '100.100.100.200/32', '168.63.129.16/32', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3'],
  ...['::/128', 'fd00:ec2::254/128', 'fe80::/10', 'ff00::/8'],
].map(range)

const GLOBAL_UNICAST = range('2000::/3')
const NAT64 = range('64:ff9b::/96')

const NOT_PUBLIC_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which holds any IPv4 address
  '3fff::/20', // documentation
].map(range)
