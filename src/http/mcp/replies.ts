import type { CallToolResult } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'

/**
 * An answer is cached as JSON, which is its text and its value. The library would read it, look through all of it and write it twice, which takes
 * longer than everything else it does. So it writes marks that nobody can know.
 */
const MARK = crypto.randomUUID()
export const MARKED: CallToolResult = {
  content: [{ type: 'text', text: MARK }],
  structuredContent: { MARK },
}
const TEXT_MARK = JSON.stringify(MARK)
const VALUE_MARK = JSON.stringify({ MARK })

const filledIn = (text: string, answer: string): string =>
  text.replace(VALUE_MARK, () => answer).replace(TEXT_MARK, () => JSON.stringify(answer))

/** All that the library reads of a request. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

const MAX_REPLIES = 256
/** Longer messages are never the same again. */
const MAX_LENGTH = 2_000

/** A message, and how long it was. */
export interface Message {
  value: unknown
  length: number
}

interface Reply {
  /** As the library wrote it, up to the id, with marks. */
  text: string
  headers: Headers
  /** Where the answer of the tool is cached. */
  address: string
}

/**
 * What the library writes to the same call is the same, but for the id and the answer. It takes many times as long as all
 * that is left to do then.
 */
export function createReplies() {
  const replies = new LRUCache<string, Reply>({ max: MAX_REPLIES })
  return {
    /** What is known of the reply to this message, whoever sends it. */
    find(request: Request, message: Message) {
      const reply = message.length <= MAX_LENGTH && replies.get(keyOf(request, message))
      return reply
        ? {
            address: reply.address,
            respond: (answer: string): Response =>
              new Response(filledIn(reply.text, answer) + endOf(message), { headers: reply.headers }),
          }
        : null
    },

    /** The response with the answer. */
    async keep(
      request: Request,
      message: Message,
      response: Response,
      { answer, address }: { answer: string; address: string },
    ): Promise<Response> {
      const text = await response.text()
      const end = endOf(message)
      if (text.endsWith(end) && message.length <= MAX_LENGTH)
        replies.set(keyOf(request, message), {
          text: text.slice(0, -end.length),
          headers: new Headers(response.headers),
          address,
        })
      return new Response(filledIn(text, answer), response)
    },
  }
}

function keyOf({ headers }: Request, { value }: Message): string {
  const { id, ...rest } = Object(value) as { id?: unknown }
  const idType = Number.isSafeInteger(id) ? 'integer' : typeof id
  return JSON.stringify([rest, idType, ...HEADERS.map((name) => headers.get(name))])
}

/** How the reply to a message ends. */
const endOf = ({ value }: Message): string => `"id":${JSON.stringify((value as { id?: unknown }).id)}}`
