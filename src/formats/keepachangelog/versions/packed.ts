import type { ChangeDraft } from '../../../domain/records.ts'
import type { ParsedVersion } from '../../parsed.ts'
import type { UnresolvedVersion } from './status.ts'

/** Holds description and changes as one string: as objects they take several times the memory. */
export class PackedVersion implements UnresolvedVersion {
  declare label: string
  declare title: string
  declare date: UnresolvedVersion['date']
  declare numericDate: UnresolvedVersion['numericDate']
  declare status: UnresolvedVersion['status']
  declare readonly scheduled?: boolean
  declare readonly falseDate?: string
  declare readonly yanked?: string | null
  declare readonly line: number
  declare source: ParsedVersion['source']
  #text: string

  constructor({ description, closing = null, changes, ...others }: UnresolvedVersion) {
    Object.assign(this, others)
    this.#text = pack({ description, closing, changes })
  }

  get description(): string | null {
    return unpack(this.#text).description
  }

  set description(description: string | null) {
    this.#text = pack({ ...unpack(this.#text), description })
  }

  get closing(): string | null {
    return unpack(this.#text).closing ?? null
  }

  get changes(): ChangeDraft[] {
    return unpack(this.#text).changes
  }
}

type Text = Pick<ParsedVersion, 'description' | 'closing' | 'changes'>

/** A plain list: the names of fields would take as much as short texts. */
const pack = ({ description, closing, changes }: Text): string =>
  JSON.stringify([
    ...[description, closing],
    ...changes.flatMap((change) => [change.type, change.typeLabel, change.title, change.description]),
  ])

/** The version that was unpacked last: its fields are read one after the other. */
let last: { text: string; content: Text } | undefined

function unpack(text: string): Text {
  if (last?.text === text) return last.content
  const [description, closing, ...fields]: [string | null, string | null, ...(string | null)[]] =
    JSON.parse(text)
  const changes: ChangeDraft[] = []
  for (let at = 0; at < fields.length; at += 4) {
    const [type, typeLabel, title, own] = fields.slice(at, at + 4) as [
      string,
      string | null,
      string,
      string | null,
    ]
    changes.push({ type, ...(typeLabel !== null && { typeLabel }), title, description: own })
  }
  last = { text, content: { description, closing, changes } }
  return last.content
}
