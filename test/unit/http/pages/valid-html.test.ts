import { expect, test } from 'bun:test'
import { PAGES, showcase } from '../../../support/pages/showcase.ts'
import { faultsOf } from '../../../support/pages/valid-html.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { GATED, LOGIN } from '../../../support/servers/server.ts'

test('every page is valid HTML', async () => {
  const [site, url] = ['Acme', 'https://acme.test']
  using server = openHandler({ SITE_NAME: site, LOGO_URL: `${url}/logo.svg`, PUBLIC_URL: url })
  showcase(server.seed)
  for (const [name, path] of Object.entries(PAGES)) {
    const html = await (await server.get(path)).text()
    const found = await faultsOf(html)
    expect({ name, found }).toEqual({ name, found: [] })
  }
})

test('the reference is valid HTML, with a password or without', async () => {
  for (const settings of [{}, GATED]) {
    using server = openHandler(settings)
    const html = await (await server.get('/docs', LOGIN)).text()
    expect(html).toContain('<h1>API reference</h1>')
    expect(await faultsOf(html)).toEqual([])
  }
})
