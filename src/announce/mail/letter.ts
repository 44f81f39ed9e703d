import type { KindCounts } from '../../domain/versions/derived.ts'
import type { WrittenChange, WrittenGroup } from '../../notes/writing.ts'
import type { PageLanguage } from '../../words/languages.ts'

/** What a message says around its content. */
export interface Letter {
  language: PageLanguage
  subject: string
  /** `Northwind / Harbor` */
  origin: string
  /** `Harbor 5.0.0 · 20 November 2026` */
  headline: string
  label: string | null
  date: string | null
  counts: KindCounts
  button: Link | null
  /** Why people get it. */
  reason: string
  unsubscribe: Link | null
}

interface Link {
  words: string
  href: string
}

/** The content in a form. */
export interface Part {
  title: string | null
  intro: string
  sections: readonly Section[]
  /** What follows the changes. */
  closing: string
  /** Says that the page has more; null if it has not. */
  rest: string | null
}

export type Section = Pick<WrittenGroup, 'heading' | 'kind'> & {
  changes: readonly Pick<WrittenChange, 'title' | 'tail' | 'description'>[]
}
