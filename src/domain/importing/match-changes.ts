import type { Change, ChangeDraft } from '../records.ts'
import { distance } from '../text/nearest.ts'
import { contentHash, titleHash } from './imported.ts'

/**
 * The stored change that each change of a file is, or null if it is new. Equal changes match first; then those that were
 * equal, or had the same title, when they were imported; then those with the same title; then similar ones.
 */
export function matchChanges(known: readonly Change[], wanted: readonly ChangeDraft[]): (Change | null)[] {
  const matches: (Change | null)[] = wanted.map(() => null)
  const taken = new Set<Change | null>()
  const equal = [contentKey, contentHash, titleHash, ({ title }: Titled) => title].map(pairEqual)
  for (const pair of [...equal, pairAlike, pairMisspelled]) {
    const left = known.filter((change) => !taken.has(change))
    const open = [...wanted.keys()].filter((at) => matches[at] === null)
    const titles = open.map((at) => wanted[at] as ChangeDraft)
    for (const [index, from] of pair(left, titles).entries()) {
      const match = left[from ?? -1] ?? null
      matches[open[index] as number] = match
      taken.add(match)
    }
  }
  return matches
}

const pairEqual =
  (keyOf: (change: ChangeDraft) => string) =>
  (known: readonly Change[], wanted: readonly ChangeDraft[]): (number | null)[] => {
    const byKey = Map.groupBy(known.keys(), (at) => keyOf(known[at] as Change))
    return wanted.map((change) => byKey.get(keyOf(change))?.shift() ?? null)
  }

const contentKey = ({ type, title, description }: ChangeDraft): string =>
  JSON.stringify([type, title, description])

/**
 * Pairs similar changes, such as `Login` and `Login (#12)`, the most similar first: for each wanted one the index of a
 * known one, or null. At least this share of their words is the same, or more than half of them, or one contains the
 * other. The work is bounded: only words that few titles have lead to a comparison.
 */
export function pairAlike(known: readonly Titled[], wanted: readonly Titled[], least = 0): (number | null)[] {
  const pairs: (number | null)[] = wanted.map(() => null)
  const knownWords = known.map(({ title }) => wordsOf(title))
  const uses = knownWords.flatMap((words, at) => [...words].map((word) => ({ word, at })))
  const titlesWith = Map.groupBy(uses, ({ word }) => word)
  const found: { at: number; from: number; likeness: number }[] = []
  for (const [at, { title, type }] of wanted.entries()) {
    const words = wordsOf(title)
    const titles = [...words].map((word) => titlesWith.get(word) ?? [])
    const candidates = titles.filter(({ length }) => length <= MOST_TITLES).flat()
    for (const from of new Set(candidates.map(({ at }) => at))) {
      const likeness = likenessOf(knownWords[from] as Set<string>, words)
      if (likeness > 0 && likeness >= least)
        found.push({ at, from, likeness: likeness + (known[from]?.type === type ? SAME_TYPE : 0) })
    }
  }

  found.sort((a, b) => b.likeness - a.likeness || a.from - b.from)
  const taken = new Set<number>()
  for (const { at, from } of found) {
    if (pairs[at] !== null || taken.has(from)) continue
    pairs[at] = from
    taken.add(from)
  }
  return pairs
}

/** The most titles that are compared letter by letter. */
const MOST_COMPARED = 32

/** Pairs titles that differ in the spelling of one word, as `pairAlike` does. */
export function pairMisspelled(known: readonly Titled[], wanted: readonly Titled[]): (number | null)[] {
  if (known.length > MOST_COMPARED || wanted.length > MOST_COMPARED) return wanted.map(() => null)
  const left = new Set(known.keys())
  return wanted.map(({ title }) => {
    const found = [...left].find((at) => isMisspelled((known[at] as Titled).title, title)) ?? null
    if (found !== null) left.delete(found)
    return found
  })
}

function isMisspelled(one: string, other: string): boolean {
  const [words, others] = [one.split(/\s+/), other.split(/\s+/)]
  if (words.length !== others.length) return false
  const [at, second] = [...words.keys()].filter((each) => words[each] !== others[each])
  return at !== undefined && second === undefined && isTypo(words[at] as string, others[at] as string)
}

const isTypo = (one: string, other: string): boolean =>
  LETTERS.test(one) && LETTERS.test(other) && distance(one, other) <= 2

const LETTERS = /^\p{L}{4,}$/u

export type Titled = Pick<ChangeDraft, 'title' | 'type'>

/** A word in more titles than this does not lead to a comparison. */
const MOST_TITLES = 32
const MOST_WORDS = 64
/** Added for the same type, so that it decides between equally similar ones. */
const SAME_TYPE = 0.01

/** The share of common words, from 0 to 1, weighted. Zero up to a half, unless one contains the other. */
function likenessOf(one: Set<string>, other: Set<string>): number {
  const shared = weightOf([...one].filter((word) => other.has(word)))
  const weights = [weightOf(one), weightOf(other)]
  const [lesser, greater] = [Math.min(...weights), Math.max(...weights)]
  const share = (2 * shared) / (lesser + greater)
  return share > 0.5 || (shared === lesser && lesser * 3 >= greater) ? share : 0
}

function weightOf(words: Iterable<string>): number {
  let weight = 0
  for (const word of words) weight += COMMON_WORDS.has(word) ? 1 : 4
  return weight
}

/** Words that say little about what changed. */
const COMMON_WORDS = new Set(
  `a an and are as at be by can for from has in into is it its not of on or so that the then this to when where which will with
   add added adds allow allows bug bugs change changed changes chore correct deps docs feat feature fix fixed fixes improve improved improves
   issue make makes new now remove removed removes support supports update updated updates use used uses`.split(
    /\s+/,
  ),
)

/** Drops link targets, which are similar in all titles of a file. */
function wordsOf(title: string): Set<string> {
  const words = title
    .replace(/\]\([^)]*\)/g, '] ')
    .replace(/https?:\/\/\S+/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return new Set(words.slice(0, MOST_WORDS))
}
