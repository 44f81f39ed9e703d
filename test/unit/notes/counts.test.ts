import { expect, test } from 'bun:test'
import { openHandler } from '../../support/servers/handler.ts'

const CHANGES = Array.from({ length: 300 }, (_, at) => ({ type: 'added', title: `Thing ${at}` }))

test('a release says how many changes it has of each kind, however many were read', async () => {
  using server = openHandler()
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  server.seed.version(changelogId, '1.0.0', { changes: CHANGES })
  const text = async (path: string) => (await server.get(`/changelog/acme/app${path}`)).text()
  for (const path of ['.md', '/1.0.0.md', '/1.0.0.md?page=2']) expect(await text(path)).toContain('300 added')
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_changelog', arguments: { changelog: 'acme/app' } },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  }
  const answer = await server.send('POST', '/mcp', headers, null, JSON.stringify(call))
  expect(await answer.text()).toContain('"kinds":{"added":300}')
})
