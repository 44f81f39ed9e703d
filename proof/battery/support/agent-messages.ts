import type { Random } from '../../../test/support/random.ts'
import { bearer } from '../../../test/support/servers/server.ts'

/** Words that only one of the two teams has, and only for its keys. */
export const HIDDEN = { acme: 'acmehiddenword', other: 'otherhiddenword' }

/** Keys of both teams, one of the first for another product, and one that is disabled. */
export type Keys = Record<'acme' | 'other' | 'select' | 'disabled', string>

export interface AgentMessage {
  id: number | string
  method: string
  headers: Record<string, string>
  body: string
  /** Whether it has its id and was not damaged. */
  isWhole: boolean
  /** The changelog that it asks for. */
  changelog: unknown
}

const NAMES = ['list_changelogs', 'get_changelog', 'get_version', 'compare_versions', 'search', 'nothing', '']
const METHODS = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'resources/list',
  'resources/read',
  'initialize',
]
const OTHERS = [
  'ping',
  'server/discover',
  'subscriptions/listen',
  'prompts/list',
  'logging/setLevel',
  'x',
  '__proto__',
  '',
]
const ODD: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(5_000),
  [],
  {},
  JSON.parse('{"__proto__":{"changelog":"acme/app"},"constructor":1}'),
  [[[[]]]],
  '💥',
  '\u0000',
  '../..',
]
const VERSIONS = ['1.0.0', '1.20.0', '9.0.0', 'latest', 'ver_0', '%00', "' or 1=1 --"]
const PROTOCOLS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1', '']

/** A message that may be right, and a request with it that may be wrong. No two have the same `number`. */
export function randomMessage(random: Random, keys: Keys, number: number): AgentMessage {
  const maybe = (share: number): boolean => random.below(100) < share
  const pick = <T>(values: readonly T[]): T => random.pick(values)
  const any = (usual: readonly unknown[]): unknown => (maybe(6) ? pick(ODD) : pick(usual))
  const given = Object.fromEntries(
    Object.entries({
      changelog: any(['acme/app', 'other/app', 'acme/app', 'acme/more', 'nobody/app', 'acme']),
      version: any(VERSIONS),
      from: any(VERSIONS),
      to: any(VERSIONS),
      query: any(['fix', HIDDEN.acme, HIDDEN.other]),
      kind: any(['fixed', 'breaking', 'x']),
      cursor: any(['x', 'acme/app', 'MTc2IHZlcl8x']),
      limit: any([1, 100, 0, '5']),
      maxLength: any([1_000, 100_000, 10]),
    }).filter(() => maybe(55)),
  )
  const name = any(NAMES)
  const method = maybe(80) ? pick(METHODS) : pick(OTHERS)
  const protocol = pick(PROTOCOLS)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocol,
    'io.modelcontextprotocol/clientInfo': any([{ name: 'x', version: '1' }]),
    'io.modelcontextprotocol/clientCapabilities': any([{}]),
  }
  const params = {
    ...(method === 'tools/call' && { name, arguments: given }),
    ...(method === 'resources/read' && {
      uri: any(['changelog://acme/app', 'changelog://other/app', 'file:///etc/passwd']),
    }),
    ...(method === 'initialize' && {
      protocolVersion: protocol,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    ...(maybe(40) && { _meta: any([meta]) }),
  }
  const id = maybe(50) ? number : `m${number}`
  const message = {
    jsonrpc: any(['2.0']),
    id: any([id]),
    method: maybe(3) ? pick(ODD) : method,
    params: any([params]),
  }
  const headers: Record<string, string> = {
    'content-type': maybe(95)
      ? 'application/json'
      : pick(['text/plain', 'application/x-www-form-urlencoded', '']),
    accept: maybe(95) ? 'application/json, text/event-stream' : pick(['*/*', 'text/html', '']),
    ...(maybe(60) && { 'mcp-protocol-version': protocol }),
    ...(maybe(40) && { 'mcp-method': method, 'mcp-name': String(name).replace(/[^ -~]/g, '?') }),
    ...(maybe(15) && { origin: pick(['https://agents.test', 'https://evil.test', 'null']) }),
    ...(maybe(30) && { authorization: authorizationOf(random, keys) }),
    ...(maybe(5) && { 'mcp-session-id': 'x' }),
    ...(maybe(2) && { 'content-encoding': pick(['gzip', 'identity', 'x']) }),
  }
  const text = JSON.stringify(maybe(4) ? [message, message] : message)
  const body = damaged(random, text)
  return {
    id,
    method: maybe(96) ? 'POST' : pick(['GET', 'DELETE', 'OPTIONS', 'PUT']),
    headers,
    body,
    isWhole: body === text && message.id === id,
    changelog: given.changelog,
  }
}

const authorizationOf = (random: Random, keys: Keys): string =>
  random.pick([
    bearer(keys.acme).authorization,
    bearer(keys.other).authorization,
    bearer(keys.select).authorization,
    bearer(keys.disabled).authorization,
    `Bearer ${keys.acme}x`,
    `Bearer ${keys.acme} ${keys.other}`,
    `Bearer ${keys.acme}, Bearer ${keys.other}`,
    `Basic ${btoa(`x:${keys.acme}`)}`,
    'Bearer',
    '',
  ])

/** Most stay as they are. */
function damaged(random: Random, text: string): string {
  const at = random.below(text.length)
  switch (random.below(40)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + random.text(3, '{}[]",:0\\u\u0000') + text.slice(at)
    case 2:
      return `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    case 3:
      return text.replace('"arguments":{', `"arguments":{"x":${'{"x":'.repeat(9_000)}1${'}'.repeat(9_000)},`)
    case 4:
      return text + ' '.repeat(70_000)
    case 5:
      return `\uFEFF${text}`
    case 6:
      return text.replaceAll('"id"', '"id":1,"id"')
    default:
      return text
  }
}
