import { inLanguages } from '../../words/languages.ts'
import * as lists from './lists.ts'
import * as pictures from './pictures.ts'
import * as publishing from './publishing.ts'
import * as reasons from './reasons.ts'
import * as telling from './telling.ts'
import * as writing from './writing.ts'

/** The texts of the desk by language. */
export const DESK_WORDS = inLanguages({
  ...lists,
  ...writing,
  ...pictures,
  ...publishing,
  ...telling,
  ...reasons,
})

export type DeskWords = (typeof DESK_WORDS)['en']
