import { domainToASCII } from 'node:url'

/** An address of mail, and the name that clients show in its place. */
export interface Mailbox {
  name: string
  address: string
}

export const MAIL_RULE =
  'one address, such as changelog@lists.example.com, without letters outside ASCII before the @'

/** By RFC 5321, without quotes, comments and anything else that few servers take, and of which some make other recipients. */
const LOCAL_PART = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^(?=.{1,190}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/

/** The address with an ASCII domain; null if it is not one. */
export function mailAddressOf(text: string): string | null {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), domainToASCII(text.slice(at + 1)).toLowerCase()]
  return at > 0 && !/[\s\p{C}]/u.test(text) && LOCAL_PART.test(local) && DOMAIN.test(domain)
    ? `${local}@${domain}`
    : null
}

/** The address of a mail hook, as it is stored. */
export function mailUrlOf(text: string): string | null {
  const address = mailAddressOf(text.replace(/^mailto:/, ''))
  return address === null ? null : MAILTO + address
}

export const MAILTO = 'mailto:'

/** `Acme <news@acme.example>`, or the address alone. */
export function mailboxOf(text: string): Mailbox | null {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = mailAddressOf(inBrackets ?? text.trim())
  const shown = name.trim().replace(/^"([^"\\]*)"$/, '$1')
  return address === null || /[\p{Cc}"\\]/u.test(shown) ? null : { name: shown, address }
}

export const LIST_URL_RULE =
  'an https:// address of at most 900 characters, with no user name, password or line break'

/** The address of a page of a mailing list, as it is stored; null if it is not one. A header has it in a line of at most 998 bytes. */
export function listUrlOf(text: string): string | null {
  const url = /\p{Cc}/u.test(text) ? null : URL.parse(text)
  const isShort = url !== null && url.href.length <= 900
  return url?.protocol === 'https:' && !url.username && !url.password && isShort ? url.href : null
}
