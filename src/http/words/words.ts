import type { Language } from '../../domain/records.ts'

/** One text for each plural that the language has; one for all if they are the same. */
export type Plural =
  | string
  | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string })

export const plural = (one: string, other = one): Plural => (one === other ? one : { one, other })

/** The same for French and Spanish, which have a plural of millions. */
export const pluralWithMany = (one: string, other: string): Plural => ({ one, many: other, other })

/** The same for Arabic, which has five that are said with a number. */
export function pluralWithTwo(one: string, two: string, few: string, many: string, other: string): Plural {
  return { one, two, few, many, other }
}

/** Texts in every language, each of which says what English says. `{name}` stands for a value. */
export const inEveryLanguage = <English>(texts: Texts<English>): Texts<English> => texts

type Texts<English> = { en: English } & Record<Exclude<Language, 'en'>, Translated<NoInfer<English>>>

type Translated<English> = English extends string
  ? string
  : [Plural] extends [English]
    ? Plural
    : { readonly [Name in keyof English]: Translated<English[Name]> }
