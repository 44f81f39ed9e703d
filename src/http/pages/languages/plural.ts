/** One text for each plural that the language has; one for all if they are the same. */
export type Plural =
  | string
  | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string })

export const plural = (one: string, other = one): Plural => (one === other ? one : { one, other })
