import { mapRows, namesOf, pick } from '../objects.ts'
import type { ChangeWords, Kind } from './kinds.ts'
import { mayBreak, saysBreaking } from './marks/breaking.ts'
import { isSecurity } from './marks/security.ts'
import { isPrerelease, type ReleaseWords } from './standing.ts'

/**
 * The properties of a version beside its label, title, status and dates, and those of a change beside its type and title. Types,
 * columns, limits, reads, imports, exports, undo, `--json`, webhooks and the API follow from a row, in this order. Names are one
 * lowercase word. A stored property also needs a migration.
 */

/** Texts of any length, in markdown; null where there is none. They are read with the changes. */
export const VERSION_TEXTS = {
  description: {
    about: 'About the version as a whole, before the changes.',
    example: 'Search now covers **attachments**.',
  },
  closing: {
    about: 'What follows the changes, such as a link to the full changelog.',
    example: 'Thanks to everyone who reported slow searches.',
  },
}

interface ColumnTypes {
  markdown: string | null
  flag: boolean | null
  /** Empty where somebody said that it holds, but no more. */
  line: string | null
}

/** Stands for an empty line of `yanked` outside of the database: programs take an empty text for none. */
const NO_REASON = 'No reason given.'

interface Fact {
  /** For the API, and for agents where it holds. */
  about: string
  inShort: string
  /** The type of its column, which is null where nobody said anything. Without one, it is only derived. */
  stored?: keyof ColumnTypes
  /** Derives what readers see. */
  of?: (release: ReleaseWords) => boolean
}

/** Short facts. Lists and webhooks have them too. */
export const VERSION_FACTS = {
  prerelease: {
    stored: 'flag',
    of: isPrerelease,
    about: 'Whether it is a pre-release, by its label or as marked by its host.',
    inShort: 'It is a pre-release.',
  },
  yanked: {
    stored: 'line',
    about:
      'Why it was withdrawn after its release; `No reason given.` if nobody said. Null if it was not withdrawn.',
    inShort: 'Why it was withdrawn, if known.',
  },
} as const satisfies Record<string, Fact>

/** Parameters that leave versions out of lists by a fact. `FILTERED` of store/tables/schema.ts tells in SQL which stay. */
export const VERSION_FILTERS = {
  prereleases: {
    value: 'no',
    about: '`no` skips pre-releases, by their label or as marked by their host. Default: `yes`.',
    inShort: '`no` skips pre-releases.',
  },
} as const satisfies Record<string, { value: 'yes' | 'no'; about: string; inShort: string }>

export const CHANGE_TEXTS = {
  description: { about: 'More about the change.', example: 'They were sorted by name since `1.1.0`.' },
}

/**
 * The kinds that a change may be of beside its own, by its words, the most urgent first. Versions are marked with them.
 */
export const CHANGE_MARKS = {
  breaking: {
    of: saysBreaking,
    about:
      'Whether its author says that it breaks something: by its heading, by a mark such as `BREAKING`, `feat!:` or 💥, or in a sentence. Its `kind` may be another.',
  },
  security: {
    of: isSecurity,
    about:
      'Whether it is about security: by its heading, an id such as `CVE-2026-1234`, or words such as "vulnerability". Its `kind` may be another.',
  },
} as const satisfies Partial<Record<Kind, Sign>>

/** What words suggest of a change, and its author does not say. It is no kind, and counts nowhere. */
export const CHANGE_HINTS = {
  mayBreak: {
    of: mayBreak,
    about:
      'Whether its words suggest that it breaks something, as it removes, renames or requires something, though its author does not say so. Never true beside `breaking`.',
  },
} as const satisfies Record<string, Sign>

interface Sign {
  of(change: ChangeWords): boolean
  about: string
}

type Facts = typeof VERSION_FACTS
type StoredFact = {
  [Name in keyof Facts]: Facts[Name] extends { stored: string } ? Name : never
}[keyof Facts]
type Derived = { [Name in keyof Facts]: Facts[Name] extends { of: unknown } ? Name : never }[keyof Facts]

export type VersionTexts = Record<keyof typeof VERSION_TEXTS, string | null>
/** As they are stored. */
export type VersionFacts = { [Name in StoredFact]: ColumnTypes[Facts[Name]['stored']] }
export type VersionProperties = VersionTexts & VersionFacts
/** As readers see them. */
export type ShownFacts = Record<Derived, boolean> & Omit<VersionFacts, Derived>
export type FilterName = keyof typeof VERSION_FILTERS
/** The filters that a request gives; null for none. */
export type VersionFilter = Partial<Record<FilterName, (typeof VERSION_FILTERS)[FilterName]['value'] | null>>
export type ChangeTexts = Record<keyof typeof CHANGE_TEXTS, string | null>
export type MarkName = keyof typeof CHANGE_MARKS
export type SignName = MarkName | keyof typeof CHANGE_HINTS

export const VERSION_TEXT_NAMES = namesOf(VERSION_TEXTS)
export const CHANGE_TEXT_NAMES = namesOf(CHANGE_TEXTS)
export const FILTER_NAMES = namesOf(VERSION_FILTERS)
export const MARKS = namesOf(CHANGE_MARKS)
/** Marks and hints, for a list of all that is known of a change. */
export const CHANGE_SIGNS = { ...CHANGE_MARKS, ...CHANGE_HINTS }
export const SIGNS = namesOf(CHANGE_SIGNS)
export const FACT_NAMES = namesOf(VERSION_FACTS)
const ROWS = Object.entries<Fact>(VERSION_FACTS)

/** The type of each column of a version that is a property. */
export const VERSION_COLUMNS = {
  ...mapRows(VERSION_TEXTS, () => 'markdown' as const),
  ...(Object.fromEntries(ROWS.flatMap(([name, { stored }]) => (stored ? [[name, stored]] : []))) as {
    [Name in StoredFact]: Facts[Name]['stored']
  }),
}

/** What these functions make of each column of a version that is a property. */
export const mapColumns = <Make extends Record<keyof ColumnTypes, (name: string) => unknown>>(make: Make) =>
  mapRows(VERSION_COLUMNS, (type, name) => make[type](name)) as {
    [Name in keyof VersionProperties]: ReturnType<Make[(typeof VERSION_COLUMNS)[Name]]>
  }

export const NO_VERSION_TEXTS: VersionTexts = mapRows(VERSION_TEXTS, () => null)
export const NO_VERSION_PROPERTIES: VersionProperties = mapRows(VERSION_COLUMNS, () => null)
export const NO_CHANGE_TEXTS: ChangeTexts = mapRows(CHANGE_TEXTS, () => null)

/** The properties that a record has: a draft may lack some. */
const picks =
  <Name extends string>(names: readonly Name[]) =>
  <T extends Partial<Record<Name, unknown>>>(record: T) =>
    pick(record, ...names)
export const versionTexts = picks(VERSION_TEXT_NAMES)
export const versionProperties = picks(namesOf(VERSION_COLUMNS))
export const versionFacts = picks(
  namesOf(VERSION_COLUMNS).filter((name) => !(name in VERSION_TEXTS)) as StoredFact[],
)
export const versionFilter = picks(FILTER_NAMES)
export const changeTexts = picks(CHANGE_TEXT_NAMES)

/** True if a filter leaves versions out. */
export const isSelective = (filter: VersionFilter): boolean => FILTER_NAMES.some((name) => filter[name])

export const shownFacts = (version: ReleaseWords & VersionFacts): ShownFacts =>
  Object.fromEntries(
    ROWS.map(([name, { of }]) => [name, of ? of(version) : shownFact(version[name as StoredFact])]),
  ) as ShownFacts

/** A stored fact as programs get it, and back. */
export const shownFact = <Value>(value: Value): Value | string => (value === '' ? NO_REASON : value)
export const storedFact = <Value>(value: Value): Value | string => (value === NO_REASON ? '' : value)

/** The facts that hold, and those that somebody told. */
export const toldFacts = (version: ReleaseWords & VersionFacts) =>
  Object.fromEntries(
    Object.entries(shownFacts(version)).filter(([, value]) => value !== null && value !== false),
  ) as { [Name in keyof ShownFacts]?: Exclude<ShownFacts[Name], null | false> }
