import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Protocols that agents speak: the newest, which needs no handshake, and the two before it. */
export const PROTOCOLS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** The official client, connected to a server. */
export async function connect(
  url: string,
  protocol: Protocol = '2026-07-28',
  headers: Record<string, string> = {},
): Promise<Client> {
  const mode = protocol === '2026-07-28' ? { pin: protocol } : ('legacy' as const)
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      ...(protocol !== '2026-07-28' && { supportedProtocolVersions: [protocol] }),
    },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  return client
}

/** A message as agents send it, without a client. */
export const message = (method: string, params: object = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})
