import { changeEntry, summaryEntry } from '../domain/entries.ts'
import { mapRows } from '../domain/objects.ts'
import type { Change, Product } from '../domain/records.ts'
import { cut } from '../domain/text/cut.ts'
import { formatInstant } from '../domain/time/time.ts'
import { CHANGE_TEXTS } from '../domain/versions/texts.ts'
import type { PublicVersion } from '../store/records/types.ts'
import type { Links, Message } from './message.ts'

/** Receivers may refuse more than 20 KB. */
const MOST_BODY_BYTES = 20_000
const TITLE_LENGTH = 300

/** The body of a webhook: `data` has the names of the API's version detail, without its long texts. */
export function webhookBody(message: Message, links: Links): string {
  const { type } = message
  const timestamp = formatInstant(message.at)
  const written = (data: object) => JSON.stringify({ type, timestamp, data })
  switch (message.type) {
    case 'version.published':
    case 'version.updated': {
      const data = { ...versionData(message.found), ...links.version(message.found) }
      return fitting(message.found.changes.map(changeData), (changes) => written({ ...data, changes }))
    }
    case 'version.withdrawn':
      return written({ object: 'changelog.version', id: message.id, version: message.label })
    case 'versions.published': {
      const { product, versions } = message
      const data = { object: 'changelog', ...placeOf(product), versionCount: versions.length }
      const list = versions.map((found) => ({ ...summary(found), ...links.version(found) }))
      return fitting(list, (versions) => written({ ...data, ...links.changelog(product), versions }))
    }
    case 'hook.test':
      return written({ object: 'hook', id: message.id, name: message.name })
  }
}

/** With as many elements as fit: the counts in `data` and the API have the rest. */
function fitting<T>(elements: readonly T[], write: (some: readonly T[]) => string): string {
  let room = MOST_BODY_BYTES - Buffer.byteLength(write([]))
  const fits = elements.findIndex((element) => {
    room -= Buffer.byteLength(JSON.stringify(element)) + 1
    return room <= 0
  })
  return write(fits === -1 ? elements : elements.slice(0, fits))
}

const placeOf = ({ team, slug, name, changelog }: Product) => ({
  team: { slug: team.slug, name: team.name },
  product: { slug, name },
  changelog: { id: changelog.id, name: changelog.name, status: changelog.status },
})

const summary = ({ version }: PublicVersion) => ({
  ...summaryEntry(version),
  title: cut(version.title, TITLE_LENGTH),
})

const versionData = (found: PublicVersion) => ({
  ...summary(found),
  ...placeOf(found.product),
  dateKnown: found.version.dateKnown,
})

const NO_TEXTS = mapRows(CHANGE_TEXTS, () => undefined)

const changeData = (change: Change) => ({
  ...changeEntry(change),
  ...NO_TEXTS,
  title: cut(change.title, TITLE_LENGTH),
})
