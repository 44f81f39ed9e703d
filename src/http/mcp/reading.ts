import type { Audience } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Responder } from '../answers/responder.ts'
import { checkedNames, parseNames } from '../reading/names.ts'
import { mayRead } from '../request/auth.ts'
import type { Context } from '../request/context.ts'
import { ApiError, errorResponse, notFound } from '../request/errors.ts'
import { listChangelogs, writeChangelog } from './answers.ts'
import type { Input, Output, ToolName } from './schemas.ts'
import { type ChangelogTool, READS } from './tools.ts'

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
 * Answers go the way of all content: each is cached under an address of its own, made once for all who ask, in turns, and a
 * 404 of the same names counts for all. They throw `ApiError` or `Unavailable`.
 */
export function createAnswers({ responder, hasLists }: AnswersParts) {
  /** As in `readKeyed` of the pipeline, a key has entries only for its own content. */
  const read = async (
    { audience, address, signal }: Caller,
    target: string,
    names: object,
    create: (reads: Reads) => Promise<string | null>,
  ): Promise<string> => {
    const request = { headers: NO_HEADERS, signal }
    const context = { target, asMarkdown: false, request, address, refuse: errorResponse }
    const known = responder.cachedResponse(audience, context)
    if (known) return known.body.text()
    const make = async (reads: Reads) => {
      const text = await create(reads)
      return text === null ? null : { text, headers: {} }
    }
    const response = await responder.long(context, names, make, audience)
    if (!response.ok)
      throw response.status === 404 ? notFound() : new ApiError('unavailable', 'The client has gone.')
    return response.text()
  }

  const list = (given: Input['list_changelogs'], { audience, ...caller }: Caller): Promise<string> => {
    const isOfKey = audience !== 'public' && (given.team ?? audience.teamSlug) === audience.teamSlug
    const own = isOfKey ? audience : 'public'
    return read({ ...caller, audience: own }, addressOf('list_changelogs', given), {}, async (reads) =>
      JSON.stringify(await listChangelogs(reads, own, hasLists, given)),
    )
  }

  /** A changelog, for a caller. With a key that may not read it, the answer is that to the public. */
  const sourceOf = (changelog: string, caller: Caller) => {
    const names = parseNames(changelog)
    if (!names) throw notFound()
    const isOfKey = caller.audience !== 'public' && mayRead(caller.audience, names.team, names.product)
    const audience: Audience = isOfKey ? caller.audience : 'public'
    const source = (reads: Reads) => ({ reads, audience, ...names })
    return { names, reader: { ...caller, audience }, source }
  }

  const call = async <Name extends ToolName>(
    name: Name,
    given: Input[Name],
    caller: Caller,
  ): Promise<string> => {
    if (name === 'list_changelogs') return list(given as Input['list_changelogs'], caller)
    const tool = name as ChangelogTool
    const own = given as Input[ChangelogTool]
    const { names, reader, source } = sourceOf(own.changelog, caller)
    return read(reader, addressOf(tool, own), checkedNames(names), async (reads) => {
      const answer = await READS[tool](source(reads), own as never)
      return answer && JSON.stringify(answer)
    })
  }

  return {
    /** A tool's answer, as JSON. */
    call,

    list: async (caller: Caller): Promise<Output['list_changelogs']> => JSON.parse(await list({}, caller)),

    /** A changelog as Markdown. */
    write: (changelog: string, caller: Caller): Promise<string> => {
      const { names, reader, source } = sourceOf(changelog, caller)
      return read(reader, addressOf('resource', { changelog }), checkedNames(names), (reads) =>
        writeChangelog(source(reads)),
      )
    },
  }
}

/** One address for the same arguments in any order. */
function addressOf(name: string, given: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given).toSorted()) query.set(key, String(value))
  return `/mcp/${name}?${query}`
}
