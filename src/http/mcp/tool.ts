import { type Static, type TObject, Type } from '@sinclair/typebox'
import { mapRows } from '../../domain/objects.ts'
import { LIMITS } from '../../domain/records.ts'
import { type FilterName, VERSION_FILTERS, type VersionFilter } from '../../domain/versions/properties.ts'
import type { Pace } from '../../notes/writing.ts'
import type { Cursor } from '../../store/store.ts'
import { oneOf } from '../api/openapi/response-schemas.ts'
import { readCursor, writeCursor } from '../reading/addresses.ts'
import { KIND } from '../reading/parameters.ts'
import type { Source } from '../reading/slices.ts'
import { ApiError } from '../request/errors.ts'

/** What a tool reads: a changelog; or, if it takes none, what the audience may list. */
export interface Asked extends Source {
  pace: Pace
  /** The address of the site. */
  baseUrl(): string
  /** The public gets lists of changelogs. */
  hasLists: boolean
  /** Takes more requests from the limit of the caller, if it has one. */
  charge(requests: number): void
}

/** What agents read to choose a tool, what it takes and returns, and how it is read; null if nothing has these names. */
export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  read(asked: Asked, given: Static<Input>): Promise<Static<Output> | null>
}

/** Infers the types of a tool from its schemas. */
export const defineTool = <Input extends TObject, Output extends TObject>(tool: Tool<Input, Output>) => tool

/** About 2,000 tokens. */
const DEFAULT_LENGTH = 6_000
const LEAST_LENGTH = 1_000
const MOST_LENGTH = 100_000

/** What several tools take. */
export const changelog = Type.String({
  maxLength: 200,
  description:
    'Team and product, such as acme/app, or a product or name that only one has. See list_changelogs.',
})
export const label = (description: string) =>
  Type.String({ minLength: 1, maxLength: LIMITS.label, description })
export const kind = Type.Optional(oneOf(KIND.values, 'Only changes of this kind.'))
export const filters = mapRows(VERSION_FILTERS, ({ inShort }) => Type.Optional(oneOf(['yes', 'no'], inShort)))
/** The other value leaves nothing out. */
export const filterIn = (given: Partial<Record<FilterName, 'yes' | 'no'>>): VersionFilter =>
  mapRows(VERSION_FILTERS, ({ value }, name) => (given[name] === value ? value : null))
export const cursor = Type.Optional(
  Type.String({ maxLength: 200, description: '`next` from the previous response.' }),
)
export const maxLength = Type.Optional(
  Type.Integer({
    minimum: LEAST_LENGTH,
    maximum: MOST_LENGTH,
    default: DEFAULT_LENGTH,
    description: `Maximum length of the response in characters, ${DEFAULT_LENGTH} by default. Longer texts are cut and changes omitted.`,
  }),
)

/** What is in an answer only where there is something to say. */
export const someText = (description: string) => Type.Optional(Type.String({ description }))
export const someNumber = (description: string) => Type.Optional(Type.Integer({ description }))
export const mark = (description: string) => Type.Optional(Type.Literal(true, { description }))
export const note = someText('What to know about this answer.')
export const next = someText('The `cursor` of the next page, if there is one.')

export const lengthOf = ({ maxLength = DEFAULT_LENGTH }: { maxLength?: number }): number => maxLength

/** The length left after what is begun. */
export function roomOf(length: number, begun: object) {
  let left = length - JSON.stringify(begun).length
  return {
    left: () => left,
    take: (part: object): boolean => {
      const size = JSON.stringify(part).length + 1
      if (size > left) return false
      left -= size
      return true
    },
  }
}

export const wrongCursor = () =>
  new ApiError('bad_request', 'cursor must be `next` from a previous response.')

/** The position where a cut answer continues: after `skip` changes of the versions after `after`, up to `to`. */
export const writePlace = (skip: number, after: Cursor | null, to = ''): string =>
  [skip, after ? writeCursor(after) : '', to].join('.')

export function placeIn(cursor = '0..'): { skip: number; after: Cursor | null; to?: string } {
  const [, skip, position, to] = /^(\d{1,7})\.([\w-]*)\.(.*)$/.exec(cursor) ?? []
  const after = position ? readCursor(position) : null
  if (skip === undefined || after === undefined) throw wrongCursor()
  return { skip: Number(skip), after, ...(to && { to }) }
}
