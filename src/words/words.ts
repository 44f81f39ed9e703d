/** A text; or its plurals: for one and for others, in Arabic for one, two, few, many and others. */
export type Plural = string | readonly string[]

type Translated<Text> = readonly [en: Text, de: Text, fr: Text, es: Text, ja: Text, ar: Text]

type Row = Translated<Plural | null>

/** Texts in every language of `LANGUAGES`, by name. `{name}` stands for a value. */
export const inEveryLanguage = <const Texts extends Readonly<Record<string, Row>>>(texts: Texts): Texts =>
  texts

/** The texts of one language. */
export type WordsOf<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends Translated<string>
    ? string
    : Texts[Name] extends Translated<Plural>
      ? Plural
      : string | null
}
