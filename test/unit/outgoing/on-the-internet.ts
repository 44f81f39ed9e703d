/**
 * Run where loopback has an address of the internet: sends a request there, which may go, and follows redirects from
 * there, which may not. Prints what came of each as JSON. Arguments: the address, and the directory of the certificates.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OutgoingError } from '../../../src/outgoing/errors.ts'
import { send } from '../../../src/outgoing/request.ts'

const [address = '', directory = ''] = process.argv.slice(2)
const read = (name: string) => readFileSync(join(directory, name), 'utf8')
const tls = { cert: read('far.crt'), key: read('far.key') }
let inside = 0
const fetch = (request: Request) => {
  const to = new URL(request.url).searchParams.get('to')
  if (to === null) inside++
  return to ? new Response(null, { status: 302, headers: { location: to } }) : new Response('reached')
}
const far = Bun.serve({ hostname: address, port: 0, tls, fetch })
const near = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch })

const network = {
  ca: read('authority.crt'),
  resolve: async (name: string) => [name === 'far.test' ? address : '127.0.0.1'],
}
const results: Record<string, string> = {}
for (const [name, url] of Object.entries({
  public: `https://far.test:${far.port}/`,
  'to an address': `https://far.test:${far.port}/?to=https://127.0.0.1:${near.port}/`,
  'to a name': `https://far.test:${far.port}/?to=https://near.test:${near.port}/`,
  'to metadata': `https://far.test:${far.port}/?to=https://169.254.169.254/`,
}))
  results[name] = await send(
    { url, maxBytes: 1_000, timeoutMs: 60_000, redirects: 3, allowPrivate: false },
    network,
  ).then(
    ({ body }) => new TextDecoder().decode(body),
    (error: unknown) => (error instanceof OutgoingError ? error.fault : String(error)),
  )
process.stdout.write(JSON.stringify({ results, inside }))
process.exit()
