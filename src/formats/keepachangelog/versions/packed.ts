import type { ChangeDraft } from '../../../domain/records.ts'
import type { ParsedVersion } from '../../parsed.ts'
import type { UnresolvedVersion } from './status.ts'

/** Holds description and changes as one string: as objects they take several times the memory. */
export class PackedVersion implements UnresolvedVersion {
  label: string
  title: string
  date: UnresolvedVersion['date']
  numericDate: UnresolvedVersion['numericDate']
  status: UnresolvedVersion['status']
  readonly scheduled?: boolean
  readonly falseDate?: string
  readonly line: number
  #text: string

  constructor(version: UnresolvedVersion) {
    const {
      label,
      title,
      date,
      numericDate,
      status,
      scheduled,
      falseDate,
      line,
      description,
      closing,
      changes,
    } = version
    this.label = label
    this.title = title
    this.date = date
    this.numericDate = numericDate
    this.status = status
    if (scheduled) this.scheduled = true
    if (falseDate !== undefined) this.falseDate = falseDate
    this.line = line
    this.#text = pack({ description, closing: closing ?? null, changes })
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

const pack = ({ description, closing, changes }: Text): string =>
  JSON.stringify({ description, closing, changes })

/** The version that was unpacked last: its fields are read one after the other. */
let last: { text: string; content: Text } | undefined

function unpack(text: string): Text {
  if (last?.text !== text) last = { text, content: JSON.parse(text) }
  return last.content
}
