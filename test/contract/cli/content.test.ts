import { expect, test } from 'bun:test'
import { withProduct } from '../../support/sandbox.ts'

test('release prints the address of the page', async () => {
  await using box = await withProduct()
  await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Found.')
  const server = await box.serve()
  const { url } = await box.json<{ url: string }>('release', 'acme/app', '2 beta/1', '--public-url', server)
  expect(url).toStartWith(server)
  const page = await box.response(url.slice(server.length))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Found.')])
})
