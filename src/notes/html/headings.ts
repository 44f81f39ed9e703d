import { headingFromType } from '../../domain/slug.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import { WORDS, type Words } from '../../words/languages.ts'
import { plainText } from './render.ts'

export interface TypeName {
  type: string
  typeLabel?: string | null
}

/** The heading of a type as plain text: that of the author, or ours. */
export const headingOf = ({ kinds }: Words, { type, typeLabel }: TypeName): string =>
  (typeLabel && plainText(typeLabel).trim()) || (isKind(type) ? kinds[type] : headingFromType(type))

/** For those who read Markdown. */
export const headingInEnglish = (change: TypeName): string => headingOf(WORDS.en, change)

const isKind = (type: string): type is Kind => KINDS.some((kind) => kind === type)
