import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  type JsonSchemaType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { version } from '../../../package.json'
import { Unavailable } from '../../domain/refusal.ts'
import { ApiError } from '../errors.ts'
import { type AnswersParts, type Caller, createAnswers } from './reading.ts'
import { INPUT, type Input, OUTPUT, type ToolName } from './schemas.ts'
import { DESCRIPTIONS, INSTRUCTIONS } from './tools.ts'

export interface McpParts extends AnswersParts {
  /** Gets errors that answers do not reveal. */
  report(error: unknown): void
}

/** Serves a message that the endpoint has read. */
export type ServeMcp = (request: Request, message: unknown, caller: Caller) => Promise<Response>

interface Context {
  caller: Caller
  message: unknown
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const RESOURCES = 'changelog://{team}/{product}'
const resourceOf = (changelog: string): string => `changelog://${changelog}`

/** Nothing is ever announced. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } }

/** Without sessions: each request has a server of its own, and nothing of it stays. */
export function createServer({ report, ...parts }: McpParts): ServeMcp {
  const answers = createAnswers(parts)
  const tools = Object.entries(DESCRIPTIONS).map(([name, words]) => ({
    name: name as ToolName,
    config: { ...words, inputSchema: checked(INPUT[name as ToolName]), annotations: READ_ONLY },
    outputSchema: checked(OUTPUT[name as ToolName]),
  }))
  const modern = createMcpHandler(({ authInfo }) => serverFor(contextIn(authInfo)), {
    legacy: 'reject',
    maxSubscriptions: 0,
  })

  /** With the tool that is called alone, if one is: to register all takes as long as to answer. */
  function serverFor(context: Context): McpServer {
    const { caller, message } = context
    const server = new McpServer(
      { name: 'changelogd', version },
      { instructions: INSTRUCTIONS, capabilities: CAPABILITIES },
    )
    const wanted = nameCalled(message)
    const called = tools.find(({ name }) => name === wanted)
    if (called) {
      const { name, config } = called
      server.registerTool(name, config, (given) => asResult(context, name, given as Input[ToolName]))
      return server
    }
    // The library takes what every object has, such as `constructor`, for a tool that is disabled.
    if (wanted !== undefined)
      server.server.setRequestHandler('tools/call', ({ params: { name } }) => {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`)
      })
    for (const { name, config, outputSchema } of tools)
      server.registerTool(name, { ...config, outputSchema }, () => ({ content: [] }))
    const list = async () => {
      const { changelogs } = await answers.list(caller)
      return {
        resources: changelogs.map(({ changelog, name }) => ({
          uri: resourceOf(changelog),
          name: changelog,
          title: name,
          mimeType: 'text/markdown',
        })),
      }
    }
    const about = {
      title: 'Changelog',
      description: 'The newest versions of a changelog',
      mimeType: 'text/markdown',
    }
    server.registerResource(
      'changelog',
      new ResourceTemplate(RESOURCES, { list }),
      about,
      async (uri, names) => {
        const changelog = `${names.team}/${names.product}`
        try {
          const text = await answers.write(changelog, caller)
          return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
        } catch (error) {
          if (error instanceof ApiError && error.code === 'not_found')
            throw new ResourceNotFoundError(uri.href)
          throw new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error))
        }
      },
    )
    return server
  }

  /** For the protocols of 2025, to which the library would answer with a stream of one event. */
  async function serveLegacy(request: Request, context: Context): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await serverFor(context).connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: context.message })
    } finally {
      await transport.close()
    }
  }

  async function asResult(context: Context, name: ToolName, given: Input[ToolName]): Promise<CallToolResult> {
    try {
      const text = await answers.call(name, given as never, context.caller)
      return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
    } catch (error) {
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
    }
  }

  function messageOf(error: unknown): string {
    if (error instanceof ApiError && error.code === 'not_found')
      return 'No changelog or version was found under these names.'
    if (error instanceof ApiError) return error.message
    report(error)
    return error instanceof Unavailable
      ? 'The database does not answer. Try again in a moment.'
      : 'The server failed. The error is in its log.'
  }

  return async (request, message, caller) => {
    const context: Context = { caller, message }
    return (await isLegacyRequest(request, message))
      ? serveLegacy(request, context)
      : modern.fetch(request, { parsedBody: message, authInfo: infoOf(context) })
  }
}

/** The library passes on what a token stands for: the endpoint has checked it. */
const infoOf = (context: Context): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { context } })
const contextIn = (info: AuthInfo | undefined): Context => info?.extra?.context as Context

function nameCalled(message: unknown): unknown {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' ? params?.name : undefined
}

/** A schema that TypeBox checks; the library would load another checker. */
function checked<Schema extends TSchema>(schema: Schema) {
  const check = TypeCompiler.Compile(schema)
  return fromJsonSchema<Schema['static']>(schema as JsonSchemaType, {
    getValidator:
      <T>() =>
      (input: unknown) => {
        if (check.Check(input)) return { valid: true as const, data: input as T, errorMessage: undefined }
        const first = check.Errors(input).First()
        const place = first?.path.slice(1).replaceAll('/', '.') || 'the arguments'
        return { valid: false as const, data: undefined, errorMessage: `${place}: ${first?.message}` }
      },
  })
}
