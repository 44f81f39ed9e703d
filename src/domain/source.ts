import { SOURCE_RULE, sourceAddress } from './addresses/source.ts'
import type { Source } from './records.ts'
import { Refusal } from './refusal.ts'
import { checkOneLine, checkText } from './rules.ts'
import { DAY_MS } from './time/time.ts'

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
  const { url, kind, hostKind, file, ref, tagDates, tagPrefix, stable } = source
  // Without `stable`, the text is that of older programs, whose memory stays valid.
  return JSON.stringify([url, kind, hostKind, file, ref, tagDates, tagPrefix, ...(stable ? ['stable'] : [])])
}
