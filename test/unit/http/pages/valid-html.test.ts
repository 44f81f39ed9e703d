import { expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { PAGES, showcase } from '../../../support/pages/showcase.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { GATED, LOGIN } from '../../../support/servers/server.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // How markdown writes `<img />` and `disabled=""` is a matter of style.
    ...{ 'void-style': 'off', 'attribute-boolean-style': 'off' },
    // The key of the reference is for this page alone: nothing should offer to fill it in or to store it.
    'autocomplete-password': 'off',
  },
})

/** What is wrong with a page, with the line on which it is. */
async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line }) => `${ruleId}: ${message}: ${html.split('\n')[line - 1]?.slice(0, 200)}`,
    ),
  )
}

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
