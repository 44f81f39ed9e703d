import { expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { PAGES, showcase } from '../../../support/pages/showcase.ts'
import { openHandler } from '../../../support/servers/handler.ts'

/** What is wrong with a page, but for these rules, with the line on which it is. */
async function faultsOf(html: string, off: readonly string[]): Promise<string[]> {
  const rules = Object.fromEntries(off.map((rule) => [rule, 'off'] as const))
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules })
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
    // How markdown writes `<img />` and `disabled=""` is a matter of style.
    const found = await faultsOf(html, ['void-style', 'attribute-boolean-style'])
    expect({ name, found }).toEqual({ name, found: [] })
  }
})

test('the reference is valid HTML, with a password or without', async () => {
  const gate = {
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: 'user',
    PASSWORD_PROTECTION_PASSWORD: 'secret',
  }
  for (const settings of [{}, gate]) {
    using server = openHandler(settings)
    const html = await (await server.get('/docs', { authorization: `Basic ${btoa('user:secret')}` })).text()
    expect(html).toContain('<h1>API reference</h1>')
    // A key is for this page alone: nothing should offer to fill it in or to store it.
    expect(await faultsOf(html, ['autocomplete-password'])).toEqual([])
  }
})
