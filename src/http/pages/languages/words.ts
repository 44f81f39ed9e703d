import type { ErrorCode } from '../../errors.ts'
import type { en } from './en.ts'
import type { Plural } from './plural.ts'

/**
 * Everything that pages and the widget say in a language: whatever English says. `{name}` stands for a value. To add a
 * language: a file like the others, a row in `languages.ts`, and its code in `domain/records.ts`.
 */
export interface Words extends Translated<Omit<typeof en, 'direction' | 'errors'>> {
  direction: 'ltr' | 'rtl'
  /** Without a message, it is the one for programs. */
  errors: Readonly<Record<ErrorCode, { title: string; message: string | null }>>
}

type Translated<English> = English extends string
  ? string
  : [Plural] extends [English]
    ? Plural
    : { readonly [Name in keyof English]: Translated<English[Name]> }

/** What is added to the text of authors. */
export type AuthoredWords = Words['authored']
