/** `mcp PORT`: the library of the Model Context Protocol as its documentation shows it, with a tool that answers nothing. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

const [port] = process.argv.slice(2)

const { fetch } = createMcpHandler(() => {
  const server = new McpServer({ name: 'library', version: '1' })
  server.registerTool('empty', { description: 'Answers nothing' }, () => ({ content: [] }))
  return server
})

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  reusePort: false,
  development: false,
  fetch: (request) => fetch(request),
})
