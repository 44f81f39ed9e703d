import type { Static } from '@sinclair/typebox'
import type { Audience } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Responder } from '../answers/responder.ts'
import { checkedNames, parseNames } from '../reading/names.ts'
import type { Source } from '../reading/slices.ts'
import { mayRead } from '../request/auth.ts'
import type { Context } from '../request/context.ts'
import { ApiError, errorResponse, notFound } from '../request/errors.ts'
import { writeChangelog } from './resource.ts'
import { listChangelogs } from './tools/list-changelogs.ts'
import { CHANGELOG_TOOLS } from './tools/tools.ts'

export interface Caller extends Pick<Context, 'address'> {
  audience: Audience
  signal: AbortSignal
}

export interface AnswersParts {
  responder: Responder
  /** The public gets lists of changelogs. */
  hasLists: boolean
}

type ListInput = Static<typeof listChangelogs.input>
type List = Static<typeof listChangelogs.output>

const NO_HEADERS = new Headers()

/**
 * Answers go the way of all content: each is cached under an address of its own, made once for all who ask, in turns, and a
 * 404 of the same names counts for all. They throw `ApiError` or `Unavailable`.
 */
export function createAnswers({ responder, hasLists }: AnswersParts) {
  /** As in `readKeyed` of the pipeline, a key has entries only for its own content. */
  const read = async (
    { audience, address, signal }: Caller,
    target: string,
    names: object,
    create: (reads: Reads) => Promise<object | string | null>,
  ): Promise<string> => {
    const request = { headers: NO_HEADERS, signal }
    const context = { target, asMarkdown: false, request, address, refuse: errorResponse }
    const known = responder.cachedResponse(audience, context)
    if (known) return known.body.text()
    const make = async (reads: Reads) => {
      const made = await create(reads)
      return made === null
        ? null
        : { text: typeof made === 'string' ? made : JSON.stringify(made), headers: {} }
    }
    const response = await responder.long(context, names, make, audience)
    if (!response.ok)
      throw response.status === 404 ? notFound() : new ApiError('unavailable', 'The client has gone.')
    return response.text()
  }

  const list = (given: ListInput, caller: Caller): Promise<string> => {
    const { audience } = caller
    const isOfKey = audience !== 'public' && (given.team ?? audience.teamSlug) === audience.teamSlug
    const own = isOfKey ? audience : 'public'
    return read({ ...caller, audience: own }, addressOf(listChangelogs.name, given), {}, (reads) =>
      listChangelogs.read({ reads, audience: own, hasLists }, given),
    )
  }

  /** An answer about a changelog. With a key that may not read it, that to the public. */
  const readChangelog = (
    name: string,
    given: { changelog: string },
    caller: Caller,
    write: (source: Source) => Promise<object | string | null>,
  ): Promise<string> => {
    const names = parseNames(given.changelog)
    if (!names) throw notFound()
    const isOfKey = caller.audience !== 'public' && mayRead(caller.audience, names.team, names.product)
    const audience: Audience = isOfKey ? caller.audience : 'public'
    return read({ ...caller, audience }, addressOf(name, given), checkedNames(names), (reads) =>
      write({ reads, audience, ...names }),
    )
  }

  return {
    /** A tool's answer, as JSON. What is given has passed its schema. */
    call: async (name: string, given: object, caller: Caller): Promise<string> => {
      const tool = CHANGELOG_TOOLS.find((each) => each.name === name)
      return tool
        ? readChangelog(name, given as { changelog: string }, caller, (source) =>
            tool.read(source, { ...given }),
          )
        : list(given, caller)
    },

    list: async (caller: Caller): Promise<List> => JSON.parse(await list({}, caller)),

    /** A changelog as Markdown. */
    write: async (changelog: string, caller: Caller): Promise<string> =>
      readChangelog('resource', { changelog }, caller, writeChangelog),
  }
}

/** One address for the same arguments in any order. */
function addressOf(name: string, given: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given).toSorted()) query.set(key, String(value))
  return `/mcp/${name}?${query}`
}
