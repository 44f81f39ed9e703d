/** `mcp PORT FILE`: the library of the Model Context Protocol as its documentation shows it, with a tool that returns the result in the file. */
import { readFileSync } from 'node:fs'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

const [port, file = ''] = process.argv.slice(2)
const { result } = JSON.parse(JSON.parse(readFileSync(file, 'utf8')).body)
const { content, structuredContent } = result

const { fetch } = createMcpHandler(() => {
  const server = new McpServer({ name: 'library', version: '1' })
  server.registerTool('constant', { description: 'Returns a constant' }, () => ({
    content,
    structuredContent,
  }))
  return server
})

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  reusePort: false,
  development: false,
  fetch: (request) => fetch(request),
})
