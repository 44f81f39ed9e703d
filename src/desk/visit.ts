import type { Right } from '../acts/acting.ts'
import type { Config } from '../config/config.ts'
import type { Instant, ProductName } from '../domain/records.ts'
import type { Site } from '../http/site/site.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'
import type { Records } from '../store/records/records.ts'
import type { PageLanguage } from '../words/languages.ts'
import type { PublicPages, UnsavedPages } from './preview.ts'
import type { Form } from './request/form.ts'
import type { Door, Writer } from './request/writer.ts'
import type { DeskWords } from './words/words.ts'

/** What the pages of the desk share. It keeps no state between requests. */
export interface Desk {
  readonly config: Config
  readonly site: Site
  readonly door: Door
  /** Enter makes a new address where the desk runs. */
  readonly hasTerminal: boolean
  /** The path that all addresses begin with. */
  readonly base: string
  readonly language: PageLanguage
  readonly words: DeskWords
  /** Reads one state of the data. */
  read<T>(work: (records: Records) => Promise<T>): Promise<T>
  /** Writes in one transaction, after other writers. */
  write<T>(work: (records: Records, now: Instant) => Promise<T>): Promise<T>
  /** What the worker remembers, and who is told of what. */
  readonly bookkeeping: Bookkeeping
  /** What everybody sees. */
  readonly publicPage: PublicPages
  /** The page of a text that is not saved. */
  readonly pageOf: UnsavedPages
  /** Logs what went wrong. */
  report(error: unknown): void
  /** Notes who did what, in the log. */
  note(event: string, facts: Readonly<Record<string, string>>): void
  now(): Instant
}

/** One request of somebody who may write. */
export interface Visit {
  readonly desk: Desk
  readonly writer: Writer
  readonly url: URL
  /** Without the base. */
  readonly path: string
  /** For the forms of a page. */
  readonly token: string
  /** Null for a page that is only read. */
  readonly form: Form | null
}

/** A request that writes, or asks how an unsaved text looks. */
export type Sent = Visit & { readonly form: Form }

/** A version of a product: its id, or `new`. */
export interface Named extends ProductName {
  version: string
}

export const mayWrite = ({ writer: { teams } }: Visit, team: string): boolean =>
  teams === null || teams.has(team)

export const may = ({ writer }: Visit, right: Right): boolean => writer.rights.has(right)

/** Logs who did what: `version` or `picture` is what it was done to, within the product. */
export const noteAct = (
  { desk, writer }: Visit,
  event: string,
  { team, product }: ProductName,
  about: Readonly<Record<string, string>> = {},
): void => desk.note(`desk.${event}`, { user: writer.name ?? '', product: `${team}/${product}`, ...about })

/** Addresses of the desk. */
/** Where the desk shows public pages itself: no team is called that. */
export const PUBLIC = '/-'
export const homeHref = ({ base }: Desk): string => `${base}/`
export const productHref = ({ base }: Desk, { team, product }: ProductName): string =>
  `${base}/${team}/${product}`
/** The list after publishing, which names that version. */
export const publishedHref = (desk: Desk, name: ProductName, id: string): string =>
  `${productHref(desk, name)}?published=${id}`
/** `version` is an id, or `new`. */
export const versionHref = (desk: Desk, name: ProductName, version: string, page = ''): string =>
  `${productHref(desk, name)}/${version}${page && `/${page}`}`
