/** How certain it is that a line begins a version, by what it and the lines around it show. */

/**
 * `certain` lines are a label alone or with a date, `likely` ones have a text beside it, and `shaped` ones only a number
 * somewhere, which others of the same shape must explain.
 */
export type Evidence = 'certain' | 'likely' | 'shaped'

interface Facts {
  /** Nothing but the label, its date and usual words are in the line. */
  alone: boolean
  /** A blank line, a rule or a heading is right above. */
  apart: boolean
  bracketed: boolean
  /** The label is a date. */
  byDay: boolean
  /** The line above is a sentence that does not end there. */
  continued: boolean
  /** A date is beside the label. */
  dated: boolean
  /** The label is a number, or the word for what is not released. */
  labelled: boolean
  /** What is right below belongs to it: changes, a date or nothing. The items below an item are indented or of another mark. */
  listed: boolean
  /** Words in front of the number do not tell of changes: `Foo 1.2.0`, but not `Changes in 1.2.0`. */
  named: boolean
  /** The label is a number. */
  numbered: boolean
  /** Words are in front of the number. */
  prefixed: boolean
  starred: boolean
  /** A dash, a colon or a bracket is between the label and what follows. */
  titled: boolean
}
export type Seen = Partial<Facts>
type Fact = keyof Facts

interface Rule {
  of: 'heading' | 'line' | 'indented' | 'item'
  has: readonly Fact[]
  lacks?: readonly Fact[]
  is: Evidence | null
}

/** The first one whose facts are all seen, and none of those that it lacks, tells. Headings that none fits are likely. */
const RULES: readonly Rule[] = [
  { of: 'heading', has: ['bracketed'], is: 'certain' },
  { of: 'heading', has: ['alone', 'labelled'], is: 'certain' },
  { of: 'heading', has: ['dated', 'labelled'], is: 'certain' },
  { of: 'heading', has: ['dated'], lacks: ['byDay'], is: 'certain' },

  { of: 'line', has: ['byDay'], is: 'likely' },
  { of: 'line', has: ['alone', 'apart', 'dated'], is: 'certain' },
  { of: 'line', has: ['alone', 'apart', 'listed'], is: 'certain' },
  { of: 'line', has: ['alone', 'apart'], lacks: ['named'], is: 'certain' },
  { of: 'line', has: ['alone', 'dated'], lacks: ['named'], is: 'certain' },
  { of: 'line', has: ['apart', 'dated'], lacks: ['named'], is: 'certain' },
  { of: 'line', has: ['alone', 'listed'], lacks: ['named', 'continued'], is: 'certain' },
  { of: 'line', has: ['apart', 'titled'], lacks: ['named', 'alone'], is: 'likely' },

  { of: 'indented', has: ['alone', 'dated', 'numbered'], lacks: ['byDay'], is: 'certain' },

  { of: 'item', has: ['byDay', 'starred'], is: 'likely' },
  { of: 'item', has: ['byDay'], is: null },
  { of: 'item', has: ['listed', 'alone'], lacks: ['named'], is: 'certain' },
  { of: 'item', has: ['listed', 'dated', 'starred'], is: 'certain' },
  { of: 'item', has: ['listed', 'alone', 'starred'], is: 'likely' },
  // `- 1.2.0 Add a flag`, if nearly all items are such.
  { of: 'item', has: [], lacks: ['prefixed'], is: 'shaped' },
]

export const evidenceOf = (of: Rule['of'], seen: Seen): Evidence | null =>
  RULES.find(
    (rule) =>
      rule.of === of && rule.has.every((fact) => seen[fact]) && !rule.lacks?.some((fact) => seen[fact]),
  )?.is ?? null
