import type { Source } from './records.ts'
import { Refusal } from './refusal.ts'
import { checkOneLine, checkText } from './rules.ts'
import { DAY_MS } from './time/time.ts'

/** Followed sources: their addresses, and the rules of their options. */

export const SOURCE_RULE = 'an https:// or ssh:// address, git@host:path, or an absolute path on this machine'

const MOST = 1_000
/** Parameters that hold a secret: addresses are stored, exported and logged. */
const SECRET =
  /token|secret|passw|pwd|auth|credential|signature|session|jwt|key(?:_?id)?$|(?:^|[-_.])sig(?:$|[-_.])|^(?:code|sid)$/i
/** A user or host that begins with a hyphen would be an option of ssh. */
const SCP = /^[\w.][\w.-]*@[\w.][\w.-]*:[^\s:][^\s]*$/
const SSH = /^ssh:\/\/(?:[\w.][\w.-]*@)?(?:[\w.][\w.-]*|\[[\da-f:.]+\])(?::\d+)?\//i

/** True if the name of a parameter tells of a secret. */
export const hasSecret = ({ searchParams }: URL): boolean =>
  [...searchParams.keys()].some((name) => SECRET.test(name))

/** The address as it is stored; null if a product cannot follow it, for example because a password is in it. */
export function sourceAddress(text: string): string | null {
  const address = text.trim()
  if (address.length > MOST || /\p{Cc}/u.test(address)) return null
  if (address.startsWith('/')) return address
  if (SCP.test(address)) return address
  const url = URL.parse(address)
  if (!url || !/^(https?|ssh):$/.test(url.protocol) || url.hostname === '') return null
  const isHttp = url.protocol !== 'ssh:'
  if (!isHttp && !SSH.test(address)) return null
  if (url.password || (isHttp && url.username) || url.hash) return null
  if (hasSecret(url)) return null
  return isHttp ? url.href.replace(/(?<=[^/])\/$/, '') : address
}

export const isLocalPath = (address: string): boolean => address.startsWith('/')

/** How often a source is checked, unless its operator says otherwise. */
export const EVERY_MS = 15 * 60_000
const LEAST_EVERY_MS = 60_000
const MOST_EVERY_MS = 30 * DAY_MS

export const EVERY_RULE = 'from 1m to 30d'

export const isInterval = (ms: number): boolean => ms >= LEAST_EVERY_MS && ms <= MOST_EVERY_MS

/** Checks the form of a source. A check finds out if it can be reached. */
export function checkSource({ url, every, file, ref, tagPrefix, tokenFile }: Source): void {
  if (sourceAddress(url) !== url) throw new Refusal(`The address of a source must be ${SOURCE_RULE}.`)
  if (!isInterval(every)) throw new Refusal(`The interval of a source must be ${EVERY_RULE}.`)
  for (const [what, text] of Object.entries({ file, ref, 'tag prefix': tagPrefix, 'token file': tokenFile }))
    if (text !== null) checkPart(what, text)
  if (file !== null && (file.startsWith('/') || file.split('/').includes('..')))
    throw new Refusal(`${JSON.stringify(file)} is not a path in a repository, such as docs/CHANGELOG.md.`)
  if (tokenFile !== null && !tokenFile.startsWith('/'))
    throw new Refusal(`The path of the token file must be absolute: ${JSON.stringify(tokenFile)}.`)
}

/** Checks a text that becomes a word of a command or part of an address. */
function checkPart(what: string, text: string): void {
  checkText('title', text, what)
  checkOneLine(what, text)
  if (text === '' || text.startsWith('-'))
    throw new Refusal(`The ${what} must not be empty, nor start with a hyphen.`)
}

/** A check's memory counts only for an equal target. */
export function targetOf(source: Omit<Source, 'id' | 'createdAt'>): string {
  const { url, kind, hostKind, file, ref, tagDates, tagPrefix, stable, pictures } = source
  // Without these two, the text is that of older programs, whose memory stays valid.
  const added = [...(stable ? ['stable'] : []), ...(pictures ? [] : ['no pictures'])]
  return JSON.stringify([url, kind, hostKind, file, ref, tagDates, tagPrefix, ...added])
}
