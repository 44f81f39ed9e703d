import type { Address } from '../../domain/addresses/ip-address.ts'
import { mapRows, pick } from '../../domain/objects.ts'
import type { Audience } from '../../store/store.ts'
import { createPace } from '../answers/queue.ts'
import type { Reads } from '../answers/reads.ts'
import type { Responder } from '../answers/responder.ts'
import { checkedNames, parseNames } from '../reading/addresses.ts'
import { mayRead } from '../request/auth.ts'
import type { Context } from '../request/context.ts'
import { ApiError, errorResponse } from '../request/errors.ts'
import type { Asked } from './tool.ts'
import { readNames, suggestionFor } from './visible.ts'

export interface Caller extends Pick<Context, 'address'> {
  audience: Audience
  signal: AbortSignal
}

export interface AnswersParts {
  responder: Responder
  /** The address of the site. */
  baseUrl(): string
  /** The public gets lists of changelogs. */
  hasLists: boolean
  /** Takes more requests from the limit of a client. */
  charge(address: Address, requests: number): void
}

/** What a tool is given, as far as it decides whose answer it is. */
interface Scope {
  changelog?: string
  team?: string
}

type Read<Given> = (asked: Asked, given: Given) => Promise<object | string | null>

const NO_HEADERS = new Headers()
const NOT_FOUND = 'No changelog or version was found under these names.'
/** As people write names, in capitals, and as resources are addressed. */
const named = (text?: string) => text?.toLowerCase().replace(/^\s*(changelog:\/\/)?|\s+$/g, '')

/**
 * Answers what a tool or a resource reads, of the changelog that the given name means. What is not found is answered with similar
 * names of changelogs that the caller may list. Throws `ApiError` or `Unavailable`.
 */
export function createAnswer(parts: AnswersParts) {
  const answer = createExactAnswer(parts)
  return async <Given extends Scope>(
    name: string,
    read: Read<Given>,
    given: Given,
    caller: Caller,
  ): Promise<string> => {
    const { changelog, team } = mapRows(pick(given, 'changelog', 'team'), named)
    if (changelog === undefined)
      return (await answer(name, read, { ...given, ...(team && { team }) }, caller)) ?? ''
    const exact = await answer(name, read, { ...given, changelog }, caller)
    if (exact !== null) return exact
    const names = await answer('names', readNames, {}, caller)
    const known = JSON.parse(names ?? '[]')
    const { only, near } = suggestionFor(changelog, known)
    const found = only ? await answer(name, read, { ...given, changelog: only }, caller) : null
    if (found !== null) return found
    const all = known.length > 0 ? ' list_changelogs has the names of all.' : ''
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : all
    throw new ApiError('not_found', NOT_FOUND + hint)
  }
}

/**
 * Answers go the way of all content: each is cached under an address of its own, made once for all who ask, in turns, and a 404 of
 * the same names, which is null here, counts for all.
 */
const createExactAnswer =
  ({ responder, hasLists, baseUrl, charge }: AnswersParts) =>
  async <Given extends Scope>(
    name: string,
    read: Read<Given>,
    given: Given,
    { signal, address, ...caller }: Caller,
  ): Promise<string | null> => {
    const { changelog, team } = given
    const names = changelog === undefined ? { team: '', product: '' } : parseNames(changelog)
    if (!names) return null
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
    const chargeFor = (requests: number) => {
      if (caller.audience === 'public') charge(address(), requests)
    }
    const make = async (reads: Reads) => {
      const pace = createPace()
      const asked: Asked = { reads, audience, hasLists, baseUrl, pace, charge: chargeFor, ...names }
      const made = await read(asked, given)
      const text = typeof made === 'string' ? made : JSON.stringify(made)
      return made === null ? null : { kind: 'body' as const, text, headers: {} }
    }
    const response = await responder.long(context, own, make, audience)
    if (response.ok) return response.text()
    if (response.status === 404) return null
    throw new ApiError('unavailable', 'The client has gone.')
  }

/** One address for the same arguments in any order. */
function addressOf(name: string, given: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given).toSorted()) query.set(key, String(value))
  return `/mcp/${name}?${query}`
}
