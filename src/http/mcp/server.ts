import {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { version } from '../../../package.json'
import { ApiError, Busy, outageReason } from '../request/errors.ts'
import { type AnswersParts, type Caller, createAnswer } from './answers.ts'
import { writeChangelog } from './resource.ts'
import type { Tool as ChangelogTool } from './tool.ts'
import { compareVersions } from './tools/compare-versions.ts'
import { getChangelog } from './tools/get-changelog.ts'
import { getVersion } from './tools/get-version.ts'
import { listChangelogs } from './tools/list-changelogs.ts'
import { searchChangelog } from './tools/search.ts'

export interface McpParts extends AnswersParts {
  /** Gets errors that answers do not reveal. */
  report(error: unknown): void
}

/** Serves a message that the endpoint has read. */
export type ServeMcp = (request: Request, message: unknown, caller: Caller) => Promise<Response>

/** Agents read it before they choose a tool. */
const INSTRUCTIONS =
  'Changelogs of software products. A changelog is named by its team and product, such as acme/app. Before an upgrade, call compare_versions with the version in use. search without a changelog searches all of them. Responses are short, and say how to get what they omit.'

const INFO = { name: 'changelogd', version }
/** Nothing is ever announced. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } }
const OPTIONS = { instructions: INSTRUCTIONS, capabilities: CAPABILITIES }

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const TOOLS: readonly ChangelogTool[] = [
  listChangelogs,
  getChangelog,
  getVersion,
  compareVersions,
  searchChangelog,
]

const CHANGELOG = /^changelog:\/\/(?<changelog>[^/]+\/[^/]+)$/
const MARKDOWN = { mimeType: 'text/markdown' }
const RESOURCES = {
  name: 'changelog',
  uriTemplate: 'changelog://{team}/{product}',
  title: 'Changelog',
  description: 'The newest versions of a changelog',
  ...MARKDOWN,
}

/** Serves without sessions: each request has a server of its own, and nothing of it stays. */
export function createServer({ report, ...parts }: McpParts): ServeMcp {
  const answer = createAnswer(parts)
  const byName = new Map(
    TOOLS.map((tool) => [tool.name, { ...tool, check: TypeCompiler.Compile(tool.input) }]),
  )
  const tools = TOOLS.map(({ name, title, description, input, output }) => {
    const schemas = { inputSchema: input, outputSchema: output }
    return { name, title, description, ...schemas, annotations: READ_ONLY } as Tool
  })

  function serverFor(caller: Caller): Server {
    const server = new Server(INFO, OPTIONS)
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', ({ params }) => call(params, caller))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [RESOURCES] }))
    server.setRequestHandler('resources/list', () => list(caller))
    server.setRequestHandler('resources/read', ({ params }) => read(params.uri, caller))
    return server
  }

  async function call(
    { name, arguments: given = {} }: CallToolRequest['params'],
    caller: Caller,
  ): Promise<CallToolResult> {
    const tool = byName.get(name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`)
    if (!tool.check.Check(given))
      return failed(`Invalid arguments for ${name}: ${faultIn(tool.check, given)}`)
    try {
      const text = await answer(name, tool.read, given, caller)
      return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
    } catch (error) {
      return failed(messageOf(error))
    }
  }

  async function list(caller: Caller) {
    const { name, read } = listChangelogs
    const text = await answer(name, read, {}, caller).catch(refuse)
    const { changelogs }: Static<typeof listChangelogs.output> = JSON.parse(text)
    const resources = changelogs.map(({ changelog, name }) => {
      const { description, mimeType } = RESOURCES
      return { uri: `changelog://${changelog}`, name: changelog, title: name, description, mimeType }
    })
    return { resources }
  }

  async function read(uri: string, caller: Caller): Promise<ReadResourceResult> {
    const changelog = CHANGELOG.exec(uri)?.groups?.changelog
    if (changelog === undefined) throw new ResourceNotFoundError(uri)
    try {
      return {
        contents: [
          { uri, ...MARKDOWN, text: await answer('resource', writeChangelog, { changelog }, caller) },
        ],
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') throw new ResourceNotFoundError(uri)
      return refuse(error)
    }
  }

  function refuse(error: unknown): never {
    throw new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error))
  }

  function messageOf(error: unknown): string {
    if (error instanceof ApiError) return error.message
    if (!(error instanceof Busy)) report(error)
    const reason = outageReason(error)
    return reason === null
      ? 'The server failed. The error is in its log.'
      : `${reason} Try again in a moment.`
  }

  /** For the protocols of 2025, to which the library would answer with a stream of one event. */
  async function serveLegacy(request: Request, message: unknown, caller: Caller): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await serverFor(caller).connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await transport.close()
    }
  }

  return async (request, message, caller) => {
    // Named protocols are never legacy: to ask the library takes a tenth of a call.
    if (!namesProtocol(message) && (await isLegacyRequest(request, message)))
      return serveLegacy(request, message, caller)
    const modern = createMcpHandler(() => serverFor(caller), { legacy: 'reject', maxSubscriptions: 0 })
    return modern.fetch(request, { parsedBody: message })
  }
}

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function faultIn(check: TypeCheck<TObject>, given: unknown): string {
  const first = check.Errors(given).First()
  const allowed: readonly string[] | undefined =
    first?.schema.enum ?? (first?.schema.properties && Object.keys(first.schema.properties))
  const fault = allowed ? `allowed are ${allowed.join(', ')}` : first?.message
  return `${first?.path.slice(1).replaceAll('/', '.') || 'the arguments'}: ${fault}`
}

function namesProtocol(message: unknown): boolean {
  const { params } = Object(message)
  return PROTOCOL_VERSION_META_KEY in Object(params?._meta)
}
