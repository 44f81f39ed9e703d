/** One text for each plural that the language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

export const plural = (one: string, other: string): Plural => ({ one, other })
