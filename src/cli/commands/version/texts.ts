import { address, type Instant, type Product, type Version } from '../../../domain/records.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { LOCAL_RULE, spelledOut } from '../../../domain/time/time.ts'
import { hiddenVersion } from '../../../domain/versions/hidden.ts'
import type { Erring } from '../../arguments/arguments.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../session.ts'
import { versionJson } from '../../terminal/json.ts'
import { ahead } from '../../terminal/moments.ts'
import { hiddenNotes } from '../../terminal/records.ts'
import { type Message, plain, sentence } from '../../terminal/text.ts'

/** The time that `--at` names, also in words; text that names none is wrong usage. */
export async function momentAhead(context: Context, command: Erring, at: Instant | string): Promise<Instant> {
  if (typeof at === 'number') return at
  const { momentInWords, WORDS_RULE } = await import('../../arguments/moment-in-words.ts')
  const rule = `it must be ${LOCAL_RULE}, or ${WORDS_RULE}, with a time of day`
  return (await momentInWords(at, context.now())) ?? command.error(`error: --at is '${at}': ${rule}`)
}

/** Notes for an update that has hidden a published or scheduled version. */
export function hidingNotes(product: Product, before: Version, after: Version): string[] {
  if (after.status !== 'draft' || after.scheduled) return []
  const name = versionText(product, after)
  if (before.scheduled) return [sentence(`${name} is no longer scheduled. It is a draft`)]
  return before.status === 'published' ? [sentence(`${name} is a draft again and no longer public`)] : []
}

/** Says what was done to a version: its state, and its time if it is scheduled or one was given. */
export function doneText(
  context: Context,
  done: 'Created' | 'Updated',
  product: Product,
  version: Version,
  isDated: boolean,
): string {
  const { scheduled, id, publishedAt } = version
  const text = `${done} ${versionText(product, version)} (${storedStatus(version)}, ${id}).`
  if (scheduled) return `${text} It will be published at ${ahead(publishedAt, context.now())}.`
  return isDated ? `${text} Its date is ${spelledOut(publishedAt)}.` : text
}

/** The version as JSON, what was done to it, and why it is still hidden, if it is published. */
export const outcomeOf = (
  product: Product,
  version: Version,
  text: string,
  notes: readonly Message[] = [],
): Outcome => ({
  json: versionJson(version),
  text,
  notes: [...notes, ...hiddenNotes(version.status === 'published' ? hiddenVersion(product, version) : [])],
})

export const versionText = (product: Product, version: Version): string =>
  `version ${plain(version.label)} of ${address(product)}`

export const AT_HELP = `Times:
  2026-12-01T09:00        local time of this machine
  2026-12-01T09:00+01:00  with an offset, or Z for UTC
  2026-12-01              midnight UTC
  "friday 9am", +2h       the next such time; give both a
                          day and a time of day

`
