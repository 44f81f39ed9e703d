import { expect, test } from 'bun:test'
import { builtClient } from '../support/documents/client-package.ts'
import { browser, describeInBrowser } from '../support/pages/browser.ts'
import { startServer, THE_BINARY } from '../support/servers/server.ts'

describeInBrowser('the client in a browser', () => {
  test('reads from a page of another origin, and asks for no leave to do so', async () => {
    await using server = await startServer(THE_BINARY, { LOG_REQUESTS: 'true', PUBLIC_MAX_AGE: '0' })
    const app = server.seed.product(server.seed.team('acme'), 'app')
    for (const label of ['1.0.0', '1.1.0', '1.2.0']) server.seed.version(app.changelogId, label)
    const code = (await builtClient()).get('client.js') ?? ''
    const type = { 'content-type': 'text/javascript' }
    using host = Bun.serve({
      port: 0,
      routes: { '/client.js': () => new Response(code, { headers: type }), '/': () => new Response('') },
    })
    const context = await (await browser()).createBrowserContext()
    try {
      const page = await context.newPage()
      await page.goto(host.url.href)
      const read = `import('/client.js').then(async ({ createClient }) => {
        const client = createClient('${server.url}')
        const labels = async () => (await client.allVersions('acme/app', { limit: 2 })).map(({ version }) => version)
        return [await labels(), await labels()]
      })`
      const labels = ['1.2.0', '1.1.0', '1.0.0']
      expect(await page.evaluate(read)).toEqual([labels, labels])
    } finally {
      await context.close()
    }
    await server.stop()
    const requests = server.lines.filter((line) => line.includes('/changelog'))
    const methods = requests.map((line) => /"method":"(\w+)"/.exec(line)?.[1])
    const statuses = requests.map((line) => /"status":(\d+)/.exec(line)?.[1])
    expect({ methods, statuses }).toEqual({
      methods: ['GET', 'GET', 'GET', 'GET'],
      statuses: ['200', '200', '304', '304'],
    })
  })
})
