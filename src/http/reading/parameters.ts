import { mapRows } from '../../domain/objects.ts'
import { isChangeType } from '../../domain/slug.ts'
import { printable } from '../../domain/text/controls.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { ISO_RULE, parseInstant } from '../../domain/time/time.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import { VERSION_FILTERS } from '../../domain/versions/properties.ts'
import type { Audience } from '../../store/store.ts'
import type { Context } from '../request/context.ts'
import type { Tools } from '../tools.ts'
import { parseNames, readCursor } from './addresses.ts'

/**
 * Every query parameter, declared once. The names that a route knows, the schemas that check a request, the message of
 * a 400 and the OpenAPI document follow from it.
 */
export interface Parameter<Value = unknown> {
  /** What a 400 says after the parameter's name. */
  readonly rule: string
  /** Undefined for a text that breaks the rule; null for one that says nothing. */
  parse(text: string): Value | undefined
  /** For the OpenAPI document: of parameters of the API. */
  readonly description?: string
  readonly schema?: object
}

/** The parameters of a route, in the order of a reduced target. */
export type ParameterSet = Readonly<Record<string, Parameter>>

export type NoParameters = Readonly<Record<never, Parameter>>

/** The parameters of a request as they are read: null if they are missing or say nothing. */
export type Values<Set extends ParameterSet> = {
  readonly [Name in keyof Set]: Set[Name] extends Parameter<infer Value> ? Value | null : never
}

/** A request whose path and parameters were checked, and all that is needed to respond. Some paths have the names in `Perhaps`. */
export interface Asked<
  Names extends string = never,
  Set extends ParameterSet = NoParameters,
  Perhaps extends string = never,
> extends Tools {
  readonly context: Context
  /** The API key that the request may use, or the public. */
  readonly audience: Audience
  readonly params: Readonly<Record<Names, string>> & { readonly [Name in Perhaps]?: string }
  readonly query: Values<Set>
}

const parameter = <Value>(
  rule: string,
  parse: Parameter<Value>['parse'],
  schema: object = {},
): Parameter<Value> => ({ rule, parse, schema })

const described = <Value>(
  own: Parameter<Value>,
  description: string,
  ...examples: string[]
): Parameter<Value> => ({
  ...own,
  description,
  schema: examples.length > 0 ? { ...own.schema, examples } : (own.schema ?? {}),
})

/** As text, so that `1e1` and `0x5` are refused. */
const wholeNumber = (minimum: number, maximum: number, range: string) =>
  parameter(
    `must be a whole number ${range}`,
    (text) => {
      const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : -1
      return number >= minimum && number <= maximum ? number : undefined
    },
    { type: 'integer', minimum, maximum },
  )

const oneOf = <const Text extends string>(...values: readonly Text[]) => ({
  ...parameter(
    values.length === 1 ? `must be "${values[0]}"` : `must be one of ${values.join(', ')}`,
    (text) => values.find((each) => each === text),
    values.length === 1 ? { const: values[0] } : {},
  ),
  values,
})

/** Several separated by commas, in small letters or capitals. */
const listOf = <Item extends string>(rule: string, most: number, isItem: (text: string) => text is Item) =>
  parameter(`must be ${rule}`, (text): readonly Item[] | undefined => {
    const items = text.toLowerCase().split(',')
    return items.length <= most && items.every(isItem) ? items : undefined
  })

/** Words of a person: pages repeat them. */
const words = (most: number) =>
  parameter(`must have at most ${most} characters`, (text) => {
    const shown = printable(text).trim()
    return shown.length > most ? undefined : shown || null
  })

/** A form sends its empty fields too. */
const orNothing = <Value>({ parse, ...own }: Parameter<Value>): Parameter<Value | null> => ({
  ...own,
  parse: (text) => (text === '' ? null : parse(text)),
})

/** The longest search text, and the most types of a filter. */
export const MAX_Q = 100
const MAX_TYPES = 20

const anyText = parameter('must be a text', (text) => text)
const cursor = parameter('must come from the Link header of another page', readCursor)
const filters = mapRows(VERSION_FILTERS, ({ value }) => ({
  rule: 'must be yes or no',
  // The other one says nothing: it leaves all versions in.
  parse: (text: string) => (text === value ? value : text === 'yes' || text === 'no' ? null : undefined),
  schema: { enum: ['yes', 'no'] },
}))
export const KIND = oneOf(...KINDS)
const product = parameter(
  'must be a team and a product, such as acme/app',
  (text) => parseNames(text) ?? undefined,
)

/** Of the changelog as JSON. */
export const LIST_PARAMETERS = {
  limit: described(
    wholeNumber(1, 100, 'from 1 to 100'),
    'Maximum number of versions. The `Link` header names the next page. Default: all versions, or 20 with `include=changes`.',
  ),
  cursor: described(
    cursor,
    'Start of the page: an opaque value from the `Link` header of the previous page.',
  ),
  since: described(
    // An unescaped "+" in a query arrives as a space.
    parameter(
      `must be ${ISO_RULE}`,
      (text) => parseInstant(dayIn(text) ?? text.replace(' ', '+')) ?? undefined,
    ),
    'Only versions published at or after this ISO 8601 date or time.',
    '2026-01-02',
    '2026-01-02T03:04:05Z',
  ),
  include: described(
    oneOf('changes'),
    'Adds the changes and the other details of a version to every version. Without `limit`, it means `limit=20`. `type` and `kind` imply it.',
  ),
  after: described(
    anyText,
    'Only versions above this one in the list, by its label or a former one, with or without `v`. An unknown label is a 404 that names `after`.',
    '1.2.0',
  ),
  from: described(
    anyText,
    'Only versions above this one, up to `to`. Two version numbers are compared as numbers, and neither has to exist. Versions with other labels are then left out. A `v` or a package name in front does not matter. `16` means the newest 16.x, and `1.2.x` the newest 1.2, unless a version is called so. Other labels mean the versions between the two in the list, and an unknown one is a 404. If `from` is not below `to`, you get a 400.',
    '1.2.0',
  ),
  to: described(
    anyText,
    'Only versions up to this one, which is included: see `from`. Default: the version that `latest` means. If `from` is not below that, the list is empty.',
    '2.0.0',
  ),
  type: described(
    listOf(
      `at most ${MAX_TYPES} types separated by commas, such as security,fixed`,
      MAX_TYPES,
      (text): text is string => isChangeType(text),
    ),
    `Only changes of these types, and versions that have any. Separate at most ${MAX_TYPES} with commas. Capitals do not matter. \`changeCount\` still counts all changes. Long changelogs are searched in parts. A page may have fewer versions than \`limit\`, or none, and still a next page.`,
    'security,fixed',
  ),
  kind: described(
    listOf(
      `one of ${KINDS.join(', ')}, or several separated by commas`,
      Number.POSITIVE_INFINITY,
      (text): text is Kind => KIND.parse(text) !== undefined,
    ),
    `Only changes of these kinds, and versions that have any: ${KINDS.join(', ')}. Separate several with commas. \`breaking\` and \`security\` find every change with that field true. \`breaking\` also finds versions whose \`description\` mentions a breaking change. With \`type\` too, a change must match both.`,
    'breaking,security',
  ),
  ...mapRows(VERSION_FILTERS, ({ about }, name) => described(filters[name], about)),
} satisfies ParameterSet

/** Of the page of a changelog, which is a search or an upgrade too. */
export const CHANGELOG_PARAMETERS = {
  q: words(MAX_Q),
  kind: orNothing(KIND),
  type: words(200),
  ...filters,
  cursor,
  from: orNothing(anyText),
  to: orNothing(anyText),
} satisfies ParameterSet
export type ChangelogValues = Values<typeof CHANGELOG_PARAMETERS>

/** A release with very many changes has several pages. */
export const RELEASE_PARAMETERS = { page: wholeNumber(1, 999_999, 'from 1') } satisfies ParameterSet

/** Of a list of releases and products, or a search in them: positions after which each begins. */
export const TIMELINE_PARAMETERS = {
  q: words(MAX_Q),
  ...filters,
  cursor,
  after: product,
} satisfies ParameterSet
export type TimelineQuery = Values<typeof TIMELINE_PARAMETERS>

export const FEED_PARAMETERS = { kind: KIND, ...filters } satisfies ParameterSet
export type FeedQuery = Values<typeof FEED_PARAMETERS>

export const FILE_PARAMETERS = { cursor } satisfies ParameterSet

/** A file of the sitemap is about the product after this one, or about its own versions after one of them. */
export const SITEMAP_PARAMETERS = { after: product, cursor } satisfies ParameterSet
