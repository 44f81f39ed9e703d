import { expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { openHandler } from '../../support/servers/handler.ts'

test('the reference is valid HTML, with a password or without', async () => {
  const gate = {
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: 'user',
    PASSWORD_PROTECTION_PASSWORD: 'secret',
  }
  // A key is for this page alone: nothing should offer to fill it in or to store it.
  const rules = { 'autocomplete-password': 'off' } as const
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules })
  for (const settings of [{}, gate]) {
    using server = openHandler(settings)
    const html = await (await server.get('/docs', { authorization: `Basic ${btoa('user:secret')}` })).text()
    expect(html).toContain('<h1>API reference</h1>')
    const { results } = await validator.validateString(html)
    const found = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => `${ruleId}: ${message}: ${html.split('\n')[line - 1]}`),
    )
    expect(found).toEqual([])
  }
})
