import { expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { PAGES, showcase } from '../../support/pages/showcase.ts'
import { openHandler } from '../../support/servers/handler.ts'

test('every page is valid HTML', async () => {
  const settings = {
    SITE_NAME: 'Acme',
    LOGO_URL: 'https://acme.test/logo.svg',
    PUBLIC_URL: 'https://acme.test',
  }
  using server = openHandler(settings)
  showcase(server.seed)
  // How markdown writes `<img />` and `disabled=""` is a matter of style.
  const rules = { 'void-style': 'off', 'attribute-boolean-style': 'off' } as const
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules })
  for (const [name, path] of Object.entries(PAGES)) {
    const html = await (await server.get(path)).text()
    const { results } = await validator.validateString(html)
    const found = results.flatMap(({ messages }) =>
      messages.map(
        ({ ruleId, message, line }) => `${ruleId}: ${message}: ${html.split('\n')[line - 1]?.slice(0, 200)}`,
      ),
    )
    expect({ name, found }).toEqual({ name, found: [] })
  }
})
