import { nearest } from '../../domain/text/nearest.ts'
import { handOver } from '../../domain/turns.ts'
import type { DirectoryEntry } from '../../store/store.ts'
import type { Names } from '../reading/addresses.ts'
import { LAST_SLUG } from '../reading/directory.ts'
import { ApiError } from '../request/errors.ts'
import type { Asked } from './tool.ts'

/** The first changelogs behind a name that the audience may list: those of its key, or the public ones. Throws `forbidden`. */
export async function readVisible(
  { reads, audience, hasLists }: Asked,
  after: Names,
  limit: number,
  lastTeam = LAST_SLUG,
): Promise<DirectoryEntry[]> {
  if (audience !== 'public') return reads.ask('readProductsOfKey', audience, after.product, limit)
  if (!hasLists) throw new ApiError('forbidden', 'This server does not list its changelogs. Name one.')
  return reads.ask('readDirectory', { ...after, lastTeam }, limit)
}

const FIRST: Names = { team: '', product: '' }
/** Changelogs that are read at once. */
const PART = 50

/** All of them. Others are let in between parts. */
export async function* eachVisible(asked: Asked, after = FIRST): AsyncGenerator<DirectoryEntry> {
  for (;;) {
    const found = await readVisible(asked, after, PART)
    yield* found
    const last = found.at(-1)
    if (!last || found.length < PART) return
    after = { team: last.team.slug, product: last.product.slug }
    await handOver()
  }
}

/** The most changelogs among which a name is looked for, and the most that are suggested. */
const MOST_KNOWN = 1_000
const MOST_SUGGESTED = 5
/** The most words of a name that mean something. */
const MOST_WORDS = 4

/** A changelog by its slugs, and how people call it, in lower case. */
export interface Known extends Names {
  titles: readonly string[]
}

/** The names that are suggested from: none if the audience gets no lists. */
export async function readNames(asked: Asked): Promise<Known[]> {
  const known: Known[] = []
  if (asked.audience === 'public' && !asked.hasLists) return known
  for await (const { team, product, changelog } of eachVisible(asked)) {
    const titles = [changelog.name, product.name].map((name) => name.toLowerCase())
    known.push({ team: team.slug, product: product.slug, titles })
    if (known.length === MOST_KNOWN) break
  }
  return known
}

/**
 * The changelogs that a name may mean: `stripe`, `acme/strip` and `@stripe/stripe-node` mean `acme/stripe`. `only` is set if the
 * product alone was named, by its slug or as people call it, and only one is called so.
 */
export function suggestionFor(name: string, known: readonly Known[]) {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const isTeam = parts.length > 1 && known.some(({ team }) => team === parts[0])
  const words = parts.slice(isTeam ? 1 : 0, MOST_WORDS)
  const slugs = known.map(({ product }) => product)
  const typos = words.map((word) => nearest(word, slugs))
  const like = (isLike: (slug: string, team: string, titles: readonly string[]) => boolean): string[] =>
    known.flatMap(({ team, product, titles }) =>
      isLike(product, team, titles) ? [`${team}/${product}`] : [],
    )
  const bySlug = like((slug) => slug === name)
  const called = bySlug.length > 0 ? bySlug : like((_slug, _team, titles) => titles.includes(name))
  const ranked = [
    called,
    like((slug, team) => words.includes(slug) || team === name),
    like((slug) => words.some((word) => isPart(word, slug) || isPart(slug, word))),
    like((slug) => typos.includes(slug)),
  ]
  const near = ranked.find((names) => names.length > 0) ?? []
  return { only: called.length === 1 ? called[0] : undefined, near: near.slice(0, MOST_SUGGESTED) }
}

const LEAST_PART = 3
const isPart = (part: string, whole: string): boolean => part.length >= LEAST_PART && whole.includes(part)
