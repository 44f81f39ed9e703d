import type { Audience } from '../../store/store.ts'
import { createPace } from '../answers/queue.ts'
import type { Reads } from '../answers/reads.ts'
import type { Responder } from '../answers/responder.ts'
import { checkedNames, parseNames } from '../reading/addresses.ts'
import { mayRead } from '../request/auth.ts'
import type { Context } from '../request/context.ts'
import { ApiError, errorResponse, notFound } from '../request/errors.ts'
import type { Asked } from './tool.ts'

export interface Caller extends Pick<Context, 'address'> {
  audience: Audience
  signal: AbortSignal
}

export interface AnswersParts {
  responder: Responder
  /** The public gets lists of changelogs. */
  hasLists: boolean
}

const NO_HEADERS = new Headers()

/**
 * Answers what a tool or a resource reads. Answers go the way of all content: each is cached under an address of its own, made once
 * for all who ask, in turns, and a 404 of the same names counts for all. Throws `ApiError` or `Unavailable`.
 */
export const createAnswer =
  ({ responder, hasLists }: AnswersParts) =>
  async <Given extends { changelog?: string; team?: string }>(
    name: string,
    read: (asked: Asked, given: Given) => Promise<object | string | null>,
    given: Given,
    { signal, address, ...caller }: Caller,
  ): Promise<string> => {
    const { changelog, team } = given
    const names = changelog === undefined ? { team: '', product: '' } : parseNames(changelog)
    if (!names) throw notFound()
    const own = changelog === undefined ? {} : checkedNames(names)
    // As for the API, a key has entries only for its own content. What it may not read is answered as to the public.
    const isOfKey = (key: Exclude<Audience, 'public'>) =>
      changelog === undefined
        ? (team ?? key.teamSlug) === key.teamSlug
        : mayRead(key, names.team, names.product)
    const audience = caller.audience !== 'public' && isOfKey(caller.audience) ? caller.audience : 'public'
    const target = addressOf(name, given)
    const request = { headers: NO_HEADERS, signal }
    const context = { target, asMarkdown: false, request, address, refuse: errorResponse }
    const known = responder.cachedResponse(audience, context)
    if (known) return known.body.text()
    const make = async (reads: Reads) => {
      const made = await read({ reads, audience, hasLists, pace: createPace(), ...names }, given)
      const text = typeof made === 'string' ? made : JSON.stringify(made)
      return made === null ? null : { text, headers: {} }
    }
    const response = await responder.long(context, own, make, audience)
    if (!response.ok)
      throw response.status === 404 ? notFound() : new ApiError('unavailable', 'The client has gone.')
    return response.text()
  }

/** One address for the same arguments in any order. */
function addressOf(name: string, given: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given).toSorted()) query.set(key, String(value))
  return `/mcp/${name}?${query}`
}
