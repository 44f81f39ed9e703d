import type { Kind } from '../../../domain/kinds.ts'

/**
 * Everything that the widget says in a language. `{name}` stands for a value, and English has all of them. To add a
 * language: a file like the others, a row in `languages.ts`, and its code in `domain/records.ts`.
 */
export interface Words {
  /** How `Intl` writes dates and numbers. */
  locale: string
  direction: 'ltr' | 'rtl'
  kinds: Readonly<Record<Kind, string>>
  widget: WidgetWords
}

/** One text for each plural that the language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

export interface WidgetWords {
  button: string
  heading: string
  all: string
  more: Plural
  unread: string
  unreadCount: string
  failed: string
  nothing: string
}
